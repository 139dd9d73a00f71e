// No web page may call, whatever it sends. A page is recognised by its Host (DNS rebinding),
// its Origin (any cross-origin request a script can read, and every POST), or Sec-Fetch-Site (which a browser sends
// without Origin: links, images, forms by GET). Runs before any handler and before the body is read.
//
// An extension with permissions for 127.0.0.1 sends GET requests without Origin. Chromium writes Sec-Fetch-Site "none" for it,
// which otherwise means an address that the user typed (and "none" also when a page prefetches by speculation rules). Firefox
// writes "same-origin", as for the companion's own pages: those alone send a Referer, which no script can forge.

import { EXTENSION_ORIGIN, isCompanionHost } from '@wallet-companion/client/contract';
import type { Context, Middleware } from 'koa';
import { CompanionError } from '../protocol/errors.ts';
import { operations } from '../protocol/operations.ts';

/** How long a browser may remember a preflight. Short, because the list of origins can change. */
const PREFLIGHT_MAX_AGE_SECONDS = 60;

/** `isLetIn`: for the origin of an extension. `limitRate`: of the requests with an Origin that pass. */
export function guard(
  isLetIn: (origin: string) => boolean,
  limitRate: (isStranger: boolean) => void = () => undefined,
): Middleware {
  return async (context, next) => {
    const host = checkedHost(context);
    const origin = header(context, 'origin');
    // Caches must not serve one origin's answer or refusal to another.
    context.vary('Origin');
    if (origin === undefined) refuseForeignFetch(context, host);
    else {
      const isAllowed = isOwnOrAllowed(origin, host, isLetIn);
      if (!isAllowed && !mayAsk(context, origin)) throw originForbidden();
      context.set('access-control-allow-origin', origin);
      context.set('access-control-expose-headers', 'x-request-id, retry-after');
      if (isPreflight(context)) return answerPreflight(context);
      limitRate(!isAllowed);
    }
    await next();
  };
}

function header(context: Context, name: string): string | undefined {
  const value = context.req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function checkedHost(context: Context): string {
  // Node keeps the first of several Host headers; a proxy in front may have checked another one.
  const hosts = context.req.headersDistinct['host'] ?? [];
  const [host] = hosts;
  if (hosts.length !== 1 || host === undefined || !isCompanionHost(host)) {
    throw new CompanionError(
      'HOST_FORBIDDEN',
      'Call the companion as 127.0.0.1 (or [::1], or localhost); other names are refused.',
    );
  }
  // A request target in absolute form contains a host besides the header.
  if (context.req.url?.startsWith('/') !== true && context.req.url !== '*') {
    throw new CompanionError('INVALID_REQUEST', 'The request target must be a path.');
  }
  return host.toLowerCase();
}

/** The companion's own pages are served from the same host and port that they call. */
const isOwnOrAllowed = (origin: string, host: string, isLetIn: (origin: string) => boolean): boolean =>
  origin === `http://${host}` ||
  // Every sandboxed or file: page sends "null", which would allow all of them.
  (origin !== 'null' && isLetIn(origin));

const originForbidden = (): CompanionError =>
  new CompanionError(
    'ORIGIN_FORBIDDEN',
    'This web page or extension was not let in. An extension may ask for it: POST /api/pair.',
  );

function refuseForeignFetch(context: Context, host: string): void {
  const site = header(context, 'sec-fetch-site');
  if (site === undefined) return;
  const isSameOrigin = site === 'same-origin';
  if (isSameOrigin && header(context, 'referer')?.startsWith(`http://${host}/`)) return;
  if (!isSameOrigin && (site !== 'none' || header(context, 'sec-purpose') !== undefined)) {
    throw new CompanionError('ORIGIN_FORBIDDEN', 'Web pages may not call the companion.');
  }
  // Browsers that send the site send the mode as well: without a mode, the caller is a program.
  const mode = header(context, 'sec-fetch-mode');
  if (mode === undefined || (mode === 'navigate' && !isEmbedded(context))) return;
  throw new CompanionError(
    'ORIGIN_FORBIDDEN',
    'The browser does not say which extension asks. Take the companion out of its host_permissions: then it does.',
  );
}

/** In a page of somebody else: the companion's own have no frames. */
const isEmbedded = (context: Context): boolean =>
  /^(?:iframe|frame|embed|object)$/.test(header(context, 'sec-fetch-dest') ?? '');

/** Whether an extension that is not allowed yet only requests pairing. */
function mayAsk(context: Context, origin: string): boolean {
  const method = isPreflight(context) ? header(context, 'access-control-request-method') : context.method;
  return (
    method === 'POST' &&
    context.path === operations['pairing.request'].http.path &&
    EXTENSION_ORIGIN.test(origin)
  );
}

const isPreflight = (context: Context): boolean =>
  context.method === 'OPTIONS' && header(context, 'access-control-request-method') !== undefined;

function answerPreflight(context: Context): void {
  context.set('access-control-allow-methods', 'GET, HEAD, POST');
  context.set('access-control-allow-headers', 'authorization, content-type, last-event-id, x-request-id');
  context.set('access-control-max-age', String(PREFLIGHT_MAX_AGE_SECONDS));
  // Chromium requires this header before a public page or an extension may reach a loopback address.
  if (header(context, 'access-control-request-private-network') === 'true') {
    context.set('access-control-allow-private-network', 'true');
  }
  context.status = 204;
}
