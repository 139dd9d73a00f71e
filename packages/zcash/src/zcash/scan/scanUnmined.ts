// Trial decryption of unmined transactions: finds the wallet's notes and the spends. Each transaction is read separately,
// so a malformed one does not affect the others.

import { FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { parseTransaction, type Transaction } from '../encoding/transaction.ts';
import { txid } from '../encoding/txid.ts';
import { type Blake2b256, blake2b256 } from '../hashes/blake2.ts';
import type { IncomingKey } from '../keys/decryptionKeys.ts';
import { POOLS } from '../pools.ts';
import { EMPTY_TREES } from '../treeSizes.ts';
import { addRawTransaction } from './readRawBlock.ts';
import { foundNote } from './scanBatch.ts';
import { ShieldedParts } from './shieldedParts.ts';
import type { FoundNote, ScanHeights, TrialDecryptor, TxNullifiers } from './types.ts';

/** Raw transactions in one buffer, to be mined at `height` at the earliest. */
export interface UnminedTransactions {
  readonly buffer: ArrayBuffer;
  readonly transactions: readonly { readonly offset: number; readonly length: number }[];
  readonly height: Height;
}

export interface ReadUnmined {
  /** 0: the transaction never expires. */
  readonly expiryHeight: Height;
  /** `position` and Sapling nullifiers have no meaning before the transaction is mined. */
  readonly notes: readonly FoundNote[];
  readonly nullifiers: readonly TxNullifiers[];
}

/** One result for each transaction, in order; null for one that cannot be read. */
export function scanUnmined(
  { buffer, transactions, height }: UnminedTransactions,
  keys: readonly IncomingKey[],
  heights: ScanHeights,
  decryptor: TrialDecryptor,
  hash: Blake2b256 = blake2b256,
): (ReadUnmined | null)[] {
  const parts = new ShieldedParts(heights);
  parts.beginBlock(height, EMPTY_TREES);
  const read = transactions.map(({ offset, length }, index) => {
    const transaction = parsed(new Uint8Array(buffer, offset, length));
    if (transaction === null) return null;
    addRawTransaction(parts, transaction, index, txid(transaction, hash));
    const { expiryHeight } = transaction;
    return { expiryHeight, notes: [] as FoundNote[], nullifiers: [] as TxNullifiers[] };
  });
  const searched = POOLS.map((pool) => parts.columns(pool));
  for (const [i, found] of decryptor.decryptAll(searched, keys).entries()) {
    const { pool } = searched[i]!;
    for (const output of found) {
      const transaction = parts.transactionOf(pool, output.row);
      const note = foundNote(decryptor, pool, output, transaction, 0, height, keys[output.keyIndex]!);
      read[transaction.txIndex]?.notes.push(note);
    }
  }
  for (const revealed of parts.revealedNullifiers().flat()) read[revealed.txIndex]?.nullifiers.push(revealed);
  return read;
}

function parsed(bytes: Uint8Array): Transaction | null {
  try {
    return parseTransaction(bytes);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}
