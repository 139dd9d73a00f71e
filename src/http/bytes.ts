// Bodies as bytes: those for the wallet thread are never text in this one, answered as its bytes, wiped after. A string
// would stay in this thread's heap, which lives as long as the process.

import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { parseJsonBody } from '../protocol/jsonCalls.ts';
import { joinApart } from '../protocol/ownMemory.ts';
import { overwriteReadBuffer } from '../protocol/readBuffer.ts';
import { BODY_LIMIT_BYTES, bodyTooLarge, incompleteBody } from './body.ts';

/** The body in a buffer of its own. Throws `BODY_TOO_LARGE`, and `INVALID_REQUEST` for one that is cut off. */
export async function readBytes(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw bodyTooLarge();
  const pieces = await readPieces(request);
  const body = joinApart(...pieces);
  wipe(pieces);
  overwriteReadBuffer();
  return body;
}

/** The object in a body that is no secret; an empty one is {}. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  return parseJsonBody(await readBytes(request));
}

const wipe = (pieces: readonly Buffer[]): void => {
  for (const piece of pieces) piece.fill(0);
};

function readPieces(request: IncomingMessage): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      end();
    };
    const fail = (error: Error): void =>
      settle(() => {
        wipe(pieces);
        reject(error);
      });
    const onData = (piece: Buffer): void => {
      pieces.push(piece);
      length += piece.length;
      if (length <= BODY_LIMIT_BYTES) return;
      // The rest is not read: the connection ends with the answer.
      request.pause();
      fail(bodyTooLarge());
    };
    const onEnd = (): void => settle(() => resolve(pieces));
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
