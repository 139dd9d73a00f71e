// One request of which only the status of the answer counts, within a time. Redirects are not followed.

import http from 'node:http';
import https from 'node:https';
import type { After } from '@wallet-companion/base/async';
import { DIRECT, ProxyError, proxyFault, type Way, type WayTo } from '@wallet-companion/base/proxy';

/** `undefined`: the status was one of 2xx. Else the reason as a word, never text from the other side. */
type Failure = string | undefined;

export const STATUS_LIMIT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;

export interface StatusRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: http.OutgoingHttpHeaders;
}

/** A status of 2xx is no failure. The body is wiped when it is sent, at the latest at the end. Never rejects. */
export function statusFailure(
  url: URL,
  { method, headers = {} }: StatusRequest,
  body: Uint8Array | undefined,
  after: After,
  stop: AbortSignal,
  wayTo: WayTo = DIRECT,
): Promise<Failure> {
  const way = wayTo(url.hostname);
  if (way.kind === 'none') {
    body?.fill(0);
    return Promise.resolve('NO_PROXY');
  }
  return new Promise((resolve) => {
    const request = requestBy(way, url, { method, headers });
    const end = (failure: Failure): void => {
      callOff();
      stop.removeEventListener('abort', stopped);
      request.destroy();
      body?.fill(0);
      resolve(failure);
    };
    const stopped = (): void => end('STOPPED');
    const callOff = after(STATUS_LIMIT_MS, () => end('TIMEOUT'));
    stop.addEventListener('abort', stopped);
    request.on('error', (error) => end(reasonOf(error)));
    request.on('close', () => end('UNREACHABLE'));
    request.once('response', (response) => {
      response.on('error', () => undefined);
      end(failureOf(response.statusCode ?? 0));
    });
    request.end(body, () => body?.fill(0));
  });
}

/** One request over a connection of its own. It does not begin where the way is `none`. */
export function requestBy(way: Way, url: URL, options: http.RequestOptions): http.ClientRequest {
  const agent = way.kind === 'proxy' ? way.route.agent(url.protocol) : (false as const);
  const whole = { ...options, agent, maxHeaderSize: MAX_HEADER_BYTES };
  return url.protocol === 'https:'
    ? https.request(url, { ...whole, rejectUnauthorized: true })
    : http.request(url, whole);
}

const reasonOf = (error: Error): string =>
  error instanceof ProxyError && proxyFault(error.message)?.isOfProxy === true ? 'PROXY' : 'UNREACHABLE';

const failureOf = (status: number): Failure =>
  status >= 200 && status < 300 ? undefined : `STATUS_${status}`;
