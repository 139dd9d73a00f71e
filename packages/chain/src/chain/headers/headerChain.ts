// The chain of most work from a trusted start on. Headers come from anybody: what is taken was worked for.

import { bytesToHex, equalBytes, leBytesToBigint } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { ParsedHeader } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import {
  expectedBits,
  headersBefore,
  isTimely,
  type PacedHeader,
  targetOf,
  type WorkRules,
  workOf,
} from '@wallet-companion/zcash/work';
import { type HeaderRow, HeaderRows } from './headerRows.ts';

/** Blocks below the tip at which another branch may begin: no node leaves a deeper one. */
export const DEEPEST_FORK = 1_000;

/** Headers of branches with less work that are kept. */
const MOST_ASIDE = 4_000;

/** A header may be this many seconds ahead of the clock. */
const MOST_AHEAD = 2 * 3_600;

const LEAST_VERSION = 4;

/** Of a header, up to its nonce: what its solution solves. */
const SOLVED_BYTES = 140;

/** Hashes one after the other before their gaps double. */
const SINGLE_STEPS = 10;

export type HeaderFault =
  /** The header before it is not known. */
  | 'unlinked'
  /** It begins a branch below what any node leaves. */
  | 'deep'
  | 'version'
  /** Its target is not the one that the headers before it give. */
  | 'target'
  /** It is earlier than those before it allow, or later. */
  | 'time'
  /** Its hash is above its target. */
  | 'hash'
  /** Its solution solves nothing. */
  | 'solution'
  /** Another block is known to stand at its height. */
  | 'checkpoint';

export type HeadersTaken = {
  /** How many were not known before. */
  readonly fresh: number;
  /** The lowest height at which the best chain is another now, where it is. */
  readonly changedFrom?: Height;
} & (
  | { readonly kind: 'taken' }
  /** Those before this one were taken; it is ahead of the clock, which may be wrong. */
  | { readonly kind: 'early'; readonly at: number }
  /** Those before this one were taken; an honest peer does not send it. */
  | { readonly kind: 'refused'; readonly at: number; readonly why: HeaderFault }
);

export interface HeaderChainStart {
  /** Of the first header. */
  readonly height: Height;
  /**
   * Oldest first, at least one; as many as the work of the next depends on, or all from genesis. `work`: where they were
   * judged before.
   */
  readonly headers: readonly (PacedHeader & { readonly hash: BlockHash; readonly work?: bigint })[];
  /** No branch begins below it; default: the last of them. */
  readonly trusted?: Height;
}

export interface HeaderChainParts {
  readonly rules: WorkRules;
  readonly start: HeaderChainStart;
  /** Hashes that the chain must have above its start. */
  readonly checkpoints?: ReadonlyMap<Height, BlockHash>;
  /** Whether the bytes of a header up to its nonce are solved by a solution. */
  solves(input: Uint8Array, solution: Uint8Array): boolean;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A header on another branch. */
interface AsideRow extends HeaderRow {
  readonly height: Height;
  readonly before: BlockHash;
  /** Where its branch leaves the best chain. Kept, because the way down to it may be long. */
  fork: Height;
}

export class HeaderChain {
  readonly #parts: HeaderChainParts;
  readonly #rows: HeaderRows;
  /** No branch begins below it. */
  readonly trusted: Height;
  readonly #aside = new Map<string, AsideRow>();

  constructor(parts: HeaderChainParts) {
    const { height, headers, trusted = height + headers.length - 1 } = parts.start;
    this.#parts = parts;
    this.#rows = new HeaderRows(height);
    this.trusted = trusted;
    for (const header of headers) this.#rows.append({ ...header, work: header.work ?? 0n });
  }

  get tip(): HeaderRow & { readonly height: Height } {
    return { height: this.#rows.tip, ...this.#rows.row(this.#rows.tip) };
  }

  /** The hash at a height of the best chain; undefined above its tip and below its start. */
  hashAt(height: Height): BlockHash | undefined {
    return this.#rows.has(height) ? (this.#rows.hash(height).slice() as BlockHash) : undefined;
  }

  /** The first height that is known. */
  get start(): Height {
    return this.#rows.start;
  }

  /** Seconds since 1970; undefined where there is no such header. */
  timeAt(height: Height): number | undefined {
    return this.#rows.has(height) ? this.#rows.paced(height).time : undefined;
  }

  /** The best chain from a height on that it has. */
  *rowsFrom(height: Height): Generator<HeaderRow, void, void> {
    for (let at = height; at <= this.#rows.tip; at++) yield this.#rows.row(at);
  }

  /** Whether a block is on a chain of most work, of which there may be two for a moment. Undefined where nobody showed its height. */
  isOnBest(height: Height, hash: BlockHash): boolean | undefined {
    if (!this.#rows.has(height)) return undefined;
    if (equalBytes(this.#rows.hash(height), hash)) return true;
    const other = this.#aside.get(bytesToHex(hash));
    return other !== undefined && other.work >= this.#rows.work(this.#rows.tip);
  }

  /**
   * Hashes of the best chain, newest first, the trusted one last: at most some 40, from which a peer finds the fork. They begin
   * below the tip, so that a peer that has the tip shows it. `shown`: a block that it has shown, which is among them.
   */
  locator(shown?: BlockHash): BlockHash[] {
    const heights: Height[] = [];
    let gap = 1;
    for (let height = this.#rows.tip - 1; height > this.trusted; height -= gap) {
      heights.push(height);
      if (heights.length >= SINGLE_STEPS) gap *= 2;
    }
    heights.push(this.trusted);
    const at = shown && this.#rows.heightOf(shown);
    if (at !== undefined) heights.push(at);
    const hashes = heights.sort((a, b) => b - a).map((height) => this.hashAt(height)!);
    // A branch goes on where it was left.
    return shown === undefined || at !== undefined ? hashes : [shown, ...hashes];
  }

  /** Headers as one answer of a peer has them, with the bytes of each: each follows one that is known, or one of them. */
  take(headers: readonly { readonly header: ParsedHeader; readonly bytes: Uint8Array }[]): HeadersTaken {
    let fresh = 0;
    let changedFrom: Height | undefined;
    const end = () => ({ fresh, ...(changedFrom !== undefined && { changedFrom }) });
    for (const [at, { header, bytes }] of headers.entries()) {
      if (this.#isKnown(header.hash)) continue;
      const judged = this.#judge(header, bytes);
      if (judged === 'early') return { kind: 'early', at, ...end() };
      if (typeof judged === 'string') return { kind: 'refused', at, why: judged, ...end() };
      fresh++;
      const changed = this.#add(judged);
      if (changed !== undefined) changedFrom = Math.min(changedFrom ?? changed, changed);
    }
    return { kind: 'taken', ...end() };
  }

  #isKnown(hash: BlockHash): boolean {
    return this.#aside.has(bytesToHex(hash)) || this.#rows.heightOf(hash) !== undefined;
  }

  /** What costs least comes first: for a forged header its sender has worked before we hash more than it. */
  #judge(header: ParsedHeader, bytes: Uint8Array): AsideRow | HeaderFault | 'early' {
    const { rules, solves, now, checkpoints } = this.#parts;
    const { bits, time, hash, prevHash } = header;
    const parent = this.#aside.get(bytesToHex(prevHash));
    const fork = parent?.fork ?? this.#rows.heightOf(prevHash);
    if (fork === undefined) return 'unlinked';
    if (fork < this.#rows.tip - DEEPEST_FORK || fork < this.trusted) return 'deep';
    const height = (parent?.height ?? fork) + 1;
    const expected = checkpoints?.get(height);
    if (expected !== undefined && !equalBytes(expected, hash)) return 'checkpoint';
    if (header.version < LEAST_VERSION) return 'version';
    const before = this.#before(parent, fork, headersBefore(rules, height));
    if (bits !== expectedBits(rules, height, time, before)) return 'target';
    if (!isTimely(rules, height, time, before)) return 'time';
    const target = targetOf(bits)!;
    if (rules.equihash !== null) {
      if (leBytesToBigint(hash) > target) return 'hash';
      if (!solves(bytes.subarray(0, SOLVED_BYTES), header.solution)) return 'solution';
    }
    if (time > now() / 1_000 + MOST_AHEAD) return 'early';
    const work = (parent?.work ?? this.#rows.work(fork)) + workOf(target);
    return { height, hash, before: prevHash, bits, time, work, fork };
  }

  /** The newest headers of a branch and of the best chain below it. */
  #before(newest: AsideRow | undefined, fork: Height, count: number): PacedHeader[] {
    const headers: PacedHeader[] = this.#branch(newest, count);
    for (let height = fork; headers.length < count && this.#rows.has(height); height--)
      headers.push(this.#rows.paced(height));
    return headers;
  }

  /** At most `most` headers of a branch, from its newest down. */
  #branch(newest: AsideRow | undefined, most = Number.POSITIVE_INFINITY): AsideRow[] {
    const rows: AsideRow[] = [];
    for (let row = newest; row !== undefined && rows.length < most; ) {
      rows.push(row);
      row = this.#aside.get(bytesToHex(row.before));
    }
    return rows;
  }

  /** Returns the height from which on the best chain is another now, where it is. Of equal work the first stays. */
  #add(row: AsideRow): Height | undefined {
    const rows = this.#rows;
    const { fork } = row;
    if (row.work <= rows.work(rows.tip)) {
      this.#aside.set(bytesToHex(row.hash), row);
      if (this.#aside.size > MOST_ASIDE + MOST_ASIDE / 4) this.#forgetLeast();
      return undefined;
    }
    if (fork === rows.tip) {
      rows.append(row);
      return fork + 1;
    }
    const branch = this.#branch(row);
    const displaced = Array.from({ length: rows.tip - fork }, (_, i) => ({
      height: fork + 1 + i,
      before: rows.row(fork + i).hash,
      fork,
      ...rows.row(fork + 1 + i),
    }));
    rows.truncate(fork);
    for (const one of branch.reverse()) {
      rows.append(one);
      this.#aside.delete(bytesToHex(one.hash));
    }
    for (const one of displaced) this.#aside.set(bytesToHex(one.hash), one);
    this.#settle();
    return fork + 1;
  }

  /** Finds the forks of all branches anew, and forgets those that lead nowhere or are too deep. */
  #settle(): void {
    const rows = [...this.#aside.values()].sort((a, b) => a.height - b.height);
    for (const row of rows) {
      const fork = this.#aside.get(bytesToHex(row.before))?.fork ?? this.#rows.heightOf(row.before);
      if (fork === undefined || row.height < this.#rows.tip - DEEPEST_FORK)
        this.#aside.delete(bytesToHex(row.hash));
      else row.fork = fork;
    }
  }

  #forgetLeast(): void {
    const rows = [...this.#aside.values()].sort((a, b) => Number(a.work - b.work));
    for (const { hash } of rows.slice(0, rows.length - MOST_ASIDE)) this.#aside.delete(bytesToHex(hash));
    this.#settle();
  }
}
