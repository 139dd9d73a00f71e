// The headers that were judged, over restarts: 60 bytes each, of which each one's sum covers those before it. What a crash
// tore, and whatever stands behind it, is cut off.

import fs from 'node:fs';
import { crc32 } from 'node:zlib';
import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { asBlockHash, type BlockHash } from '@wallet-companion/zcash/identifiers';
import type { HeaderChainStart } from './headerChain.ts';
import type { HeaderRow } from './headerRows.ts';

const MAGIC = 0x5a_48_44_31;
/** MAGIC | start u32 | trusted u32 | genesis 32 | sum u32. */
const HEAD_BYTES = 48;
const GENESIS_AT = 12;
const HEAD_SUM_AT = HEAD_BYTES - 4;
/** Hash 32 | work 16 | time u32 | bits u32 | sum u32. */
const ROW_BYTES = 60;
const SUM_AT = ROW_BYTES - 4;

/** Rows: some 170 days, and how many of them stay when there are more. */
const MOST_ROWS = 600_000;
const KEPT_ROWS = 400_000;
/** The lowest rows of a shortened file, on which the work of the next ones depends. */
const LEAST_BEFORE = 1_113;

const OWNER_ONLY = 0o600;

/** What the file had when it was opened. */
export type KeptStart = HeaderChainStart & {
  readonly headers: readonly HeaderRow[];
  readonly trusted: Height;
};

export class HeaderFile {
  readonly #handle: number;
  readonly #genesis: BlockHash;
  #start = 0;

  /** Throws errors of the file system. */
  constructor(path: string, genesis: BlockHash) {
    this.#handle = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, OWNER_ONLY);
    this.#genesis = genesis;
  }

  /** What is whole of it; undefined where nothing is, or it is of another chain. `most` and `kept`: of rows. */
  read(most = MOST_ROWS, kept = KEPT_ROWS): KeptStart | undefined {
    const bytes = new Uint8Array(fs.readFileSync(this.#handle));
    const view = new DataView(bytes.buffer);
    if (!this.#isHead(bytes, view)) return undefined;
    this.#start = view.getUint32(4);
    const trusted = view.getUint32(8);
    const headers: HeaderRow[] = [];
    let sum = view.getUint32(HEAD_SUM_AT);
    for (let at = HEAD_BYTES; at + ROW_BYTES <= bytes.length; at += ROW_BYTES) {
      sum = crc32(bytes.subarray(at, at + SUM_AT), sum);
      if (sum !== view.getUint32(at + SUM_AT)) break;
      headers.push(rowAt(bytes, view, at));
    }
    // Without what the first work depends on, nothing can follow.
    if (this.#start + headers.length <= trusted) return undefined;
    if (headers.length > most)
      return this.#shorten(this.#start + headers.length - kept, headers.slice(-kept));
    fs.ftruncateSync(this.#handle, HEAD_BYTES + headers.length * ROW_BYTES);
    return { height: this.#start, headers, trusted };
  }

  /** Begins anew. Throws errors of the file system. */
  begin(start: Height, trusted: Height, rows: Iterable<HeaderRow>): void {
    const head = new Uint8Array(HEAD_BYTES);
    const view = new DataView(head.buffer);
    view.setUint32(0, MAGIC);
    view.setUint32(4, start);
    view.setUint32(8, trusted);
    head.set(this.#genesis, GENESIS_AT);
    view.setUint32(HEAD_SUM_AT, crc32(head.subarray(0, HEAD_SUM_AT)));
    this.#start = start;
    fs.ftruncateSync(this.#handle, 0);
    fs.writeSync(this.#handle, head, 0, HEAD_BYTES, 0);
    this.replace(start, rows);
  }

  /** Replaces all rows from a height on, up to which there are some. Throws errors of the file system. */
  replace(from: Height, rows: Iterable<HeaderRow>): void {
    const at = HEAD_BYTES + (from - this.#start) * ROW_BYTES;
    const before = new Uint8Array(4);
    fs.readSync(this.#handle, before, 0, 4, at - 4);
    let sum = new DataView(before.buffer).getUint32(0);
    const parts: Uint8Array[] = [];
    for (const row of rows) {
      const part = rowBytes(row);
      sum = crc32(part.subarray(0, SUM_AT), sum);
      new DataView(part.buffer).setUint32(SUM_AT, sum);
      parts.push(part);
    }
    fs.writevSync(this.#handle, [Buffer.concat(parts)], at);
    fs.ftruncateSync(this.#handle, at + parts.length * ROW_BYTES);
  }

  close(): void {
    fs.closeSync(this.#handle);
  }

  #isHead(bytes: Uint8Array, view: DataView): boolean {
    return (
      bytes.length >= HEAD_BYTES &&
      view.getUint32(0) === MAGIC &&
      view.getUint32(HEAD_SUM_AT) === crc32(bytes.subarray(0, HEAD_SUM_AT)) &&
      equalBytes(bytes.subarray(GENESIS_AT, HEAD_SUM_AT), this.#genesis)
    );
  }

  #shorten(height: Height, headers: readonly HeaderRow[]): KeptStart {
    const trusted = height + Math.min(LEAST_BEFORE, headers.length) - 1;
    this.begin(height, trusted, headers);
    return { height, headers, trusted };
  }
}

function rowAt(bytes: Uint8Array, view: DataView, at: number): HeaderRow {
  return {
    hash: asBlockHash(bytes.slice(at, at + 32)),
    work: (view.getBigUint64(at + 32) << 64n) | view.getBigUint64(at + 40),
    time: view.getUint32(at + 48),
    bits: view.getUint32(at + 52),
  };
}

function rowBytes({ hash, work, time, bits }: HeaderRow): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(ROW_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(hash);
  view.setBigUint64(32, work >> 64n);
  view.setBigUint64(40, work & 0xffff_ffff_ffff_ffffn);
  view.setUint32(48, time);
  view.setUint32(52, bits);
  return bytes;
}
