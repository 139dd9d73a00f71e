// Where a compact-block server is and whether the way there is encrypted.
import { CompanionError } from '../protocol/errors.ts';

export interface CompactServerAddress {
  /** `host:port` as gRPC names it. */
  readonly target: string;
  readonly tls: boolean;
  readonly loopback: boolean;
}

const TLS_PORT = 443;
const PLAIN_PORT = 80;

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/**
 * `https://host[:port]` is TLS, `http://host[:port]` plain; a bare `host:port` is plain on loopback and TLS anywhere
 * else: what goes over a network is never plain by accident. `INVALID_URL` for anything else.
 */
export function parseCompactServerUrl(text: string): CompactServerAddress {
  const bare = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? undefined : `tcp://${text}`;
  const candidate = bare ?? text;
  const url = URL.canParse(candidate) ? new URL(candidate) : undefined;
  const scheme = url?.protocol;
  const known = scheme === 'https:' || scheme === 'http:' || (bare !== undefined && url?.port !== '');
  if (url === undefined || !known || url.hostname === '') throw invalid();
  if (url.username !== '' || url.password !== '' || !['', '/'].includes(url.pathname)) throw invalid();
  if (url.search !== '' || url.hash !== '') throw invalid();
  const loopback = isLoopbackHost(url.hostname);
  const tls = scheme === 'https:' || (bare !== undefined && !loopback);
  return { target: `${url.hostname}:${url.port || (tls ? TLS_PORT : PLAIN_PORT)}`, tls, loopback };
}

const invalid = (): CompanionError =>
  new CompanionError(
    'INVALID_URL',
    'The compact server must be given as https://host:port, http://host:port or host:port.',
  );
