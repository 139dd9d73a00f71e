// The unmined transactions of a devnet. Like a node it removes mined and expired transactions and those that spend an
// already spent note. Servers add transactions that they have checked; a test may also add invalid ones.

import { FormatError } from '@wallet-companion/base/bytes';
import { nullifierToHex, type TxId, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { parseTransaction } from '@wallet-companion/zcash/transactions';
import type { BlockRoom } from './blockLimit.ts';
import type { BuiltTransaction } from './builtTransaction.ts';
import type { MinedBlock } from './minedBlock.ts';

/** `txid` is the id that the mempool reports, right or wrong. */
export interface UnminedTransaction {
  readonly txid: TxId;
  readonly bytes: Uint8Array;
  readonly spends?: BuiltTransaction['spends'];
  readonly coins?: BuiltTransaction['coins'];
  /** The transaction was sent and checked: the next block takes it. */
  readonly isSent?: true;
}

export class Mempool {
  /** Transactions by txid in display order. */
  readonly #transactions = new Map<string, UnminedTransaction>();
  readonly #listeners = new Set<(transaction: UnminedTransaction) => void>();

  get transactions(): readonly UnminedTransaction[] {
    return [...this.#transactions.values()];
  }

  /** Sent transactions that wait to be mined. */
  get sent(): readonly BuiltTransaction[] {
    return this.transactions.filter((one): one is BuiltTransaction => one.isSent === true);
  }

  /** The sent transactions that fit into a block with `others` and into its remaining `room`. */
  sentBeside(others: readonly BuiltTransaction[], room: BlockRoom): BuiltTransaction[] {
    const spent = new Set(others.flatMap(namesOfSpent));
    return this.sent.filter(
      (one) => !namesOfSpent(one).some((name) => spent.has(name)) && room.take(one.bytes),
    );
  }

  get size(): number {
    return this.#transactions.size;
  }

  byTxid(displayTxid: string): UnminedTransaction | undefined {
    return this.#transactions.get(displayTxid);
  }

  put(transaction: UnminedTransaction): void {
    this.#transactions.set(txIdToHex(transaction.txid), transaction);
    for (const listener of [...this.#listeners]) listener(transaction);
  }

  /** True if the transaction was there. */
  drop(txid: TxId): boolean {
    return this.#transactions.delete(txIdToHex(txid));
  }

  /** The current transactions, for `restore`. */
  copy(): readonly UnminedTransaction[] {
    return this.transactions;
  }

  restore(copy: readonly UnminedTransaction[]): void {
    this.#transactions.clear();
    for (const one of copy) this.#transactions.set(txIdToHex(one.txid), one);
  }

  /** Calls back with each transaction that is put in, until the returned function is called. */
  onTransaction(listener: (transaction: UnminedTransaction) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  mined({ height, transactions }: Pick<MinedBlock, 'height' | 'transactions'>): void {
    const spent = new Set(transactions.flatMap(namesOfSpent));
    for (const { txid } of transactions) this.drop(txid);
    for (const unmined of this.transactions) {
      const isConflicting = namesOfSpent(unmined).some((name) => spent.has(name));
      const expiry = expiryHeight(unmined.bytes);
      if (isConflicting || (expiry > 0 && expiry <= height)) this.drop(unmined.txid);
    }
  }
}

export const nameOfSpend = ({ pool, nullifier }: BuiltTransaction['spends'][number]): string =>
  `${pool}:${nullifierToHex(nullifier)}`;

/** Notes and transparent outputs. */
export const namesOfSpent = ({ spends = [], coins = [] }: Pick<UnminedTransaction, 'spends' | 'coins'>) => [
  ...spends.map(nameOfSpend),
  ...coins,
];

/** 0: the transaction never expires. */
function expiryHeight(bytes: Uint8Array): number {
  try {
    return parseTransaction(bytes).expiryHeight;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return 0;
  }
}
