// Bodies that never become text in this thread: read as bytes for the wallet thread, answered with its bytes, then
// wiped. A string would stay in this thread's heap, which exists as long as the process.

import type { IncomingMessage } from 'node:http';
import { joinApart } from '@wallet-companion/base/memory';
import { DEFAULT_INPUT_BYTES } from '@wallet-companion/client/contract';
import type { Context } from 'koa';
import type { LongInput, LongInputs } from '../protocol/inputLimits.ts';
import { bodyTooLarge, incompleteBody } from './server/body.ts';

export interface BodyBytes {
  /** The body, in a buffer that nothing else shares. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The caller calls this after the answer: until then a long body counts against the limit of long inputs. */
  done(): void;
}

/**
 * Throws `BODY_TOO_LARGE` above the limit, `INVALID_REQUEST` for a body that is cut off, and `BUSY` for a long one when
 * there are too many.
 */
export async function readBytes(
  request: IncomingMessage,
  limitBytes: number,
  longInputs: LongInputs,
): Promise<BodyBytes> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw bodyTooLarge(limitBytes);
  const { pieces, long } = await readPieces(request, limitBytes, longInputs);
  const body = joinApart(...pieces);
  wipe(pieces);
  return { body, done: () => long?.done() };
}

const wipe = (pieces: readonly Buffer[]): void => {
  for (const piece of pieces) piece.fill(0);
};

interface Pieces {
  readonly pieces: readonly Buffer[];
  /** Set for a body above the default limit. */
  readonly long: LongInput | undefined;
}

function readPieces(request: IncomingMessage, limitBytes: number, longInputs: LongInputs): Promise<Pieces> {
  const pieces: Buffer[] = [];
  let length = 0;
  let long: LongInput | undefined;
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      end();
    };
    const fail = (error: unknown): void =>
      settle(() => {
        wipe(pieces);
        long?.done();
        reject(error);
      });
    // The rest is read and dropped, so that a client that is still sending gets the answer; the time limit applies too.
    const turnAway = (error: unknown): void => {
      fail(error);
      request.resume();
    };
    const onData = (piece: Buffer): void => {
      pieces.push(piece);
      length += piece.length;
      if (length > limitBytes) {
        turnAway(bodyTooLarge(limitBytes));
        return;
      }
      if (length <= DEFAULT_INPUT_BYTES || long !== undefined) return;
      try {
        long = longInputs.begin(turnAway);
      } catch (busy) {
        turnAway(busy);
      }
    };
    const onEnd = (): void =>
      settle(() => {
        long?.arrived();
        resolve({ pieces, long });
      });
    const onCut = (): void => fail(incompleteBody());
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

/** Sends these bytes as the JSON text. */
export function answerBytes(context: Context, json: Uint8Array): void {
  const { buffer, byteOffset, byteLength } = json;
  context.type = 'application/json; charset=utf-8';
  context.body = Buffer.from(buffer, byteOffset, byteLength);
  wipeWhenSent(context, json);
}

/** At once where the caller has left: no 'close' comes any more. */
export function wipeWhenSent({ res }: Context, bytes: Uint8Array): void {
  if (res.destroyed) bytes.fill(0);
  else res.once('close', () => bytes.fill(0));
}
