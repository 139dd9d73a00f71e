// One request of which only the status of the answer counts, within a time. Redirects are not followed.

import http from 'node:http';
import https from 'node:https';
import type { After } from '@wallet-companion/base/async';

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
): Promise<Failure> {
  return new Promise((resolve) => {
    const options = { method, headers, agent: false as const, maxHeaderSize: MAX_HEADER_BYTES };
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...options, rejectUnauthorized: true })
        : http.request(url, options);
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
    request.on('error', () => end('UNREACHABLE'));
    request.on('close', () => end('UNREACHABLE'));
    request.once('response', (response) => {
      response.on('error', () => undefined);
      end(failureOf(response.statusCode ?? 0));
    });
    request.end(body, () => body?.fill(0));
  });
}

const failureOf = (status: number): Failure =>
  status >= 200 && status < 300 ? undefined : `STATUS_${status}`;
