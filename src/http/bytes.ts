// Bodies that are never text in this thread: read as bytes for the wallet thread, answered as its bytes, wiped after. A
// string would stay in this thread's heap, which lives as long as the process.

import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { DEFAULT_INPUT_BYTES, type LongInput, type LongInputs } from '../protocol/inputLimits.ts';
import { joinApart } from '../protocol/ownMemory.ts';
import { overwriteReadBuffer } from '../protocol/readBuffer.ts';
import { bodyTooLarge, incompleteBody } from './body.ts';

export interface BodyBytes {
  /** In a buffer of its own. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** To be called when it was answered: a long one has kept others out until then. */
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
  overwriteReadBuffer();
  return { body, done: () => long?.done() };
}

const wipe = (pieces: readonly Buffer[]): void => {
  for (const piece of pieces) piece.fill(0);
};

interface Pieces {
  readonly pieces: readonly Buffer[];
  /** Where it is longer than most. */
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
    // The rest is thrown away, so that a caller who is amid sending it hears the answer; it has to come in time too.
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

/** Sends the text of JSON that the bytes are. */
export function answerBytes(context: Context, json: Uint8Array): void {
  const { buffer, byteOffset, byteLength } = json;
  context.type = 'application/json; charset=utf-8';
  context.body = Buffer.from(buffer, byteOffset, byteLength);
  context.res.once('close', () => json.fill(0));
}
