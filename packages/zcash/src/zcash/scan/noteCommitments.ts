// The note commitments that a batch of blocks adds to one pool's tree, in tree order: the leaves for witnesses. For
// chosen leaves it also returns the outputs, so that the key's owner can open them again. Nothing is decrypted or
// verified here: the caller folds the leaves into a root that it knows.

import { walkBlock } from '../encoding/block.ts';
import { walkCompactTransaction } from '../encoding/compactItems.ts';
import type { OutputLayout } from '../encoding/outputLayout.ts';
import { ProtobufReader } from '../encoding/protobuf.ts';
import { COMPACT_PLAINTEXT_SIZE } from '../notes/plaintext.ts';
import type { EncryptedOutput } from '../notes/trialDecryption.ts';
import { isActionPool, type Pool } from '../pools.ts';
import { NODE_BYTES } from '../trees/levelHash.ts';
import { outputsOf } from './readRawBlock.ts';
import type { BlockBatch } from './types.ts';

/** Leaf indexes; `end` is excluded. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
  /** Leaves whose outputs are wanted too. */
  readonly outputsAt?: readonly number[];
}

/** An output in its compact form. */
export interface PlacedOutput extends EncryptedOutput {
  /** Leaf index in the tree. */
  readonly position: number;
}

export interface Leaves {
  /** Index of the first leaf. */
  readonly first: number;
  /** The packed leaves, without other bytes. */
  readonly leaves: ArrayBuffer;
  /** The wanted outputs that the batch has. */
  readonly outputs: readonly PlacedOutput[];
}

/** The batch's leaves in the range. FormatError when a block is malformed. */
export function noteCommitments(batch: BlockBatch, pool: Pool, range: LeafRange): Leaves {
  const first = Math.max(range.start, batch.blocks[0]?.treeSizes[pool] ?? range.end);
  const collected = new Collector(pool, { ...range, start: first });
  for (const { offset, length, treeSizes } of batch.blocks) {
    collected.at(treeSizes[pool]);
    const bytes = new Uint8Array(batch.buffer, offset, length);
    if (batch.format === 'raw') addRaw(bytes, pool, collected);
    else addCompact(bytes, pool, collected);
  }
  return { first, leaves: collected.packed(), outputs: collected.outputs };
}

class Collector {
  readonly outputs: PlacedOutput[] = [];
  readonly #pool: Pool;
  readonly #range: LeafRange;
  readonly #wanted: ReadonlySet<number>;
  readonly #leaves: Uint8Array[] = [];
  #next = 0;

  constructor(pool: Pool, range: LeafRange) {
    this.#pool = pool;
    this.#range = range;
    this.#wanted = new Set(range.outputsAt);
  }

  at(index: number): void {
    this.#next = index;
  }

  /** Adds the output that begins at `start`. */
  add(source: Uint8Array, start: number, layout: OutputLayout): void {
    const position = this.#next++;
    if (position < this.#range.start || position >= this.#range.end) return;
    const at = start + layout.commitment;
    this.#leaves.push(source.subarray(at, at + NODE_BYTES));
    if (this.#wanted.has(position)) this.outputs.push(this.#output(position, source, start, layout));
  }

  /** Copies fields: views would keep the whole block in memory. */
  #output(position: number, source: Uint8Array, start: number, layout: OutputLayout): PlacedOutput {
    const field = (at: number, length: number) => source.slice(start + at, start + at + length);
    return {
      position,
      rho: isActionPool(this.#pool) ? field(layout.rho, 32) : new Uint8Array(0),
      commitment: field(layout.commitment, NODE_BYTES),
      ephemeralKey: field(layout.ephemeralKey, 32),
      ciphertext: field(layout.ciphertext, COMPACT_PLAINTEXT_SIZE),
    };
  }

  packed(): ArrayBuffer {
    const all = new Uint8Array(this.#leaves.length * NODE_BYTES);
    for (const [i, leaf] of this.#leaves.entries()) all.set(leaf, i * NODE_BYTES);
    return all.buffer;
  }
}

function addRaw(bytes: Uint8Array, pool: Pool, collected: Collector): void {
  walkBlock(bytes, (transaction) => {
    const { records, layout } = outputsOf(transaction, pool);
    for (let i = 0; i < records.count; i++) collected.add(records.bytes, i * records.size, layout);
  });
}

function addCompact(bytes: Uint8Array, wanted: Pool, collected: Collector): void {
  const reader = new ProtobufReader(bytes);
  const sink = {
    addSaplingSpend: () => undefined,
    addOutput: (pool: Pool, source: Uint8Array, start: number, layout: OutputLayout) => {
      if (pool === wanted) collected.add(source, start, layout);
    },
  };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 7) walkCompactTransaction(reader, bytes, sink);
    else reader.skipValue();
  }
}
