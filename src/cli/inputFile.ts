// Input that is too long for a command line, from a file: bytes or text as they are, the same in base64, or the text of a
// device's moving QR codes. "-" is standard input.

import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { CompanionError } from '../protocol/errors.ts';

/** Far more than any operation accepts, so that a mistaken path (a disk, a log) is not read whole. */
const MAX_FILE_BYTES = 1 << 22;
const STANDARD_INPUT = '-';
/** A PCZT begins with its name, JSON has braces, base64 neither. */
const AS_IT_IS = /^PCZT|\{/;
const CODES = /^\s*ur:/i;

/** Returns the file in base64. The text of an error contains nothing of the file. */
export async function readInputFile(path: string, field: string, stdin: Readable): Promise<string> {
  const bytes = path === STANDARD_INPUT ? await readStream(stdin, field) : await readFile(path, field);
  const text = bytes.toString('latin1');
  if (CODES.test(text)) return pcztIn(text, field);
  return AS_IT_IS.test(text) ? bytes.toString('base64') : text.replaceAll(/\s/g, '');
}

/** The QR codes that a scanner has read, one on each line. */
async function pcztIn(text: string, field: string): Promise<string> {
  const { pcztOf, UrError, UrReader } = await import('@wallet-companion/ur');
  const reader = new UrReader();
  try {
    for (const line of text.split('\n'))
      if (line.trim() !== '' && reader.receive(line) === 'other')
        throw unreadable(field, 'has QR codes of two messages: keep one');
    const { read, needed } = reader.progress;
    if (reader.message === undefined)
      throw unreadable(field, `has ${read} of the ${needed} QR codes that it needs: scan more of them`);
    return Buffer.from(pcztOf(reader.message)).toString('base64');
  } catch (thrown) {
    if (thrown instanceof UrError)
      throw unreadable(field, `has QR codes that cannot be used: ${thrown.message}`);
    throw thrown;
  }
}

async function readFile(path: string, field: string): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      return await readStream(file.createReadStream({ autoClose: false }), field);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CompanionError) throw cause;
    throw unreadable(field, 'cannot be read', cause);
  }
}

async function readStream(stream: Readable, field: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    pieces.push(Buffer.from(piece as Uint8Array));
    length += pieces.at(-1)!.length;
    if (length > MAX_FILE_BYTES) throw unreadable(field, 'is too large');
  }
  return Buffer.concat(pieces);
}

const unreadable = (field: string, what: string, cause?: unknown): CompanionError =>
  new CompanionError('INVALID_REQUEST', `The file of ${field} ${what}.`, {
    errors: [{ path: field, message: `is of a file that ${what}` }],
    ...(cause === undefined ? {} : { cause }),
  });
