// What the memory of another process holds, byte for byte: freed blocks and garbage included, which no heap snapshot
// shows. Linux alone lets a parent read it.

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

export const canReadMemory = process.platform === 'linux';

/** Bytes that must not be found, by the name of the secret that they are. */
export type Needles = ReadonlyMap<string, readonly Buffer[]>;

interface Region {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

const PIECE_BYTES = 2 ** 20;
const PAGE_BYTES = 4_096;
/** In the last of a page's eight bytes in `pagemap`: the page is in memory, or swapped out. */
const IS_THERE = 0xc0;
/** glibc gives threads heaps of their own at multiples of this. */
const ARENA_BYTES = 64 * 2 ** 20;
const MAP_LINE = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ (\d+)\s*(.*)$/;

function regionsOf(pid: number): Region[] {
  const regions: Region[] = [];
  let arenaEnd = 0;
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, from = '', to = '', access = '', inode = '0', name = ''] = MAP_LINE.exec(line) ?? [];
    const start = Number.parseInt(from, 16);
    const end = Number.parseInt(to, 16);
    if (!access.startsWith('rw')) continue;
    if (inode === '0' && name === '' && start % ARENA_BYTES === 0) arenaEnd = start + ARENA_BYTES;
    const isArena = start < arenaEnd;
    regions.push({ start, end, kind: name.startsWith('[') ? name : isArena ? 'arena' : 'mapped' });
  }
  return regions;
}

const lengthsOf = (needles: Needles): number[] => [...needles.values()].flat().map(({ length }) => length);

/** How often each secret is there, `name in kind of memory` by count; what is not there is left out. */
export function findInMemory(pid: number, needles: Needles): Map<string, number> {
  const found = new Map<string, number>();
  const overlap = Math.max(...lengthsOf(needles)) - 1;
  const parts = partsOf(needles);
  const piece = Buffer.alloc(PIECE_BYTES + overlap);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const pages = openSync(`/proc/${pid}/pagemap`, 'r');
  try {
    for (const { start, end, kind } of regionsOf(pid)) {
      for (let from = start; from < end; from += PIECE_BYTES) {
        if (!isTouched(pages, from)) continue;
        const wanted = Math.min(piece.length, end - from);
        const bytes = piece.subarray(0, readAt(memory, piece, wanted, from));
        for (const name of occurrences(bytes, parts)) {
          const where = `${name} in ${kind}`;
          found.set(where, (found.get(where) ?? 0) + 1);
        }
      }
    }
  } finally {
    closeSync(memory);
    closeSync(pages);
  }
  return found;
}

/** Most of what an engine has mapped it has never written to. */
function isTouched(pages: number, from: number): boolean {
  const entries = Buffer.alloc((PIECE_BYTES / PAGE_BYTES) * 8);
  const length = readAt(pages, entries, entries.length, (from / PAGE_BYTES) * 8);
  for (let at = 7; at < length; at += 8) if ((entries[at]! & IS_THERE) !== 0) return true;
  return false;
}

/** A region that went away meanwhile, or is the kernel's, holds nothing. */
function readAt(memory: number, into: Buffer, length: number, position: number): number {
  try {
    return readSync(memory, into, 0, length, position);
  } catch {
    return 0;
  }
}

/** Four bytes of a needle. */
interface Part {
  readonly name: string;
  readonly needle: Buffer;
  readonly offset: number;
}

interface Parts {
  /** Of so many bytes in a row, one begins a part of each needle that lies over them. */
  readonly step: number;
  readonly byBytes: ReadonlyMap<number, readonly Part[]>;
  /** Not 0 where a part has this hash: most places need no more than this look. */
  readonly hashes: Uint8Array;
}

const PART_BYTES = 4;
const hashOf = (part: number): number => Math.imul(part, 0x9e3779b1) >>> 12;

/** So that one pass over a few of the bytes finds all needles: a search for each takes half a minute. */
function partsOf(needles: Needles): Parts {
  const step = Math.min(...lengthsOf(needles)) - PART_BYTES + 1;
  const byBytes = new Map<number, Part[]>();
  const hashes = new Uint8Array(2 ** 20);
  for (const [name, forms] of needles) {
    for (const needle of forms) {
      for (let offset = 0; offset < step; offset++) {
        const part = needle.readInt32LE(offset);
        const others = byBytes.get(part);
        if (others === undefined) byBytes.set(part, [{ name, needle, offset }]);
        else others.push({ name, needle, offset });
        hashes[hashOf(part)] = 1;
      }
    }
  }
  return { step, byBytes, hashes };
}

/** Those that begin in the overlap are the next piece's, except in the last one: counted twice, never missed. */
function occurrences(bytes: Buffer, { step, byBytes, hashes }: Parts): string[] {
  const found: string[] = [];
  for (let at = 0; at + PART_BYTES <= bytes.length; at += step) {
    const part = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    if (hashes[hashOf(part)] === 0) continue;
    for (const { name, needle, offset } of byBytes.get(part) ?? []) {
      const start = at - offset;
      if (start >= 0 && bytes.subarray(start, start + needle.length).equals(needle)) found.push(name);
    }
  }
  return found;
}
