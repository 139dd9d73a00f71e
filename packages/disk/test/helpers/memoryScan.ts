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

const needlesLength = (needles: Needles): number =>
  Math.max(...[...needles.values()].flat().map((needle) => needle.length));

/** How often each secret is there, `name in kind of memory` by count; what is not there is left out. */
export function findInMemory(pid: number, needles: Needles): Map<string, number> {
  const found = new Map<string, number>();
  const overlap = needlesLength(needles) - 1;
  const piece = Buffer.alloc(PIECE_BYTES + overlap);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const pages = openSync(`/proc/${pid}/pagemap`, 'r');
  try {
    for (const { start, end, kind } of regionsOf(pid)) {
      for (let from = start; from < end; from += PIECE_BYTES) {
        if (!isTouched(pages, from)) continue;
        const wanted = Math.min(piece.length, end - from);
        const bytes = piece.subarray(0, readAt(memory, piece, wanted, from));
        for (const [name, forms] of needles) {
          const count = forms.reduce((sum, form) => sum + occurrences(bytes, form), 0);
          if (count > 0) found.set(`${name} in ${kind}`, (found.get(`${name} in ${kind}`) ?? 0) + count);
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

/** Those that begin in the overlap are the next piece's, except in the last one: counted twice, never missed. */
function occurrences(bytes: Buffer, needle: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1)) count += 1;
  return count;
}
