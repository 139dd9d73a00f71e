// The address of a compact-block server, and whether the connection is encrypted.
import { CompanionError, isOnion, isServerOnThisMachine } from '@wallet-companion/client/contract';

export interface CompactServerAddress {
  /** `host:port`, an IPv6 address in brackets. */
  readonly host: string;
  readonly hostname: string;
  readonly port: number;
  /** The same for gRPC, with its scheme: else gRPC would read a host like "unix" or "xds" as a scheme. */
  readonly target: string;
  readonly tls: boolean;
}

const TLS_PORT = 443;
const PLAIN_PORT = 80;

/**
 * `https://host[:port]` is TLS, `http://host[:port]` plain; a bare `host:port` is plain on loopback and to a hidden service, and TLS anywhere
 * else: what goes over a network is never plain by accident. `INVALID_URL` for anything else.
 */
export function parseCompactServerUrl(text: string): CompactServerAddress {
  const isBare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (isBare && !/:\d+$/.test(text)) throw invalid();
  // Only URLs with a scheme of the web get comparable hosts: lower case, and one spelling for each address.
  const candidate = isBare ? `http://${text}` : text;
  const url = URL.canParse(candidate) ? new URL(candidate) : undefined;
  const isKnown = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === undefined || !isKnown || /\s/.test(text)) throw invalid();
  if (url.username !== '' || url.password !== '' || !['', '/'].includes(url.pathname)) throw invalid();
  if (url.search !== '' || url.hash !== '') throw invalid();
  const isHttps = url.protocol === 'https:';
  const port = url.port || String(isHttps ? TLS_PORT : PLAIN_PORT);
  const host = `${url.hostname}:${port}`;
  const isSealed = isServerOnThisMachine(url.hostname) || isOnion(url.hostname);
  const address = { hostname: url.hostname, port: Number(port) };
  return { host, ...address, target: `dns:${host}`, tls: isHttps || (isBare && !isSealed) };
}

const invalid = (): CompanionError =>
  new CompanionError(
    'INVALID_URL',
    'The compact server must be given as https://host:port, http://host:port or host:port.',
  );
