// TLS to a compact server, with what Node.js trusts: grpc-js would read roots and ciphers from variables of its own.
//
// TLS names servers by host names alone (RFC 6066), gRPC names an address too, and Node 26 refuses that: so a name without
// meaning is sent, and the certificate is checked for the address.

import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext } from 'node:tls';
import { type ChannelCredentials, type ChannelOptions, credentials } from '@grpc/grpc-js';

const NO_NAME = 'address.invalid';

export interface ServerTls {
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
}

/** `host`: `host:port`, an IPv6 address in brackets. */
export function serverTls(host: string): ServerTls {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
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
