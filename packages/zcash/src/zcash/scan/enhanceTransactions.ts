// Reads the data that only full transactions contain: the memos of notes found in compact blocks, and the outputs that
// the wallet's transactions sent, recovered with the outgoing viewing keys.
//
// The wallet's notes and their keys are already known: nothing is decrypted by trial. The tag of the full ciphertext
// proves that the key is right, and the opened value must equal the note's.

import { equalBytes, FormatError, wipe } from '@wallet-companion/base/bytes';
import type { Height, Zatoshi } from '@wallet-companion/base/values';
import { walkBlock } from '../encoding/block.ts';
import { checkMerkleRoot } from '../encoding/merkleRoot.ts';
import { hasShieldedParts, parseTransaction, type Transaction } from '../encoding/transaction.ts';
import { transparentOutputs } from '../encoding/transparentBundle.ts';
import { txid } from '../encoding/txid.ts';
import { type Blake2b256, blake2b256 } from '../hashes/blake2.ts';
import { copyOf, type TxId } from '../identifiers.ts';
import type { IncomingKey, OutgoingKey } from '../keys/decryptionKeys.ts';
import type { Scope } from '../network.ts';
import { allowedLeadBytes, isLeadByteAllowed } from '../notes/leadBytes.ts';
import { COMPACT_PLAINTEXT_SIZE, parseNotePlaintext } from '../notes/plaintext.ts';
import { ACTION_POOLS, POOL, POOLS, type Pool } from '../pools.ts';
import { fullOutput } from './fullOutput.ts';
import { OutputColumnsBuilder } from './outputColumns.ts';
import { outputsOf } from './readRawBlock.ts';
import type { PaidByPools, ScanHeights, SentOutput, TrialDecryptor } from './types.ts';

/** A note of the wallet whose memo is not known. */
export interface KnownNote {
  readonly pool: Pool;
  readonly account: number;
  readonly scope: Scope;
  readonly outputIndex: number;
  readonly value: Zatoshi;
}

export interface WantedTransaction {
  readonly txid: TxId;
  /** The wallet's notes in this transaction. */
  readonly notes: readonly KnownNote[];
}

/** Full bytes with transactions of the wallet: a whole block, or one separate transaction. */
export interface FullBytes {
  readonly kind: 'block' | 'transaction';
  readonly bytes: Uint8Array;
  /** Height of the block, or of the block with the transaction. */
  readonly height: Height;
  /** The transactions to read. */
  readonly wanted: readonly WantedTransaction[];
}

export interface NoteMemo {
  readonly pool: Pool;
  readonly account: number;
  readonly outputIndex: number;
  /** 512 bytes. */
  readonly memo: Uint8Array;
}

export interface FullTransaction {
  readonly txid: TxId;
  /** Time of the block in seconds since 1970, where the block was read. */
  readonly time?: number;
  /** Memos of the known notes. */
  readonly memos: readonly NoteMemo[];
  /** Outputs that the outgoing keys open, including change when the internal key was passed. */
  readonly sent: readonly SentOutput[];
  /** Undefined where transparent inputs or JoinSplits paid too. */
  readonly paid?: PaidByPools;
}

export interface FullTransactions {
  /** In order; transactions that are not in the bytes are absent. */
  readonly transactions: readonly FullTransaction[];
  /** The error in the first bytes that cannot be read: they and all that follow give no result. */
  readonly malformed?: FormatError;
}

export interface EnhancementKeys {
  readonly incoming: readonly IncomingKey[];
  readonly outgoing: readonly OutgoingKey[];
}

/** A transaction to read. */
interface Found {
  readonly transaction: Transaction;
  readonly id: TxId;
  readonly txIndex: number;
  readonly height: Height;
  readonly time?: number;
  readonly notes: readonly KnownNote[];
}

/**
 * Reads transactions of any number of blocks at once. The bytes of a separate transaction do not contain its index: it
 * counts as 0.
 */
export function enhanceTransactions(
  all: readonly FullBytes[],
  keys: EnhancementKeys,
  heights: ScanHeights,
  decryptor: TrialDecryptor,
  hash: Blake2b256 = blake2b256,
): FullTransactions {
  const found: Found[] = [];
  let malformed: FormatError | undefined;
  for (const full of all) {
    try {
      found.push(...(full.kind === 'block' ? inBlock(full, hash) : alone(full, hash)));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      malformed = error;
      break;
    }
  }
  const memos = readMemos(found, keys.incoming, heights, decryptor);
  const transactions = found.map((one): FullTransaction => {
    const paid = paidByPools(one.transaction);
    return {
      txid: copyOf(one.id),
      ...(one.time !== undefined && { time: one.time }),
      memos: memos.get(one) ?? [],
      sent: sentOutputs(one, keys.outgoing, heights, decryptor),
      ...(paid !== undefined && { paid }),
    };
  });
  return { transactions, ...(malformed && { malformed }) };
}

/** FormatError also when the transactions are not those of the block's header. */
function inBlock({ bytes, height, wanted }: FullBytes, hash: Blake2b256): Found[] {
  const ids: TxId[] = [];
  const found: Omit<Found, 'time'>[] = [];
  const { merkleRoot, time } = walkBlock(bytes, (transaction, txIndex) => {
    const id = txid(transaction, hash);
    ids.push(id);
    const named = wanted.find((one) => equalBytes(one.txid, id));
    if (named !== undefined && hasShieldedParts(transaction)) {
      found.push({ transaction, id, txIndex, height, notes: named.notes });
    }
  });
  checkMerkleRoot(ids, merkleRoot, height);
  return found.map((one) => ({ ...one, time }));
}

/** A transaction with another txid gives no result. */
function alone({ bytes, height, wanted }: FullBytes, hash: Blake2b256): Found[] {
  const transaction = parseTransaction(bytes);
  const id = txid(transaction, hash);
  const named = wanted.find((one) => equalBytes(one.txid, id));
  if (named === undefined || !hasShieldedParts(transaction)) return [];
  return [{ transaction, id, txIndex: 0, height, notes: named.notes }];
}

/** Known notes of one key in one pool, with the rows of their outputs. */
interface KeyNotes {
  readonly key: IncomingKey;
  readonly columns: OutputColumnsBuilder;
  readonly rows: { readonly found: Found; readonly note: KnownNote }[];
}

/** All notes of a key at once, because a batch costs the kernel little more than one note. */
function readMemos(
  found: readonly Found[],
  incoming: readonly IncomingKey[],
  heights: ScanHeights,
  decryptor: TrialDecryptor,
): Map<Found, NoteMemo[]> {
  const byKey = new Map<string, KeyNotes>();
  for (const one of found) {
    for (const note of one.notes) addNote(byKey, one, note, incoming, heights);
  }
  const memos = new Map<Found, NoteMemo[]>();
  for (const { key, columns, rows } of byKey.values()) {
    const encryptionKeys = decryptor.encryptionKeys(columns.columns(), key);
    rows.forEach(({ found: one, note }, row) => {
      const memo = openMemo(one, note, encryptionKeys[row] ?? [], heights, decryptor);
      if (memo === undefined) return;
      const { pool, account, outputIndex } = note;
      memos.set(one, [...(memos.get(one) ?? []), { pool, account, outputIndex, memo }]);
    });
  }
  return memos;
}

function addNote(
  byKey: Map<string, KeyNotes>,
  found: Found,
  note: KnownNote,
  incoming: readonly IncomingKey[],
  heights: ScanHeights,
): void {
  const { pool, account, scope, outputIndex } = note;
  const { protocol } = POOL[pool];
  const key = incoming.find(
    (one) => one.protocol === protocol && one.account === account && one.scope === scope,
  );
  const { records, layout } = outputsOf(found.transaction, pool);
  // A compact server may have reported an output that does not exist.
  if (key === undefined || outputIndex >= records.count) return;
  const name = `${pool} ${account} ${scope}`;
  const notes = byKey.get(name) ?? { key, columns: new OutputColumnsBuilder(pool), rows: [] };
  byKey.set(name, notes);
  const leadBytes = allowedLeadBytes(pool, found.height, heights);
  // Only nullifiers need positions, and this code reads none.
  notes.columns.append(records.bytes, outputIndex * records.size, layout, 0, leadBytes);
  notes.rows.push({ found, note });
}

/** The memo, if one of the keys opens the output to the known note. */
function openMemo(
  { transaction, height }: Found,
  { pool, outputIndex, value }: KnownNote,
  encryptionKeys: readonly Uint8Array[],
  heights: ScanHeights,
  decryptor: TrialDecryptor,
): Uint8Array | undefined {
  const { encCiphertext } = fullOutput(transaction, pool, outputIndex);
  for (const encryptionKey of encryptionKeys) {
    const plaintext = decryptor.open(encryptionKey, encCiphertext);
    if (plaintext === undefined) continue;
    const isKnown =
      isLeadByteAllowed(allowedLeadBytes(pool, height, heights), plaintext[0]!) &&
      parseNotePlaintext(plaintext).value === BigInt(value);
    const memo = isKnown ? plaintext.slice(COMPACT_PLAINTEXT_SIZE) : undefined;
    wipe(plaintext);
    return memo;
  }
  return undefined;
}

function sentOutputs(
  { transaction, id, txIndex, height }: Found,
  outgoing: readonly OutgoingKey[],
  heights: ScanHeights,
  decryptor: TrialDecryptor,
): SentOutput[] {
  const sent: SentOutput[] = [];
  const ovks = outgoing.map(({ ovk }) => ovk);
  for (const pool of POOLS) {
    const leadBytes = allowedLeadBytes(pool, height, heights);
    const { count } = outputsOf(transaction, pool).records;
    for (let outputIndex = 0; outputIndex < count; outputIndex++) {
      const { encCiphertext, ...output } = fullOutput(transaction, pool, outputIndex);
      const recovered = decryptor.recover(pool, { ...output, ciphertext: encCiphertext }, ovks, leadBytes);
      if (recovered === undefined) continue;
      const { account, scope } = outgoing[recovered.keyIndex]!;
      const { recipient, memo, plaintext } = recovered;
      const value = Number(plaintext.value);
      sent.push({
        pool,
        account,
        scope,
        txid: copyOf(id),
        height,
        txIndex,
        outputIndex,
        value,
        recipient,
        memo,
      });
    }
  }
  return sent;
}

/** The values of transparent inputs are in other transactions. */
function paidByPools({ transparent, sprout, sapling, ...pools }: Transaction): PaidByPools | undefined {
  if (transparent.inputCount > 0 || sprout.joinSplits.count > 0) return undefined;
  let leaving = sapling.valueBalance;
  let inputs = sapling.spends.count;
  for (const pool of ACTION_POOLS) {
    leaving += pools[pool].valueBalance;
    inputs += pools[pool].actions.count;
  }
  const out = transparentOutputs(transparent).reduce((total, { value }) => total + value, 0n);
  return { leaving: Number(leaving), fee: Number(leaving - out), inputs };
}
