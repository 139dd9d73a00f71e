// The default address of a companion, for servers and clients, and which names and addresses mean this machine.

export const DEFAULT_PORT = 3000;

/**
 * An address, not a name: `localhost` may resolve to the other loopback address, where another program may have the
 * port.
 */
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

/** The address of a companion, which may have a path; undefined for what no companion can have. */
export function tryCompanionUrl(text: string): URL | undefined {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  return url?.search === '' && url.hash === '' ? url : undefined;
}

// Which names and addresses mean this machine. Decided by text, because a resolved name may lead anywhere.

/** A server on this machine: nothing sent there goes over a network. */
const SERVER = String.raw`(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])`;
/** The names of a companion: the addresses that it listens on, and those that callers may use. */
const COMPANION = String.raw`(?:localhost|127\.0\.0\.1|\[::1\])`;
const ANY_PORT = String.raw`(?::\d{1,5})?`;

const SERVER_HOSTNAME = new RegExp(`^${SERVER}$`);
const SERVER_HOST_AND_PORT = new RegExp(String.raw`^${SERVER}:(\d{1,5})$`, 'i');
const COMPANION_HOST = new RegExp(`^${COMPANION}${ANY_PORT}$`, 'i');
const COMPANION_ORIGIN = new RegExp(`^https?://${COMPANION}${ANY_PORT}$`);

/** The origin of a browser extension: no web page can have such an origin. */
export const EXTENSION_ORIGIN =
  /^(?:chrome-extension:\/\/[a-p]{32}|(?:moz|safari-web)-extension:\/\/[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$/;

/** `hostname` comes from `URL`, which normalizes addresses, so that `127.1` is 127.0.0.1. */
export const isServerOnThisMachine = (hostname: string): boolean => SERVER_HOSTNAME.test(hostname);

/** A hidden service of Tor: its name is its key, so that what goes there is encrypted, to it alone, without TLS. */
export const isOnion = (hostname: string): boolean => /\.onion\.?$/i.test(hostname);

/** Nobody between reads what goes there: TLS, this machine, or a hidden service. */
export const isReadByServerAlone = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && (isServerOnThisMachine(hostname) || isOnion(hostname)));

/** The port of a bare `host:port` on this machine; undefined for anything else. */
export const portOnThisMachine = (text: string): number | undefined => {
  const port = SERVER_HOST_AND_PORT.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
};

/** Whether a Host header names a companion. Any port is allowed, so that tunnels and port forwards work. */
export const isCompanionHost = (host: string): boolean => COMPANION_HOST.test(host);

/** Whether an Origin header, or an entry of `allowed_origins`, names a companion. */
export const isCompanionOrigin = (origin: string): boolean => COMPANION_ORIGIN.test(origin);
