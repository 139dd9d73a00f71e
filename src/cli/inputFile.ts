// Input that is too long for a command line, from a file: bytes or text as they are, the same in base64, or a device's QR
// codes, as text, as a picture or as a folder of pictures, as a video is taken apart into. "-" is standard input.

import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Ur } from '@wallet-companion/devices/ur';
import { badField, CompanionError } from '../protocol/errors.ts';

/** Far more than any operation accepts, and enough for a photograph; a mistaken path (a disk, a log) is not read whole. */
const MAX_FILE_BYTES = 1 << 24;
const STANDARD_INPUT = '-';
/** Five minutes of a video at ten pictures a second. */
const MAX_PICTURES = 3_000;
/** Of many pictures those that are hard to read are passed over. */
const PICTURE_OF_MANY_MS = 300;
/** The byte order mark in UTF-8, which Windows' editors write. */
const MARK = /^\xef\xbb\xbf/;
/** A PCZT and the answer to a batch begin with their names, JSON has braces, base64 neither. */
const AS_IT_IS = /^PCZ[TS]|\{/;
const CODES = /^\s*ur:/i;

/** Returns the file in base64. The text of an error contains nothing of the file. */
export async function readInputFile(file: string, field: string, stdin: Readable): Promise<string> {
  const bytes = await readFileOrInput(file, field, stdin);
  const text = await textOf(bytes, field);
  if (CODES.test(text)) {
    const { batchResultOf, pcztOf } = await import('@wallet-companion/devices/ur');
    const read = field === 'answer' ? (message: Ur) => batchResultOf(message).data : pcztOf;
    return Buffer.from(await readCodes(text, field, read)).toString('base64');
  }
  return AS_IT_IS.test(text) ? bytes.toString('base64') : text.replaceAll(/\s/g, '');
}

/**
 * The text of moving QR codes as a scanner writes them down: one on each line, in any order. Returns what `read` makes of
 * their message.
 */
export async function readCodes<T>(text: string, field: string, read: (message: Ur) => T): Promise<T> {
  const { UrError, UrReader } = await import('@wallet-companion/devices/ur');
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

/** The text of QR codes in files: as it is, or read from pictures. */
export async function readCodeFiles(
  files: readonly string[],
  field: string,
  stdin: Readable,
): Promise<string> {
  const texts: string[] = [];
  for (const file of files) texts.push(await textOf(await readFileOrInput(file, field, stdin), field));
  return texts.join('\n');
}

/** Each code once. Pictures between two codes have none that can be read. */
async function readPictures(folder: string, field: string): Promise<Buffer> {
  const { isPicture, readQrPicture } = await import('./picture.ts');
  const names = (await readdir(folder)).sort();
  if (names.length > MAX_PICTURES)
    throw unreadable(field, `has more than ${MAX_PICTURES} files`, { kind: 'folder' });
  const texts = new Set<string>();
  for (const name of names) {
    const file = path.join(folder, name);
    const about = await stat(file);
    if (!about.isFile() || about.size > MAX_FILE_BYTES) continue;
    const bytes = await readFile(file, field);
    const text = isPicture(bytes) ? await readQrPicture(bytes, PICTURE_OF_MANY_MS) : undefined;
    if (text !== undefined) texts.add(text);
  }
  if (texts.size === 0)
    throw unreadable(field, 'has no picture in which a QR code can be read', { kind: 'folder' });
  return Buffer.from([...texts].join('\n'), 'latin1');
}

async function textOf(bytes: Buffer, field: string): Promise<string> {
  const { isPicture, readQrPicture } = await import('./picture.ts');
  if (!isPicture(bytes)) return bytes.toString('latin1').replace(MARK, '');
  const text = await readQrPicture(bytes);
  if (text === undefined) throw unreadable(field, 'is a picture in which no QR code can be read');
  return text;
}

const readFileOrInput = (file: string, field: string, stdin: Readable): Promise<Buffer> =>
  file === STANDARD_INPUT ? readStream(stdin, field) : readFile(file, field);

async function readFile(given: string, field: string): Promise<Buffer> {
  try {
    const file = await open(given);
    try {
      if ((await file.stat()).isDirectory()) return await readPictures(given, field);
      return await readStream(file.createReadStream({ autoClose: false }), field);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CompanionError) throw cause;
    throw unreadable(field, 'cannot be read', { cause });
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

const unreadable = (
  field: string,
  what: string,
  { kind = 'file', cause }: { readonly kind?: string; readonly cause?: unknown } = {},
): CompanionError =>
  badField(
    field,
    `is of a ${kind} that ${what}`,
    `The ${kind} of ${field} ${what}.`,
    'INVALID_REQUEST',
    cause,
  );
