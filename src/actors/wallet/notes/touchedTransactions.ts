// Transactions of ours met while blocks are applied, and whether their full bytes still have to be read.

import type { StoredTransaction } from '../ports/storage.ts';

export class TouchedTransactions {
  readonly #touched = new Map<string, StoredTransaction>();

  /** `incomplete`: only its full bytes can tell a memo, or what a newly seen spend sent. */
  touch(at: Pick<StoredTransaction, 'txid' | 'height' | 'txIndex'>, time: number, incomplete: boolean): void {
    const complete = !incomplete && (this.#touched.get(at.txid)?.complete ?? true);
    this.#touched.set(at.txid, { txid: at.txid, height: at.height, txIndex: at.txIndex, time, complete });
  }

  /** With what was known before: a block applied twice leaves a transaction as incomplete as it was. */
  merged(known: ReadonlyMap<string, StoredTransaction>): StoredTransaction[] {
    return [...this.#touched.values()].map((transaction) => {
      const before = known.get(transaction.txid);
      return before?.height === transaction.height && !before.complete
        ? { ...transaction, complete: false }
        : transaction;
    });
  }
}
