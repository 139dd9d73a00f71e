// What a block's header commits to beside its txids: the chain of its upgrade before it, with the roots of its note commitment
// trees (ZIP 221), and the signatures and proofs of its transactions (ZIP 244).

import {
  asciiBytes,
  bigintToLeBytes,
  concatBytes,
  encodeCompactSize,
  equalBytes,
  u32ToLeBytes,
} from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { ParsedHeader } from '../encoding/header.ts';
import { blake2b256 } from '../hashes/blake2.ts';
import { type ActivationHeights, branchIdAt, isActive } from '../network.ts';
import { type PerPool, POOL, POOLS, type Pool } from '../pools.ts';
import { targetOf, workOf } from './target.ts';

const AUTH_DATA = asciiBytes('ZcashAuthDatHash');
const BLOCK_COMMITMENT = asciiBytes('ZcashBlockCommit');
const HISTORY = asciiBytes('ZcashHistory');
const NONE = new Uint8Array(32);

/** The root over the `authDigest`s of a block's transactions, in order; at least one. Zeros fill up to a power of two. */
export function authDataRoot(digests: readonly Uint8Array[]): Uint8Array {
  const leaves = 2 ** Math.ceil(Math.log2(digests.length));
  let row = [...digests, ...new Array<Uint8Array>(leaves - digests.length).fill(NONE)];
  while (row.length > 1) {
    const below = row;
    row = Array.from({ length: below.length / 2 }, (_, i) =>
      blake2b256(AUTH_DATA, [below[2 * i]!, below[2 * i + 1]!]),
    );
  }
  return row[0]!;
}

/** A block as the history of its upgrade has it. */
export interface HistoryBlock {
  readonly height: Height;
  readonly header: Pick<ParsedHeader, 'hash' | 'time' | 'bits'>;
  /** Of the note commitment trees after the block, as on the wire. */
  readonly roots: PerPool<Uint8Array>;
  /** How many of its transactions have parts in each pool. */
  readonly transactions: PerPool<number>;
}

interface Span<T> {
  readonly first: T;
  readonly last: T;
}

/** A leaf, or what two nodes have together. */
interface Node {
  readonly leaves: number;
  readonly commitment: Uint8Array;
  readonly time: Span<number>;
  readonly bits: Span<number>;
  readonly work: bigint;
  readonly height: Span<Height>;
  readonly pools: readonly (Span<Uint8Array> & { readonly transactions: number })[];
}

/** The blocks of one upgrade after another: a Merkle mountain range for each. */
export class HistoryTree {
  readonly #activation: ActivationHeights;
  #branchId: number | undefined;
  #pools: readonly Pool[] = [];
  /** Of ever fewer leaves, each a power of two. */
  #peaks: Node[] = [];

  constructor(activation: ActivationHeights) {
    this.#activation = activation;
  }

  /** The next block. The first one of an upgrade begins a tree of its own. */
  add({ height, header, roots, transactions }: HistoryBlock): void {
    const branchId = branchIdAt(this.#activation, height);
    if (branchId !== this.#branchId) {
      this.#branchId = branchId;
      this.#pools = POOLS.filter((pool) => isActive(this.#activation, POOL[pool].activation, height));
      this.#peaks = [];
    }
    const { time, bits, hash: commitment } = header;
    this.#peaks.push({
      leaves: 1,
      commitment,
      time: once(time),
      bits: once(bits),
      work: workOf(targetOf(bits)!),
      height: once(height),
      pools: this.#pools.map((pool) => ({ ...once(roots[pool]), transactions: transactions[pool] })),
    });
    for (;;) {
      const [left, right] = this.#peaks.slice(-2);
      if (right === undefined || left!.leaves !== right.leaves) return;
      this.#peaks.splice(-2, 2, this.#join(left!, right));
    }
  }

  /** Over all blocks of the upgrade so far; undefined before the first. */
  root(): Uint8Array | undefined {
    const [first, ...others] = this.#peaks;
    if (first === undefined) return undefined;
    const top = others.reduce((joined, peak) => this.#join(joined, peak), first);
    return this.#hash([encodeNode(top)]);
  }

  #join(left: Node, right: Node): Node {
    const span = <T>(a: Span<T>, b: Span<T>): Span<T> => ({ first: a.first, last: b.last });
    return {
      leaves: left.leaves + right.leaves,
      commitment: this.#hash([encodeNode(left), encodeNode(right)]),
      time: span(left.time, right.time),
      bits: span(left.bits, right.bits),
      work: left.work + right.work,
      height: span(left.height, right.height),
      pools: left.pools.map((pool, i) => ({
        ...span(pool, right.pools[i]!),
        transactions: pool.transactions + right.pools[i]!.transactions,
      })),
    };
  }

  #hash(parts: readonly Uint8Array[]): Uint8Array {
    return blake2b256(concatBytes(HISTORY, u32ToLeBytes(this.#branchId!)), parts);
  }
}

const once = <T>(value: T): Span<T> => ({ first: value, last: value });

function encodeNode({ commitment, time, bits, work, height, pools }: Node): Uint8Array {
  const inPool = (pool: Node['pools'][number]) => [
    pool.first,
    pool.last,
    encodeCompactSize(pool.transactions),
  ];
  const [sapling, ...later] = pools.map(inPool);
  const [first, last, transactions] = sapling!;
  return concatBytes(
    commitment,
    ...[time.first, time.last, bits.first, bits.last].map(u32ToLeBytes),
    first!,
    last!,
    bigintToLeBytes(work, 32),
    encodeCompactSize(height.first),
    encodeCompactSize(height.last),
    transactions!,
    ...later.flat(),
  );
}

export interface CommittedBlock {
  readonly height: Height;
  readonly header: Pick<ParsedHeader, 'blockCommitments'>;
  /** `HistoryTree.root` over the blocks before it. */
  readonly history: Uint8Array | undefined;
  /** The root of the Sapling tree after it. */
  readonly saplingRoot: Uint8Array;
  readonly authData: Uint8Array;
}

/** Whether a header, from Sapling on, commits to what is known of its block and of those before it. */
export function isCommitted(
  activation: ActivationHeights,
  { height, header, history, saplingRoot, authData }: CommittedBlock,
): boolean {
  if (!isActive(activation, 'heartwood', height)) return equalBytes(header.blockCommitments, saplingRoot);
  // No history is known to Heartwood's first block.
  const before = height === activation.heartwood ? NONE : history;
  if (before === undefined) return false;
  const expected = isActive(activation, 'nu5', height)
    ? blake2b256(BLOCK_COMMITMENT, [before, authData, NONE])
    : before;
  return equalBytes(header.blockCommitments, expected);
}
