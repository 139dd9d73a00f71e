// What hostile hands do to the bytes of a PCZT, and what must come of it: it is refused as such, or read and written back
// byte for byte.
import { bytesToHex, concatBytes, equalBytes, type FormatError } from '@wallet-companion/base/bytes';
import { type DecodedPczt, decodePczt, encodePczt, oldestEncoding } from '../../src/pczt/codec.ts';
import { PcztRefusal } from '../../src/pczt/refusal.ts';

/** Long numbers, lengths and tags that could mislead a reader. */
export const NASTY: readonly (readonly number[])[] = [
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
  [0x80, 0x00],
  [0x00],
  [0x01],
  [0x02],
  [0xc4, 0x04],
  Array.from({ length: 32 }, () => 0xff),
  Array.from({ length: 32 }, () => 0),
];

export const MILLION = 1_000_000;

/** Positions are millionths, so that one mutation suits every stage. */
export type Mutation = { readonly at: number } & (
  | { readonly do: 'flip'; readonly bit: number }
  | { readonly do: 'insert' | 'overwrite'; readonly nasty: number }
  | { readonly do: 'remove'; readonly count: number }
  | { readonly do: 'end' }
  | { readonly do: 'repeat'; readonly from: number; readonly count: number }
);

const splice = (bytes: Uint8Array, at: number, gone: number, put: Uint8Array): Uint8Array =>
  concatBytes(bytes.subarray(0, at), put, bytes.subarray(at + gone));

function mutate(bytes: Uint8Array, mutation: Mutation): Uint8Array {
  const indexOf = (millionths: number): number => Math.floor((millionths * bytes.length) / MILLION);
  const at = indexOf(mutation.at);
  switch (mutation.do) {
    case 'flip':
      return splice(bytes, at, 1, Uint8Array.of((bytes[at] ?? 0) ^ (1 << mutation.bit)));
    case 'insert':
    case 'overwrite': {
      const put = Uint8Array.from(NASTY[mutation.nasty]!);
      return splice(bytes, at, mutation.do === 'insert' ? 0 : put.length, put);
    }
    case 'remove':
      return splice(bytes, at, mutation.count, new Uint8Array(0));
    case 'end':
      return bytes.slice(0, at);
    case 'repeat': {
      const start = indexOf(mutation.from);
      return splice(bytes, at, 0, bytes.slice(start, start + mutation.count));
    }
  }
}

export const mutated = (bytes: Uint8Array, mutations: readonly Mutation[]): Uint8Array =>
  mutations.reduce(mutate, bytes);

/** Undefined where it is refused as it should be. */
export function tryTo<T>(
  act: () => T,
  refused: typeof FormatError | typeof PcztRefusal = PcztRefusal,
): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof refused)) throw error;
    if (error.message === '' || /undefined|NaN|\[object/.test(error.message)) throw error;
    return undefined;
  }
}

/** What was read of bytes that were tampered with; fails where it would be written in another way. */
export function readTampered(hostile: Uint8Array, original: Uint8Array): DecodedPczt | undefined {
  const decoded = tryTo(() => decodePczt(hostile));
  if (decoded === undefined) return undefined;
  const again = encodePczt(decoded.pczt, decoded.encoding);
  if (!equalBytes(again, hostile))
    throw new Error(`${bytesToHex(hostile)} was read, and written as ${bytesToHex(again)}`);
  if (!equalBytes(hostile, original)) tryTo(() => encodePczt(decoded.pczt, oldestEncoding(decoded.pczt)));
  return decoded;
}
