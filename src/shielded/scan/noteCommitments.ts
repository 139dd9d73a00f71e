// The note commitments that a batch of blocks adds to one pool's tree, in tree order: the leaves that witnesses are made
// of. Nothing is tried or verified: whoever uses them folds them into a root that he knows.

import { walkBlock } from '../encoding/block.ts';
import { walkCompactTransaction } from '../encoding/compactItems.ts';
import { ORCHARD_ACTION } from '../encoding/orchardBundle.ts';
import { ProtobufReader } from '../encoding/protobuf.ts';
import { recordField } from '../encoding/records.ts';
import { SAPLING_OUTPUT } from '../encoding/saplingBundle.ts';
import { isActionPool, type Pool } from '../pools.ts';
import { NODE_BYTES } from '../trees/levelHash.ts';
import type { BlockBatch } from './types.ts';

/** Indexes in the tree; the end is not among them. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

export interface Leaves {
  /** Index of the first one. */
  readonly first: number;
  /** Packed; exactly these. */
  readonly leaves: ArrayBuffer;
}

/** Those of the batch that lie in the range. FormatError when a block is malformed. */
export function noteCommitments(batch: BlockBatch, pool: Pool, range: LeafRange): Leaves {
  const first = Math.max(range.start, batch.blocks[0]?.treeSizes[pool] ?? range.end);
  const collected = new Collector(first, range.end);
  for (const { offset, length, treeSizes } of batch.blocks) {
    collected.at(treeSizes[pool]);
    const bytes = new Uint8Array(batch.buffer, offset, length);
    if (batch.format === 'raw') addRaw(bytes, pool, collected);
    else addCompact(bytes, pool, collected);
  }
  return { first, leaves: collected.packed() };
}

class Collector {
  readonly #start: number;
  readonly #end: number;
  readonly #leaves: Uint8Array[] = [];
  #next = 0;

  constructor(start: number, end: number) {
    this.#start = start;
    this.#end = end;
  }

  at(index: number): void {
    this.#next = index;
  }

  add(leaf: Uint8Array): void {
    if (this.#next >= this.#start && this.#next < this.#end) this.#leaves.push(leaf);
    this.#next++;
  }

  packed(): ArrayBuffer {
    const all = new Uint8Array(this.#leaves.length * NODE_BYTES);
    for (const [i, leaf] of this.#leaves.entries()) all.set(leaf, i * NODE_BYTES);
    return all.buffer;
  }
}

function addRaw(bytes: Uint8Array, pool: Pool, collected: Collector): void {
  walkBlock(bytes, (transaction) => {
    const [records, offset] = isActionPool(pool)
      ? [transaction[pool].actions, ORCHARD_ACTION.cmx]
      : [transaction[pool].outputs, SAPLING_OUTPUT.cmu];
    for (let i = 0; i < records.count; i++) collected.add(recordField(records, i, offset, NODE_BYTES));
  });
}

function addCompact(bytes: Uint8Array, wanted: Pool, collected: Collector): void {
  const reader = new ProtobufReader(bytes);
  const sink = {
    addSaplingSpend: () => undefined,
    addOutput: (pool: Pool, source: Uint8Array, start: number, layout: { readonly commitment: number }) => {
      const at = start + layout.commitment;
      if (pool === wanted) collected.add(source.subarray(at, at + NODE_BYTES));
    },
  };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 7) walkCompactTransaction(reader, bytes, sink);
    else reader.skipValue();
  }
}
