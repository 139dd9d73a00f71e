// The wallet's own part of a made-up history: notes in every era, some of which are spent in the next one, so that the
// balance at each era's end is known beforehand.

import {
  type BuiltTransaction,
  jubjubPoints,
  type PlannedOutput,
  type PlannedSpend,
  pallasPoints,
  planPayment,
  seededRandomness,
  TransactionBuilder,
} from '@wallet-companion/devnet/chain';
import type { ViewingKeys } from '@wallet-companion/zcash/keys';
import { newestRule } from '@wallet-companion/zcash/network';
import { POOL, type Pool, type TreeSizes } from '@wallet-companion/zcash/pools';
import { addLeaves, EMPTY_TREES } from '@wallet-companion/zcash/trees';
import { nullifierKey, walletKeys, walletReceivers } from '../chains/benchWallet.ts';
import type { Era, HistoryPlan } from './plan.ts';

export interface OwnTransaction {
  readonly height: number;
  readonly transaction: BuiltTransaction;
  /** Zatoshi: what it adds to the balance, or takes. */
  readonly change: number;
}

const NOTES_PER_ERA = 12;
/** One note in three is spent in the era after its own. */
const SPENT = 3;
const ANCHOR = new Uint8Array(32).fill(1);

/** The pools that wallets used in an era; Orchard has only paid out since Ironwood. */
const POOLS_OF: readonly (readonly Pool[])[] = [
  ['sapling'],
  ['sapling', 'orchard'],
  ['orchard', 'sapling'],
  ['sapling', 'orchard'],
  ['orchard', 'sapling'],
  ['ironwood', 'sapling'],
];

/** Block `i` of `count` that are spread over an era; the first and the last one are among the places it never takes. */
const placed = ({ first, last }: Era, i: number, count: number): number =>
  first + Math.floor(((i + 0.5) * (last - first + 1)) / count);

/** What is to be made at a height, before anything is known of the transactions below. */
export interface Order {
  readonly height: number;
  readonly pool: Pool;
  readonly zatoshi: number;
  /** The order whose note it spends. */
  readonly spends?: Order;
}

function ordersOf({ eras }: Pick<HistoryPlan, 'eras'>): Order[] {
  const orders: Order[] = [];
  let spendable: Order[] = [];
  eras.forEach((era, e) => {
    const pools = POOLS_OF[e]!;
    const paid = Array.from(
      { length: NOTES_PER_ERA },
      (_, i): Order => ({
        height: placed(era, i, NOTES_PER_ERA),
        pool: pools[i % pools.length]!,
        // Each amount is of one note alone, so a balance tells which were found.
        zatoshi: 10_000 + 2 ** i + 10_000 * e,
      }),
    );
    const spends = spendable.map(
      (note, i): Order => ({ ...note, height: placed(era, i, spendable.length), spends: note }),
    );
    orders.push(...paid, ...spends);
    spendable = paid.filter((_, i) => i % SPENT === 0);
  });
  // Stable: a note comes before what spends it.
  return orders.sort((a, b) => a.height - b.height);
}

/** In the order of the chain. They stand at the beginning of their blocks. */
export const ownTransactions = (
  plan: Pick<HistoryPlan, 'eras' | 'params' | 'sizesAfter'>,
): OwnTransaction[] => orderedTransactions(plan, ordersOf(plan));

/** `orders` ascend. */
export function orderedTransactions(
  plan: Pick<HistoryPlan, 'params' | 'sizesAfter'>,
  orders: readonly Order[],
): OwnTransaction[] {
  const { params } = plan;
  const keys = walletKeys(params);
  const address = walletReceivers(keys);
  const randomness = seededRandomness('history: own');
  const builder = new TransactionBuilder({
    params,
    randomness,
    pallas: pallasPoints(randomness),
    jubjub: jubjubPoints(randomness),
  });
  const made = new Map<Order, { readonly transaction: BuiltTransaction; readonly before: TreeSizes }>();
  let ownLeaves = EMPTY_TREES;
  return orders.map((order) => {
    const { height, pool, zatoshi, spends } = order;
    const spent: PlannedSpend[] = [];
    if (spends !== undefined) {
      const { transaction, before } = made.get(spends)!;
      spent.push({ pool, value: BigInt(zatoshi), nullifier: nullifierOf(transaction, before, keys) });
    }
    const paid: PlannedOutput[] =
      spends === undefined ? [planPayment({ address, pool, zatoshi }, params, undefined)] : [];
    const transaction = builder.build(
      {
        height,
        version: newestRule('transactionVersion', params.activation, height) ?? 4,
        outputs: paid,
        spends: spent,
        payer: spends === undefined ? pool : 'none',
        // Where a note is spent, a stranger is paid.
        otherOutputs: { ...EMPTY_TREES, [pool]: spends === undefined ? 0 : 1 },
        coinbase: undefined,
      },
      () => ANCHOR,
    );
    made.set(order, { transaction, before: addLeaves(plan.sizesAfter(height - 1), ownLeaves) });
    ownLeaves = addLeaves(ownLeaves, transaction.leafCounts);
    return { height, transaction, change: spends === undefined ? zatoshi : -zatoshi };
  });
}

/** Of the one note in a transaction; the leaf's position counts in Sapling alone. */
function nullifierOf({ notes: [note] }: BuiltTransaction, before: TreeSizes, keys: ViewingKeys) {
  if (note === undefined) throw new Error('a transaction that pays has a note');
  const { protocol } = POOL[note.pool];
  return note.nullifier(nullifierKey(keys, protocol), before[note.pool] + note.outputIndex);
}

/** The balance once everything up to a height is scanned. */
export const balanceAfter = (own: readonly OwnTransaction[], height: number): number =>
  own.reduce((sum, { height: at, change }) => (at <= height ? sum + change : sum), 0);

/** Leaves of our own up to and including a height. */
export const ownLeavesAfter = (own: readonly OwnTransaction[], height: number): TreeSizes =>
  own
    .filter(({ height: at }) => at <= height)
    .reduce((sizes, { transaction }) => addLeaves(sizes, transaction.leafCounts), EMPTY_TREES);
