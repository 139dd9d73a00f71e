// What is sealed in the note store: JSON, padded so that its length tells nothing but whether the memo is known.

import type { StoredNote, StoredSentOutput, StoredTransaction } from '../actors/wallet/storage.ts';

const PADDING_BLOCK = 256;

export function encodeRecord(record: object): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(record));
  const padded = new Uint8Array(Math.ceil(json.length / PADDING_BLOCK) * PADDING_BLOCK).fill(0x20);
  padded.set(json);
  return padded;
}

/** Only for what `encodeRecord` wrote and a seal protected. */
export function decodeRecord<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
}

export const noteKey = (note: StoredNote): string =>
  `${note.txid}:${note.pool}:${note.outputIndex}:${note.account}`;

export const sentOutputKey = (output: StoredSentOutput): string =>
  `${output.txid}:${output.pool}:${output.outputIndex}:${output.account}`;

export const transactionKey = (transaction: StoredTransaction): string => transaction.txid;
