// Unmined transactions on their way to the wallet: one buffer with a limit, and each transaction under its computed txid.
// The selection depends on the server's order, and on nothing about the wallet.

import { FormatError } from '@wallet-companion/base/bytes';
import { asTxId, copyOf, type TxId, type TxIdHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { parseTransaction, txid } from '@wallet-companion/zcash/transactions';
import type { MempoolTransaction } from '../ports/types.ts';

/** Limits of one look. It is one task of the scan pool, too: a batch of blocks is as large. */
export const MEMPOOL_LOOK = { transactions: 256, bytes: 4 * 2 ** 20 } as const;

const TXID_SIZE = 32;

export function knownTxids(packed: Uint8Array): TxIdHex[] {
  return Array.from({ length: Math.floor(packed.length / TXID_SIZE) }, (_, i) =>
    txIdToHex(asTxId(packed.subarray(i * TXID_SIZE, (i + 1) * TXID_SIZE))),
  );
}

/** Undefined for bytes that are no transaction. */
export function txidOf(bytes: Uint8Array): TxId | undefined {
  try {
    return txid(parseTransaction(bytes));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return undefined;
  }
}

export class MempoolPacker {
  readonly #fresh: { readonly txid: TxId; readonly bytes: Uint8Array }[] = [];
  #size = 0;

  get isFull(): boolean {
    return this.#fresh.length >= MEMPOOL_LOOK.transactions || this.#size >= MEMPOOL_LOOK.bytes;
  }

  /** `bytes`: those of this transaction, or none. */
  add(id: TxId, bytes: Uint8Array | undefined): void {
    this.#fresh.push({ txid: copyOf(id), bytes: bytes ?? new Uint8Array(0) });
    this.#size += bytes?.length ?? 0;
  }

  take(): { readonly fresh: readonly MempoolTransaction[]; readonly buffer: ArrayBuffer } {
    const all = new Uint8Array(this.#size);
    let offset = 0;
    const fresh = this.#fresh.map(({ txid: id, bytes }) => {
      all.set(bytes, offset);
      offset += bytes.length;
      return { txid: id, offset: offset - bytes.length, length: bytes.length };
    });
    return { fresh, buffer: all.buffer };
  }
}
