// Input that is too long for a command line, from a file: bytes or text as they are, the same in base64, or a device's QR
// codes, as text or as a picture. "-" is standard input.

import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Ur } from '@wallet-companion/ur';
import { CompanionError } from '../protocol/errors.ts';

/** Far more than any operation accepts, and enough for a photograph; a mistaken path (a disk, a log) is not read whole. */
const MAX_FILE_BYTES = 1 << 24;
const STANDARD_INPUT = '-';
/** A PCZT begins with its name, JSON has braces, base64 neither. */
const AS_IT_IS = /^PCZT|\{/;
const CODES = /^\s*ur:/i;

/** Returns the file in base64. The text of an error contains nothing of the file. */
export async function readInputFile(path: string, field: string, stdin: Readable): Promise<string> {
  const bytes = await readFileOrInput(path, field, stdin);
  const text = await textOf(bytes, field);
  if (CODES.test(text)) {
    const { pcztOf } = await import('@wallet-companion/ur');
    return Buffer.from(await readCodes(text, field, pcztOf)).toString('base64');
  }
  return AS_IT_IS.test(text) ? bytes.toString('base64') : text.replaceAll(/\s/g, '');
}

/**
 * The text of moving QR codes as a scanner writes them down: one on each line, in any order. Returns what `read` makes of
 * their message.
 */
export async function readCodes<T>(text: string, field: string, read: (message: Ur) => T): Promise<T> {
  const { UrError, UrReader } = await import('@wallet-companion/ur');
  const reader = new UrReader();
  try {
    for (const line of text.split('\n'))
      if (line.trim() !== '' && reader.receive(line) === 'other')
        throw unreadable(field, 'has QR codes of two messages: keep one');
    const { read: count, needed } = reader.progress;
    if (reader.message === undefined)
      throw unreadable(field, `has ${count} of the ${needed} QR codes that it needs: scan more of them`);
    return read(reader.message);
  } catch (thrown) {
    if (thrown instanceof UrError)
      throw unreadable(field, `has QR codes that cannot be used: ${thrown.message}`);
    throw thrown;
  }
}

/** The text of QR codes in files: as it is, or read from a picture. */
export async function readCodeFiles(
  paths: readonly string[],
  field: string,
  stdin: Readable,
): Promise<string> {
  const texts: string[] = [];
  for (const path of paths) texts.push(await textOf(await readFileOrInput(path, field, stdin), field));
  return texts.join('\n');
}

async function textOf(bytes: Buffer, field: string): Promise<string> {
  const { isPicture, readQrPicture } = await import('./picture.ts');
  if (!isPicture(bytes)) return bytes.toString('latin1');
  const text = await readQrPicture(bytes);
  if (text === undefined) throw unreadable(field, 'is a picture in which no QR code can be read');
  return text;
}

const readFileOrInput = (path: string, field: string, stdin: Readable): Promise<Buffer> =>
  path === STANDARD_INPUT ? readStream(stdin, field) : readFile(path, field);

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
