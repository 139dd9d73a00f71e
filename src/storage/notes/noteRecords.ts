// The records sealed in the note store: JSON, padded so that the length reveals only whether the memo is known. Memos
// are in hexadecimal there, and are not kept in memory but read from their row when needed.

import { bytesToHex, hexToBytes, wipe } from '@wallet-companion/base/bytes';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { RescanPage } from '../../actors/wallet/ports/journal.ts';
import type { StoredSentOutput, StoredTransaction } from '../../actors/wallet/ports/noteDatabase.ts';
import type { Memo, StoredNote } from '../../actors/wallet/ports/storedNote.ts';

const PADDING_BLOCK = 256;

/** The caller wipes the result. */
export function encodeRecord(record: object): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(record));
  const padded = new Uint8Array(Math.ceil(json.length / PADDING_BLOCK) * PADDING_BLOCK).fill(0x20);
  padded.set(json);
  wipe(json);
  return padded;
}

export function encodeWithMemo(record: { readonly memo: Memo | null }): Uint8Array {
  const memo = record.memo?.read();
  try {
    return encodeRecord({ ...record, memo: memo === undefined ? null : bytesToHex(memo) });
  } finally {
    wipe(memo);
  }
}

/** Only for what `encodeRecord` wrote and a seal protected. */
export function decodeRecord<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
}

/** A record without its memo; `memo` is true where there is one. */
export type Head<T extends { readonly memo: Memo | null }> = Omit<T, 'memo'> & {
  readonly memo: true | null;
};

export const headOf = <T extends { readonly memo: Memo | null }>(record: T): Head<T> => ({
  ...record,
  memo: record.memo === null ? null : true,
});

interface WrittenMemo {
  readonly memo: string | null;
}

export function decodeHead<T extends { readonly memo: Memo | null }>(bytes: Uint8Array): Head<T> {
  const record = decodeRecord<Omit<T, 'memo'> & WrittenMemo>(bytes);
  return { ...record, memo: record.memo === null ? null : true };
}

/** Undefined when the record has none. The caller wipes it. */
export function decodeMemo(bytes: Uint8Array): Uint8Array | undefined {
  const { memo } = decodeRecord<WrittenMemo>(bytes);
  return memo === null ? undefined : hexToBytes(memo);
}

/** Makes a transaction id that occurs in many records one string in memory. */
export class SharedTxids {
  readonly #txids = new Map<string, string>();

  transaction(transaction: StoredTransaction): StoredTransaction {
    this.#txids.set(transaction.txid, transaction.txid);
    return transaction;
  }

  /** The head itself becomes the note: there are so many that a second copy would be costly. */
  note(head: Head<StoredNote>, memo: Memo | null): StoredNote {
    const spent = head.spent;
    if (spent !== null) Object.assign(spent, { txid: this.#shared(spent.txid) });
    return Object.assign(head, { txid: this.#shared(head.txid), memo });
  }

  sentOutput(head: Head<StoredSentOutput>, memo: Memo): StoredSentOutput {
    return Object.assign(head, { txid: this.#shared(head.txid), memo });
  }

  #shared(txid: TxIdHex): string {
    return this.#txids.get(txid) ?? txid;
  }
}

export const transactionKey = (transaction: StoredTransaction): string => transaction.txid;

/** A page's key, from its contents. */
export const rescanPageKey = (plain: Uint8Array): string => String(decodeRecord<RescanPage>(plain).page);
