// The blocks of a made-up history, each made when it is asked for and always the same: strangers' outputs copied from
// the prepared ones, our own transactions at the beginning. As the embedded compact server wants them.
import { createHash } from 'node:crypto';
import { concatBytes } from '@wallet-companion/base/bytes';
import {
  BlockTree,
  type ChainView,
  Mempool,
  MinedBlock,
  type MinedBlockFields,
  type MinedTransaction,
  seededRandomness,
  type TreeStates,
} from '@wallet-companion/devnet/chain';
import {
  bytesField,
  compactFromTransaction,
  encodeCompactTransaction,
  messageField,
  uintField,
} from '@wallet-companion/zcash/compactBlocks';
import { asBlockHash, type BlockHash, txIdToHex } from '@wallet-companion/zcash/identifiers';
import {
  isActionPool,
  type PerPool,
  POOL,
  POOLS,
  type Pool,
  perPool,
  type TreeSizes,
} from '@wallet-companion/zcash/pools';
import { orchardAction, parseTransaction, saplingOutput } from '@wallet-companion/zcash/transactions';
import { addLeaves, EMPTY_TREES, leafCount, NODE_BYTES, subtractLeaves } from '@wallet-companion/zcash/trees';
import { sizedTrees } from '../chains/sizedTrees.ts';
import { OutputPool } from './outputPool.ts';
import { type OwnTransaction, ownLeavesAfter } from './ownTransactions.ts';
import type { HistoryPlan } from './plan.ts';

/** Different outputs of a pool, at most: no batch that a scan holds at a time is as large. */
const POOL_OUTPUTS = 1_000_000;
/** Outputs of a transaction: of a payment, and of a flood's. */
const PAYMENT = 2;
const FLOODING = 100;
/** A block with more of them is a flood's. */
const FLOOD = 16;
const FIRST_TIME = 1_540_779_337;
const BLOCK_SECONDS = 75;

class MadeBlock extends MinedBlock {
  readonly #made: () => Uint8Array;

  constructor(fields: MinedBlockFields, made: () => Uint8Array) {
    super(fields);
    this.#made = made;
  }

  override get compact(): Uint8Array {
    return this.#made();
  }
}

const hashOf = (height: number): BlockHash =>
  asBlockHash(new Uint8Array(createHash('sha256').update(`history ${height}`).digest()));

/** Different for every transaction: a txid, or the nullifier of a stranger's Sapling note. */
const identifier = (kind: string, height: number, index: number): Uint8Array =>
  new Uint8Array(createHash('sha256').update(`${kind} ${height} ${index}`).digest());

/** What of a plan the blocks are made by. */
export type BlocksPlan = Pick<HistoryPlan, 'params' | 'tip' | 'sizesAfter'>;

export class MadeBlocks extends BlockTree {
  readonly #plan: BlocksPlan;
  readonly #own: readonly OwnTransaction[];
  /** Of our own, after each height that has any; ascending. */
  readonly #ownLeaves: readonly (readonly [height: number, leaves: TreeSizes])[];
  readonly #ownByHeight = new Map<number, OwnTransaction[]>();
  readonly #outputs: PerPool<OutputPool>;

  constructor(plan: BlocksPlan, own: readonly OwnTransaction[], largestPool = POOL_OUTPUTS) {
    super(new MadeBlock(fieldsOf(0, plan.sizesAfter(0)), () => encodeBlock(0, [], plan.sizesAfter(0))));
    this.#plan = plan;
    this.#own = own;
    for (const one of own) {
      this.#ownByHeight.set(one.height, [...(this.#ownByHeight.get(one.height) ?? []), one]);
    }
    this.#ownLeaves = [...this.#ownByHeight.keys()].map((height) => [height, ownLeavesAfter(own, height)]);
    const all = plan.sizesAfter(plan.tip);
    this.#outputs = perPool(
      (pool) =>
        new OutputPool(
          pool,
          Math.max(1, Math.min(largestPool, all[pool])),
          seededRandomness(`history: ${pool}`),
        ),
    );
  }

  override get tip(): MinedBlock {
    return this.at(this.#plan.tip)!;
  }

  override at(height: number): MinedBlock | undefined {
    if (height < 0 || height > this.#plan.tip) return undefined;
    const sizes = this.sizesAfter(height);
    return new MadeBlock(fieldsOf(height, sizes), () =>
      encodeBlock(height, this.#transactions(height), sizes),
    );
  }

  override byTxid(displayTxid: string): MinedTransaction | undefined {
    const own = this.#own.find(({ transaction }) => txIdToHex(transaction.txid) === displayTxid);
    return own && { transaction: own.transaction, block: this.at(own.height)! };
  }

  /** Our own outputs included. */
  sizesAfter(height: number): TreeSizes {
    const own = this.#ownLeaves.findLast(([at]) => at <= height);
    return addLeaves(this.#plan.sizesAfter(height), own?.[1] ?? EMPTY_TREES);
  }

  /** The note commitments of the whole chain, packed, in tree order. */
  leaves(pool: Pool): Uint8Array {
    const leaves = new Uint8Array(this.sizesAfter(this.#plan.tip)[pool] * NODE_BYTES);
    let at = 0;
    const add = (leaf: Uint8Array): void => {
      leaves.set(leaf, at);
      at += NODE_BYTES;
    };
    for (let height = 1; height <= this.#plan.tip; height++) {
      for (const { transaction } of this.#ownByHeight.get(height) ?? [])
        for (const leaf of leavesOf(transaction.bytes, pool)) add(leaf);
      const end = this.#plan.sizesAfter(height)[pool];
      for (let i = this.#plan.sizesAfter(height - 1)[pool]; i < end; i++)
        add(this.#outputs[pool].commitment(i));
    }
    return leaves;
  }

  /** Fields of the block. */
  #transactions(height: number): Uint8Array[] {
    const own = (this.#ownByHeight.get(height) ?? []).map(({ transaction: { bytes } }, i) => {
      const compact = compactFromTransaction(parseTransaction(bytes), i + 1);
      if (compact === undefined) throw new Error('our transactions have shielded parts');
      return messageField(7, encodeCompactTransaction(compact));
    });
    const before = this.#plan.sizesAfter(height - 1);
    const counts = subtractLeaves(this.#plan.sizesAfter(height), before);
    const each = leafCount(counts) > FLOOD ? FLOODING : PAYMENT;
    const others: Uint8Array[] = [];
    for (const pool of POOLS) {
      for (let from = 0; from < counts[pool]; from += each) {
        const index = own.length + others.length + 1;
        const outputs = this.#outputs[pool].slice(before[pool] + from, Math.min(each, counts[pool] - from));
        others.push(strangersTransaction(pool, height, index, outputs));
      }
    }
    return [...own, ...others];
  }
}

function leavesOf(bytes: Uint8Array, pool: Pool): Uint8Array[] {
  const transaction = parseTransaction(bytes);
  if (isActionPool(pool)) {
    const bundle = transaction[pool];
    return Array.from({ length: bundle.actions.count }, (_, i) => orchardAction(bundle, i).cmx);
  }
  const bundle = transaction[pool];
  return Array.from({ length: bundle.outputs.count }, (_, i) => saplingOutput(bundle, i).cmu);
}

/** Whoever pays in Sapling spends a note there; an action has its spend within. */
function strangersTransaction(pool: Pool, height: number, index: number, outputs: Uint8Array): Uint8Array {
  const spend =
    POOL[pool].protocol === 'sapling'
      ? [messageField(4, bytesField(1, identifier('nullifier', height, index)))]
      : [];
  const head = [uintField(1, index), bytesField(2, identifier('txid', height, index)), ...spend];
  return messageField(7, concatBytes(...head, outputs));
}

function fieldsOf(height: number, treeSizes: TreeSizes): MinedBlockFields {
  return {
    height,
    hash: hashOf(height),
    prevHash: hashOf(height - 1),
    time: FIRST_TIME + BLOCK_SECONDS * height,
    bytes: new Uint8Array(0),
    transactions: [],
    treeSizes,
    parent: undefined,
  };
}

function encodeBlock(height: number, transactions: readonly Uint8Array[], sizes: TreeSizes): Uint8Array {
  const { hash, prevHash, time } = fieldsOf(height, sizes);
  return concatBytes(
    uintField(2, height),
    bytesField(3, hash),
    bytesField(4, prevHash),
    uintField(5, time),
    ...transactions,
    messageField(
      8,
      concatBytes(...POOLS.map((pool) => uintField(POOL[pool].chainMetadataField, sizes[pool]))),
    ),
  );
}

export const historyView = (
  plan: BlocksPlan,
  blocks: MadeBlocks,
  trees: PerPool<TreeStates> = sizedTrees(),
): ChainView => ({
  params: plan.params,
  blocks,
  trees,
  mempool: new Mempool(),
});
