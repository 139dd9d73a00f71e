// The body of a node's answer: how much of it is read, and when. And its JSON, which is not parsed where it would take
// many times the memory of its text.

import type { IncomingMessage } from 'node:http';
import type { AnswerRoom } from '@wallet-companion/base/async';
import { type AnswerBody, KeptAnswer } from './keptAnswer.ts';

/** Answers up to here need no share of the limit (`AnswerRoom`). */
export const SMALL_ANSWER_BYTES = 64 * 1024;

/** A block of the smallest transactions has some 33,000 values. A value takes up to 60 bytes where its text takes 3. */
const MAX_JSON_VALUES = 100_000;

export interface AnswerLimits {
  readonly maxBytes: number;
  readonly room: AnswerRoom;
  /** The result should be bytes in hexadecimal. */
  readonly wantsHex: boolean;
}

export interface AnswerHooks {
  /** The server has sent something, or reading from it has begun. */
  readonly arrived: () => void;
  /** Reading from the server is paused. */
  readonly held: () => void;
  /** `length`: number of bytes received. */
  readonly ended: (body: AnswerBody, length: number) => void;
  /** Called before the body is read where its length is announced. */
  readonly tooLarge: () => void;
}

/** Returns a function that ends the reading; the caller must call it once the answer is no longer needed. */
export function readAnswer(
  response: IncomingMessage,
  { maxBytes, room, wantsHex }: AnswerLimits,
  { arrived, held, ended, tooLarge }: AnswerHooks,
): () => void {
  const announced = Number(response.headers['content-length'] ?? 0);
  const kept = new KeptAnswer(maxBytes, wantsHex);
  let length = 0;
  let leave: (() => void) | undefined;

  const enterRoom = (): void => {
    let isIn = false;
    leave = room.take(() => {
      isIn = true;
      arrived();
      response.resume();
    });
    kept.expect(announced);
    if (isIn) return;
    response.pause();
    held();
  };

  if (announced > maxBytes) tooLarge();
  else {
    response.on('data', (chunk: Buffer) => {
      arrived();
      length += chunk.length;
      if (length > maxBytes) {
        tooLarge();
        return;
      }
      kept.add(chunk);
      if (leave === undefined && length > SMALL_ANSWER_BYTES) enterRoom();
    });
    response.on('end', () => ended(kept.end(), length));
  }
  return () => {
    // The request may stay in memory for a while.
    kept.clear();
    leave?.();
  };
}

/** Undefined when it is none. The caller must have checked `hasTooManyValues`. */
export function parseObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A comma or an opening bracket stands before each value but the first. */
const BEFORE_VALUES = [...',[{'].map((mark) => mark.charCodeAt(0));

export function hasTooManyValues(body: Buffer): boolean {
  let values = 0;
  for (const mark of BEFORE_VALUES) {
    for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1)) {
      if (++values > MAX_JSON_VALUES) return true;
    }
  }
  return false;
}
