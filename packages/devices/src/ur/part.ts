// One part as text: "ur:TYPE/LETTERS" has a whole message, "ur:TYPE/NUMBER-TOTAL/LETTERS" one of many (BCR-2020-005).

import { decodeCBOR, encodeCBOR } from '@levischuck/tiny-cbor';
import { bytesOf, bytewords, crc32, UrError } from './bytewords.ts';

/** Twice of what the largest request of a device may have. */
export const MAX_MESSAGE = 1 << 20;
/** Fragments of one message: what is kept of it stays below three times its size. */
export const MAX_TOTAL = 4096;
const MAX_NUMBER = 0xffffffff;

export interface Part {
  readonly type: string;
  /** From 1, and above `total` for mixtures. */
  readonly number: number;
  readonly total: number;
  /** The message's length in bytes, and its CRC-32. */
  readonly length: number;
  readonly checksum: number;
  /** As long as every other one of the message. */
  readonly fragment: Uint8Array;
}

/** A message that needs no parts is a part of itself. */
export const wholePart = (type: string, cbor: Uint8Array): Part => ({
  type,
  number: 1,
  total: 1,
  length: cbor.length,
  checksum: crc32(cbor),
  fragment: cbor,
});

export const wholeText = (type: string, cbor: Uint8Array): string => `ur:${type}/${bytewords(cbor)}`;

export function partText({ type, number, total, length, checksum, fragment }: Part): string {
  const body = encodeCBOR([number, total, length, checksum, fragment]);
  return `ur:${type}/${number}-${total}/${bytewords(body)}`;
}

/** A type is a short name: refusals name it. */
const FORM = /^ur:(?=[^/]{1,40}\/)([a-z0-9]+(?:-[a-z0-9]+)*)\/(?:(\d{1,10})-(\d{1,10})\/)?([a-z]+)$/;
const MAX_TEXT = 2 * MAX_MESSAGE + 256;

/** Capitals are as good, and so is space around. */
export function readPart(text: string): Part {
  if (text.length > MAX_TEXT) throw new UrError('a code is too long');
  const [, type = '', number, total, letters = ''] = FORM.exec(text.trim().toLowerCase()) ?? [];
  if (letters === '') throw new UrError('a code is no uniform resource (UR)');
  const bytes = bytesOf(letters);
  if (number === undefined) return wholePart(type, bytes);
  const part = { type, ...partBody(bytes) };
  if (part.number !== Number(number) || part.total !== Number(total))
    throw new UrError('a code has two different numbers');
  return part;
}

function partBody(bytes: Uint8Array): Omit<Part, 'type'> {
  const [number, total, length, checksum, fragment, ...more] = itemsOf(bytes);
  const isPart =
    isCount(number, MAX_NUMBER) &&
    isCount(total, MAX_TOTAL) &&
    isCount(length, MAX_MESSAGE) &&
    (checksum === 0 || isCount(checksum, 0xffffffff)) &&
    fragment instanceof Uint8Array &&
    more.length === 0 &&
    Math.ceil(length / fragment.length) === total;
  if (!isPart) throw new UrError('a code is no part of a message that can be put together');
  return { number, total, length, checksum, fragment };
}

function itemsOf(bytes: Uint8Array): readonly unknown[] {
  const items = readCbor(bytes);
  return Array.isArray(items) ? items : [];
}

const isCount = (value: unknown, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most;

/** The reader is recursive: what is nested too deep ends in an error of the engine, which is an answer like any other. */
export function readCbor(bytes: Uint8Array): unknown {
  try {
    return decodeCBOR(new Uint8Array(bytes));
  } catch {
    throw new UrError('a code has content that is no CBOR');
  }
}
