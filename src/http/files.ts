// Answers that are files: for an operation whose table row names files, one member is sent instead of the JSON. A
// request that accepts JSON by name gets JSON, as on every other surface.
//
// An answer in pages is sent as one file, page after page as the client reads: memory never holds the whole file.

import { Readable } from 'node:stream';
import { memberValue, stringMember } from '@wallet-companion/base/memory';
import type { Context } from 'koa';
import type { FileAnswer } from '../protocol/operation.ts';
import { type OperationName, operations } from '../protocol/operations.ts';
import { wipeWhenSent } from './bytes.ts';

/** Fetches the page after the cursor. */
export type NextPage = (cursor: string) => Promise<Uint8Array>;

/** The file form of the answer; undefined where it is sent as JSON. */
export function fileFor(context: Context, name: OperationName, answer: Uint8Array): FileAnswer | undefined {
  const { files } = operations[name].http;
  if (files === undefined || /\bapplication\/json\b/i.test(context.get('accept'))) return undefined;
  const format = textMember(answer, 'format');
  return format !== undefined && Object.hasOwn(files, format) ? files[format] : undefined;
}

/** `nextPage` is left out where the client requested one page. */
export function answerFile(
  context: Context,
  file: FileAnswer,
  answer: Uint8Array,
  nextPage?: NextPage,
): void {
  const first = contentOf(file, answer);
  const cursor = takeCursor(answer);
  context.set('vary', 'accept');
  context.set('content-disposition', `attachment; filename="${file.name}"`);
  context.set('x-content-type-options', 'nosniff');
  context.set('content-type', file.type);
  if (nextPage === undefined || cursor === undefined) {
    if (cursor !== undefined) context.set('x-next-cursor', cursor);
    context.body = first;
    wipeWhenSent(context, first);
    return;
  }
  context.body =
    context.method === 'HEAD' ? '' : Readable.from(pages(context, file, first, cursor, nextPage));
}

async function* pages(
  { res }: Context,
  file: FileAnswer,
  first: Buffer,
  cursor: string,
  nextPage: NextPage,
): AsyncGenerator<Buffer, void, void> {
  yield first;
  let next: string | undefined = cursor;
  while (next !== undefined) {
    let answer: Uint8Array;
    try {
      answer = await nextPage(next);
    } catch {
      // The wallet was locked, or the history changed. The status is sent: only a broken connection reveals a cut file.
      res.destroy();
      return;
    }
    next = textMember(answer, 'next_cursor');
    const content = contentOf(file, answer);
    answer.fill(0);
    yield content;
  }
}

function takeCursor(answer: Uint8Array): string | undefined {
  const cursor = textMember(answer, 'next_cursor');
  answer.fill(0);
  return cursor;
}

function contentOf({ member, base64 }: FileAnswer, answer: Uint8Array): Buffer {
  const { buffer, byteOffset, byteLength } = stringMember(answer, member) ?? new Uint8Array();
  const content = Buffer.from(buffer, byteOffset, byteLength);
  return base64 === true ? Buffer.from(content.toString('latin1'), 'base64') : content;
}

/** Reads a member that is not secret, as text. */
function textMember(answer: Uint8Array, name: string): string | undefined {
  const value = memberValue(answer, name);
  return typeof value === 'string' ? value : undefined;
}
