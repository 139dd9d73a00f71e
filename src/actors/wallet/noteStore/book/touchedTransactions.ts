// Transactions of the wallet met while blocks are applied, and whether their full bytes still have to be read.

import { type BlockHash, blockHashToHex } from '@wallet-companion/zcash/identifiers';
import type { StoredTransaction } from '../../ports/noteDatabase.ts';

export class TouchedTransactions {
  readonly #touched = new Map<string, StoredTransaction>();

  /** `incomplete`: only its full bytes contain a memo, or what a newly seen spend sent. */
  touch(
    at: Pick<StoredTransaction, 'txid' | 'height' | 'txIndex'>,
    { time, hash }: { readonly time: number; readonly hash?: BlockHash },
    incomplete: boolean,
  ): void {
    const complete = !incomplete && (this.#touched.get(at.txid)?.complete ?? true);
    this.#touched.set(at.txid, {
      txid: at.txid,
      height: at.height,
      txIndex: at.txIndex,
      time,
      complete,
      ...(hash !== undefined && { blockHash: blockHashToHex(hash) }),
    });
  }

  /** Merges with the known ones: a block applied twice leaves a transaction as incomplete as it was. */
  merged(known: ReadonlyMap<string, StoredTransaction>): StoredTransaction[] {
    return [...this.#touched.values()].map((transaction) => {
      const before = known.get(transaction.txid);
      if (before?.height !== transaction.height) return transaction;
      const { blockHash = before.blockHash } = transaction;
      return {
        ...transaction,
        complete: transaction.complete && before.complete,
        ...(blockHash !== undefined && { blockHash }),
        // Without a fee until the bytes are read again: new facts may change who paid.
        ...(transaction.complete && before.fee !== undefined && { fee: before.fee }),
      };
    });
  }
}
