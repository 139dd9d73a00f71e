// Input that is too long for a command line, from a file: raw bytes, the same in base64, or the text of numbered QR
// codes. "-" is standard input.

import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { CompanionError } from '../protocol/errors.ts';
import { isFrames, joinFrames } from '../qr/qrFrames.ts';

/** Far more than any operation accepts, so that a mistaken path (a disk, a log) is not read whole. */
const MAX_FILE_BYTES = 1 << 22;
const STANDARD_INPUT = '-';
const PCZT = Buffer.from('PCZT');

/** Returns the file in base64. The text of an error contains nothing of the file. */
export async function readInputFile(path: string, field: string, stdin: Readable): Promise<string> {
  const bytes = path === STANDARD_INPUT ? await readStream(stdin, field) : await readFile(path, field);
  const isBinary = bytes.subarray(0, PCZT.length).equals(PCZT);
  if (isBinary) return bytes.toString('base64');
  const text = bytes.toString('latin1');
  return isFrames(text) ? framesIn(text, field) : text.replaceAll(/\s/g, '');
}

/** The QR codes that a scanner has read, one on each line. */
function framesIn(text: string, field: string): string {
  try {
    return joinFrames(text.split('\n'));
  } catch (thrown) {
    throw unreadable(field, `has QR codes that make no whole: ${(thrown as RangeError).message}`);
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
