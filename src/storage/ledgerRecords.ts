// What is sealed in the note store: JSON, padded so that its length tells nothing but whether the memo is known. Memos
// stand there in hexadecimal.

import type { StoredNote, StoredSentOutput, StoredTransaction } from '../actors/wallet/storage.ts';
import { bytesToHex, hexToBytes } from '../shielded/bytes.ts';
import { type PackedMemo, packMemo, unpackMemo } from '../shielded/notes/packedMemo.ts';

const PADDING_BLOCK = 256;

export function encodeRecord(record: object): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(record));
  const padded = new Uint8Array(Math.ceil(json.length / PADDING_BLOCK) * PADDING_BLOCK).fill(0x20);
  padded.set(json);
  return padded;
}

export const encodeWithMemo = (record: { readonly memo: PackedMemo | null }): Uint8Array =>
  encodeRecord({ ...record, memo: record.memo === null ? null : bytesToHex(unpackMemo(record.memo)) });

/** Only for what `encodeRecord` wrote and a seal protected. */
export function decodeRecord<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
}

/** As it was written; memos apart. */
type Written<T extends { readonly memo: PackedMemo | null }> = Omit<T, 'memo'> & { readonly memo: string };

/** Reads the records of a store. A transaction id that stands in many of them is one string in memory. */
export class RecordReader {
  readonly #txids = new Map<string, string>();

  transaction(bytes: Uint8Array): StoredTransaction {
    const transaction = decodeRecord<StoredTransaction>(bytes);
    this.#txids.set(transaction.txid, transaction.txid);
    return transaction;
  }

  note(bytes: Uint8Array): StoredNote {
    const note = decodeRecord<Written<StoredNote> | (StoredNote & { readonly memo: null })>(bytes);
    const { spent } = note;
    return {
      ...note,
      txid: this.#shared(note.txid),
      memo: note.memo === null ? null : packedHex(note.memo),
      spent: spent === null ? null : { ...spent, txid: this.#shared(spent.txid) },
    };
  }

  sentOutput(bytes: Uint8Array): StoredSentOutput {
    const output = decodeRecord<Written<StoredSentOutput>>(bytes);
    return { ...output, txid: this.#shared(output.txid), memo: packedHex(output.memo) };
  }

  #shared(txid: string): string {
    return this.#txids.get(txid) ?? txid;
  }
}

const packedHex = (hex: string): PackedMemo => packMemo(hexToBytes(hex));

export const noteKey = (note: StoredNote): string =>
  `${note.txid}:${note.pool}:${note.outputIndex}:${note.account}`;

export const sentOutputKey = (output: StoredSentOutput): string =>
  `${output.txid}:${output.pool}:${output.outputIndex}:${output.account}`;

export const transactionKey = (transaction: StoredTransaction): string => transaction.txid;
