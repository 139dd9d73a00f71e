// The body of a node's answer: how much of it is read, and when. And its JSON, which is not read where it would take many
// times the memory of its text.

import type { IncomingMessage } from 'node:http';
import type { AnswerRoom } from '../../../async/answerRoom.ts';
import { type AnswerBody, KeptAnswer } from './keptAnswer.ts';

/** Answers up to here need no place in the room. */
export const SMALL_ANSWER_BYTES = 64 * 1024;

/** A block of the smallest transactions has some 33,000 of them. A value takes up to 60 bytes where its text takes 3. */
const MAX_JSON_VALUES = 100_000;

export interface AnswerLimits {
  readonly maxBytes: number;
  readonly room: AnswerRoom;
  /** The result is to be bytes in hexadecimal. */
  readonly wantsHex: boolean;
}

export interface AnswerHooks {
  /** The other side has shown life, or it is its turn to. */
  readonly arrived: () => void;
  /** Nobody listens to the other side for now. */
  readonly held: () => void;
  /** `length`: of what came. */
  readonly ended: (body: AnswerBody, length: number) => void;
  /** Says so before the body is read where its length is announced. */
  readonly tooLarge: () => void;
}

/** Gives back what ends the reading; to be called in every case, once the answer is of no more use. */
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
    // The request that was answered may be there for a while yet.
    kept.clear();
    leave?.();
  };
}

/** Undefined when it is none. */
export function parseObject(body: Buffer): Record<string, unknown> | undefined {
  if (hasTooManyValues(body)) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A comma or an opening bracket stands before each value but the first. */
const BEFORE_VALUES = [...',[{'].map((mark) => mark.charCodeAt(0));

function hasTooManyValues(body: Buffer): boolean {
  let values = 0;
  for (const mark of BEFORE_VALUES) {
    for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1)) {
      if (++values > MAX_JSON_VALUES) return true;
    }
  }
  return false;
}
