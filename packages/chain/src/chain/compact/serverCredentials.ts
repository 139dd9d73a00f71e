// What a gRPC connection to a compact server begins with: TLS with what Node.js trusts, since grpc-js would read roots and ciphers
// from variables of its own, and before that the way through the owner's proxy.
//
// TLS names servers by host names alone (RFC 6066), gRPC names an address too, and Node 26 refuses that: so a name without
// meaning is sent, and the certificate is checked for the address.

import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, createSecureContext } from 'node:tls';
import { type CallCredentials, ChannelCredentials, type ChannelOptions, credentials } from '@grpc/grpc-js';
import type { Route, Target, Way } from '@wallet-companion/base/proxy';
import type { CompactServerAddress } from './compactServerUrl.ts';

const NO_NAME = 'address.invalid';

export interface ServerConnection {
  readonly target: string;
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
}

export function serverConnection(address: CompactServerAddress, way: Way): ServerConnection {
  const secured = address.tls
    ? serverTls(address.hostname)
    : { credentials: credentials.createInsecure(), options: {} };
  if (way.kind !== 'proxy') return { target: address.target, ...secured };
  const { host, hostname, port } = address;
  const { proxy } = way.route;
  return {
    // grpc-js connects to the proxy; all else that it names is the server.
    target: `dns:${proxy.host.includes(':') ? `[${proxy.host}]` : proxy.host}:${proxy.port}`,
    credentials: new RoutedCredentials(secured.credentials, way.route, { host: hostname, port }),
    options: { ...secured.options, 'grpc.default_authority': host },
  };
}

type Connector = ReturnType<ChannelCredentials['_createSecureConnector']>;
type GrpcUri = Parameters<ChannelCredentials['_createSecureConnector']>[0];

/** Other credentials, over a connection that the proxy makes. */
class RoutedCredentials extends ChannelCredentials {
  readonly #inner: ChannelCredentials;
  readonly #route: Route;
  readonly #server: Target;

  constructor(inner: ChannelCredentials, route: Route, server: Target) {
    super();
    this.#inner = inner;
    this.#route = route;
    this.#server = server;
  }

  override _isSecure(): boolean {
    return this.#inner._isSecure();
  }

  override _equals(other: ChannelCredentials): boolean {
    return other === this;
  }

  override _createSecureConnector(
    _proxy: GrpcUri,
    options: ChannelOptions,
    call?: CallCredentials,
  ): Connector {
    const { host, port } = this.#server;
    const inner = this.#inner._createSecureConnector(
      { scheme: 'dns', path: `${host}:${port}` },
      options,
      call,
    );
    return {
      connect: async (socket: Socket) => {
        await this.#route.through(socket, this.#server);
        return inner.connect(socket);
      },
      waitForReady: () => inner.waitForReady(),
      getCallCredentials: () => inner.getCallCredentials(),
      destroy: () => inner.destroy(),
    };
  }
}

/** `hostname`: an IPv6 address in brackets. */
function serverTls(hostname: string): Pick<ServerConnection, 'credentials' | 'options'> {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const context = createSecureContext();
  const rejectUnauthorized = true;
  if (isIP(name) === 0)
    return { credentials: credentials.createFromSecureContext(context, { rejectUnauthorized }), options: {} };
  return {
    credentials: credentials.createFromSecureContext(context, {
      checkServerIdentity: (_noName, certificate) => checkServerIdentity(name, certificate),
      rejectUnauthorized,
    }),
    options: { 'grpc.ssl_target_name_override': NO_NAME },
  };
}
