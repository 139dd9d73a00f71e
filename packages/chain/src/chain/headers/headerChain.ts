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
  /** The trusted ones, oldest first, at least one; as many as the work of the next depends on, or all from genesis. */
  readonly headers: readonly (PacedHeader & { readonly hash: BlockHash })[];
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
}

/** Where a branch leaves the best chain, and its headers above that, the newest first. */
interface Branch {
  readonly fork: Height;
  readonly above: readonly AsideRow[];
}

export class HeaderChain {
  readonly #parts: HeaderChainParts;
  readonly #rows: HeaderRows;
  /** The newest trusted header. */
  readonly #trusted: Height;
  readonly #aside = new Map<string, AsideRow>();

  constructor(parts: HeaderChainParts) {
    const { height, headers } = parts.start;
    this.#parts = parts;
    this.#rows = new HeaderRows(height);
    this.#trusted = height + headers.length - 1;
    for (const header of headers) this.#rows.append({ ...header, work: 0n });
  }

  get tip(): HeaderRow & { readonly height: Height } {
    return { height: this.#rows.tip, ...this.#rows.row(this.#rows.tip) };
  }

  /** The hash at a height of the best chain; undefined above its tip and below its start. */
  hashAt(height: Height): BlockHash | undefined {
    return this.#rows.has(height) ? (this.#rows.hash(height).slice() as BlockHash) : undefined;
  }

  /**
   * Hashes of the best chain, newest first, the trusted one last: at most some 40, from which a peer finds the fork. They begin
   * below the tip, so that a peer that has the tip shows it.
   */
  locator(): BlockHash[] {
    const hashes: BlockHash[] = [];
    let gap = 1;
    for (let height = this.#rows.tip - 1; height > this.#trusted; height -= gap) {
      hashes.push(this.hashAt(height)!);
      if (hashes.length >= SINGLE_STEPS) gap *= 2;
    }
    return [...hashes, this.hashAt(this.#trusted)!];
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
      const changed = this.#add(judged.row, judged.branch);
      if (changed !== undefined) changedFrom = Math.min(changedFrom ?? changed, changed);
    }
    return { kind: 'taken', ...end() };
  }

  #isKnown(hash: BlockHash): boolean {
    return this.#aside.has(bytesToHex(hash)) || this.#rows.heightOf(hash) !== undefined;
  }

  /** What costs least comes first: for a forged header its sender has worked before we hash more than it. */
  #judge(
    header: ParsedHeader,
    bytes: Uint8Array,
  ): { readonly row: AsideRow; readonly branch: Branch } | HeaderFault | 'early' {
    const { rules, solves, now, checkpoints } = this.#parts;
    const { bits, time, hash, prevHash } = header;
    const branch = this.#branch(prevHash);
    if (branch === undefined) return 'unlinked';
    const { fork, above } = branch;
    if (fork < this.#rows.tip - DEEPEST_FORK || fork < this.#trusted) return 'deep';
    const height = fork + above.length + 1;
    const expected = checkpoints?.get(height);
    if (expected !== undefined && !equalBytes(expected, hash)) return 'checkpoint';
    if (header.version < LEAST_VERSION) return 'version';
    const before = this.#before(branch, headersBefore(rules, height));
    if (bits !== expectedBits(rules, height, time, before)) return 'target';
    if (!isTimely(rules, height, time, before)) return 'time';
    const target = targetOf(bits)!;
    if (rules.equihash !== null) {
      if (leBytesToBigint(hash) > target) return 'hash';
      if (!solves(bytes.subarray(0, SOLVED_BYTES), header.solution)) return 'solution';
    }
    if (time > now() / 1_000 + MOST_AHEAD) return 'early';
    const work = (above[0]?.work ?? this.#rows.work(fork)) + workOf(target);
    return { row: { height, hash, before: prevHash, bits, time, work }, branch };
  }

  /** The branch that ends in a header; undefined where that is not known, or one below it was forgotten. */
  #branch(newest: BlockHash): Branch | undefined {
    const above: AsideRow[] = [];
    let hash = newest;
    for (let row = this.#aside.get(bytesToHex(hash)); row !== undefined; ) {
      above.push(row);
      hash = row.before;
      row = this.#aside.get(bytesToHex(hash));
    }
    const fork = this.#rows.heightOf(hash);
    return fork === undefined ? undefined : { fork, above };
  }

  /** The newest headers of a branch and of the best chain below it. */
  #before({ fork, above }: Branch, count: number): PacedHeader[] {
    const headers: PacedHeader[] = above.slice(0, count);
    for (let height = fork; headers.length < count && this.#rows.has(height); height--)
      headers.push(this.#rows.paced(height));
    return headers;
  }

  /** Returns the height from which on the best chain is another now, where it is. Of equal work the first stays. */
  #add(row: AsideRow, { fork, above }: Branch): Height | undefined {
    const rows = this.#rows;
    if (row.work <= rows.work(rows.tip)) {
      this.#setAside(row);
      return undefined;
    }
    const displaced = Array.from({ length: rows.tip - fork }, (_, i) => ({
      height: fork + 1 + i,
      before: rows.row(fork + i).hash,
      ...rows.row(fork + 1 + i),
    }));
    rows.truncate(fork);
    for (const one of above.toReversed()) {
      rows.append(one);
      this.#aside.delete(bytesToHex(one.hash));
    }
    rows.append(row);
    for (const one of displaced) this.#setAside(one);
    for (const [key, { height }] of this.#aside)
      if (height < rows.tip - DEEPEST_FORK) this.#aside.delete(key);
    return fork + 1;
  }

  #setAside(row: AsideRow): void {
    this.#aside.set(bytesToHex(row.hash), row);
    if (this.#aside.size <= MOST_ASIDE) return;
    const [least] = [...this.#aside].reduce((a, b) => (b[1].work < a[1].work ? b : a));
    this.#aside.delete(least);
  }
}
