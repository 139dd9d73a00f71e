// One request to an allowance signer, over its private socket: the wallet's thread opens no connection.

import { createConnection } from 'node:net';
import { CompanionError } from '../../protocol/errors.ts';

/** Signatures of the largest transaction take less. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** A large payment takes seconds to be looked into, and others may be before it. */
const PATIENCE_MS = 120_000;

/** The answer is unchecked. Rejects with `SIGNER_FAILED` where the signer is not there, or does not answer in time. */
export function askSigner(
  socketPath: string,
  request: Uint8Array,
  stop: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const socket = createConnection({ path: socketPath, allowHalfOpen: true, signal: stop });
    const fail = (detail: string) => (cause?: Error) => {
      socket.destroy();
      reject(new CompanionError('SIGNER_FAILED', detail, { cause }));
    };
    socket.setTimeout(PATIENCE_MS, fail('The signer did not answer in time.'));
    socket.once('error', fail('The signer cannot be reached on its socket. Start it with "signer run".'));
    socket.on('data', (part: Buffer) => {
      length += part.length;
      if (length > MAX_ANSWER_BYTES) fail('The signer answered more than an answer has.')();
      else parts.push(part);
    });
    socket.once('end', () => {
      socket.destroy();
      if (length === 0) fail('The signer ended without an answer.')();
      else resolve(Uint8Array.from(Buffer.concat(parts)));
    });
    socket.end(request);
  });
}
