// A hook that is an address: each event is a signed POST. A status of 2xx means that it was delivered; only the status
// of the answer is read, and redirects are not followed.

import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import type { After } from '@wallet-companion/base/async';
import type { WayTo } from '@wallet-companion/base/proxy';
import { statusFailure } from '../http/calls/statusFailure.ts';
import { trustedFile } from '../programs/trustedFile.ts';
import { bytesOf, type Deliver } from './delivery.ts';

const MIN_SECRET_LENGTH = 16;
const MAX_SECRET_SIZE = 4096;
const OTHERS = 0o077;

export interface WebhookContext {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: After;
  /** Default: directly. */
  readonly wayTo?: WayTo;
}

/** Signs `timestamp.body` with the time of the try, so that a receiver can refuse old requests. */
export const signatureOf = (secret: Uint8Array, timestamp: string, body: Uint8Array): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;

export function webhook(
  name: string,
  url: string,
  secretFile: string,
  { now, after, wayTo }: WebhookContext,
): Deliver {
  return async (delivery, stop) => {
    const secret = readSecret(secretFile);
    if (secret === undefined) return 'SECRET_FILE';
    if (stop.aborted) return 'STOPPED';
    const body = bytesOf(name, delivery);
    const timestamp = String(Math.floor(now() / 1000));
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'wallet-companion',
      'wallet-companion-timestamp': timestamp,
      'wallet-companion-signature': signatureOf(secret, timestamp, body),
    };
    secret.fill(0);
    return statusFailure(new URL(url), { method: 'POST', headers }, body, after, stop, wayTo);
  };
}

/** Read each time, so that a new secret applies at once. No other user may be able to read the file. */
function readSecret(file: string): Buffer | undefined {
  try {
    const trust = trustedFile(file);
    if ('problem' in trust) return undefined;
    const { mode, size } = fs.statSync(trust.file);
    if ((process.getuid !== undefined && (mode & OTHERS) !== 0) || size > MAX_SECRET_SIZE) return undefined;
    const bytes = fs.readFileSync(trust.file);
    const text = bytes.toString('latin1').replace(/\r?\n$/, '');
    bytes.fill(0);
    return text.length < MIN_SECRET_LENGTH ? undefined : Buffer.from(text, 'latin1');
  } catch {
    return undefined;
  }
}
