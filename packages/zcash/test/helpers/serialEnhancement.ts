// Our own transactions in full as the product once read them, kept as what faster ways are compared with: every output is
// decrypted by trial with every key, one transaction after the other.
import { isDeepStrictEqual } from 'node:util';
import { equalBytes, wipe } from '@wallet-companion/base/bytes';
import { walkBlock } from '../../src/zcash/encoding/block.ts';
import { checkMerkleRoot } from '../../src/zcash/encoding/merkleRoot.ts';
import {
  hasShieldedParts,
  parseTransaction,
  type Transaction,
} from '../../src/zcash/encoding/transaction.ts';
import { transparentOutputs } from '../../src/zcash/encoding/transparentBundle.ts';
import { txid } from '../../src/zcash/encoding/txid.ts';
import { copyOf, type TxId } from '../../src/zcash/identifiers.ts';
import { MAX_MONEY } from '../../src/zcash/network.ts';
import { open } from '../../src/zcash/notes/noteCipher.ts';
import type { NoteScheme } from '../../src/zcash/notes/noteScheme.ts';
import { NOTE_SCHEMES } from '../../src/zcash/notes/noteSchemes.ts';
import { COMPACT_PLAINTEXT_SIZE, parseNotePlaintext } from '../../src/zcash/notes/plaintext.ts';
import { tryRecoverNote } from '../../src/zcash/notes/recovery.ts';
import { POOLS } from '../../src/zcash/pools.ts';
import {
  type EnhancementKeys,
  enhanceTransactions,
  type FullBytes,
  type FullTransaction,
  type KnownNote,
  type NoteMemo,
} from '../../src/zcash/scan/enhanceTransactions.ts';
import { type FullOutput, fullOutput } from '../../src/zcash/scan/fullOutput.ts';
import { addRawTransaction } from '../../src/zcash/scan/readRawBlock.ts';
import { ShieldedParts } from '../../src/zcash/scan/shieldedParts.ts';
import type { PaidByPools, ScanHeights, SentOutput, TrialDecryptor } from '../../src/zcash/scan/types.ts';
import { EMPTY_TREES } from '../../src/zcash/treeSizes.ts';

export interface SerialTransaction extends Pick<FullTransaction, 'txid' | 'time' | 'sent' | 'paid'> {
  readonly memos: readonly (NoteMemo & KnownNote)[];
}

type Full = Pick<FullBytes, 'kind' | 'bytes' | 'height'> & { readonly txids: readonly TxId[] };

/** The named transactions. FormatError when the bytes are malformed. */
export function readSerially(
  { kind, bytes, height, txids }: Full,
  keys: EnhancementKeys,
  heights: ScanHeights,
  decryptor: TrialDecryptor,
): SerialTransaction[] {
  const isNamed = (id: TxId): boolean => txids.some((named) => equalBytes(named, id));
  if (kind === 'transaction') {
    const transaction = parseTransaction(bytes);
    const id = txid(transaction);
    if (!isNamed(id) || !hasShieldedParts(transaction)) return [];
    return [enhanced(transaction, id, 0, height, keys, heights, decryptor)];
  }
  const ids: TxId[] = [];
  const named: { readonly transaction: Transaction; readonly index: number }[] = [];
  const { merkleRoot, time } = walkBlock(bytes, (transaction, index) => {
    const id = txid(transaction);
    ids.push(id);
    if (hasShieldedParts(transaction) && isNamed(id)) named.push({ transaction, index });
  });
  checkMerkleRoot(ids, merkleRoot, height);
  return named.map(({ transaction, index }) => ({
    ...enhanced(transaction, ids[index]!, index, height, keys, heights, decryptor),
    time,
  }));
}

function enhanced(
  transaction: Transaction,
  id: TxId,
  txIndex: number,
  height: number,
  keys: EnhancementKeys,
  heights: ScanHeights,
  decryptor: TrialDecryptor,
): SerialTransaction {
  const memos: (NoteMemo & KnownNote)[] = [];
  const sent: SentOutput[] = [];
  const parts = new ShieldedParts(heights);
  parts.beginBlock(height, EMPTY_TREES);
  addRawTransaction(parts, transaction, txIndex, id);
  for (const pool of POOLS) {
    const columns = parts.columns(pool);
    if (columns.count === 0) continue;
    for (const { row, keyIndex, encryptionKey } of decryptor.decrypt(columns, keys.incoming)) {
      const plaintext = open(encryptionKey, fullOutput(transaction, pool, row).encCiphertext);
      if (plaintext === undefined) continue;
      const { account, scope } = keys.incoming[keyIndex]!;
      const value = Number(parseNotePlaintext(plaintext).value);
      const memo = plaintext.slice(COMPACT_PLAINTEXT_SIZE);
      memos.push({ pool, account, scope, outputIndex: row, value, memo });
      wipe(plaintext);
    }
    for (let outputIndex = 0; outputIndex < columns.count; outputIndex++) {
      const output = fullOutput(transaction, pool, outputIndex);
      const recovered = recover(NOTE_SCHEMES[pool], output, columns.leadBytes[outputIndex]!, keys);
      if (recovered !== undefined)
        sent.push({ ...recovered, pool, txid: copyOf(id), height, txIndex, outputIndex });
    }
  }
  const paid = paidByPools(transaction);
  return { txid: copyOf(id), memos, sent, ...(paid !== undefined && { paid }) };
}

function paidByPools({
  transparent,
  sprout,
  sapling,
  orchard,
  ironwood,
}: Transaction): PaidByPools | undefined {
  if (transparent.inputCount > 0 || sprout.joinSplits.count > 0) return undefined;
  const leaving = sapling.valueBalance + orchard.valueBalance + ironwood.valueBalance;
  const inputs = sapling.spends.count + orchard.actions.count + ironwood.actions.count;
  const out = transparentOutputs(transparent).reduce((total, { value }) => total + value, 0n);
  return { leaving: Number(leaving), fee: Number(leaving - out), inputs };
}

function recover<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  { encCiphertext, ...output }: FullOutput,
  leadBytes: number,
  { outgoing }: EnhancementKeys,
): Pick<SentOutput, 'account' | 'scope' | 'value' | 'recipient' | 'memo'> | undefined {
  for (const { ovk, account, scope } of outgoing) {
    const note = tryRecoverNote(scheme, { ...output, ciphertext: encCiphertext }, ovk, leadBytes);
    if (note === undefined || note.plaintext.value > MAX_MONEY) continue;
    return {
      account,
      scope,
      value: Number(note.plaintext.value),
      recipient: note.recipient,
      memo: note.memo,
    };
  }
  return undefined;
}

/**
 * What the product reads when all that the reference finds are known notes. Throws what is malformed, and when the two do
 * not tell the same.
 */
export function readAsReference(
  full: Full,
  keys: EnhancementKeys,
  heights: ScanHeights,
  decryptor: TrialDecryptor,
): readonly FullTransaction[] {
  const reference = readsOrThrows(() => readSerially(full, keys, heights, decryptor));
  const wanted = full.txids.map((id) => ({
    txid: id,
    notes: (reference.read ?? []).filter((one) => equalBytes(one.txid, id)).flatMap(({ memos }) => memos),
  }));
  const { transactions, malformed } = enhanceTransactions([{ ...full, wanted }], keys, heights, decryptor);
  if ((malformed?.message ?? '') !== (reference.thrown?.message ?? ''))
    throw new Error('one of them alone fails');
  if (malformed !== undefined) throw malformed;
  const reported = ({ txid: id, time, memos, sent, paid }: SerialTransaction | FullTransaction) => ({
    id,
    time,
    paid,
    memos: memos.map(({ pool, account, outputIndex, memo }) => ({ pool, account, outputIndex, memo })),
    sent,
  });
  if (!isDeepStrictEqual(transactions.map(reported), (reference.read ?? []).map(reported)))
    throw new Error('not what the reference reads');
  return transactions;
}

function readsOrThrows<T>(read: () => T): { readonly read?: T; readonly thrown?: Error } {
  try {
    return { read: read() };
  } catch (error) {
    return { thrown: error as Error };
  }
}
