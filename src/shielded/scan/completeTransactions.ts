// What only full transactions tell: the memos of notes that were found in compact blocks, and the outputs that our
// own transactions sent, recovered with the outgoing viewing keys.
import { equalBytes } from '../bytes.ts';
import { walkBlock } from '../chain/block.ts';
import { parseTransaction } from '../chain/transaction.ts';
import { type Blake2b256, blake2b256 } from '../hashes/blake2.ts';
import { MAX_MONEY, POOLS, type Pool } from '../network.ts';
import { allowedLeadBytes } from '../notes/leadBytes.ts';
import { open } from '../notes/noteCipher.ts';
import type { NoteScheme } from '../notes/noteScheme.ts';
import { IRONWOOD, ORCHARD } from '../notes/orchardScheme.ts';
import { COMPACT_PLAINTEXT_SIZE } from '../notes/plaintext.ts';
import { type RecoveredNote, tryRecoverNote } from '../notes/recovery.ts';
import { SAPLING } from '../notes/saplingScheme.ts';
import { type ShieldedOutput, type ShieldedTransaction, shieldedTransaction } from './blockContents.ts';
import { packOutputColumns } from './outputColumns.ts';
import type { IncomingKey, OutgoingKey, ScanHeights, SentOutput, TrialDecryptor } from './types.ts';

export interface NoteMemo {
  readonly pool: Pool;
  readonly outputIndex: number;
  /** 512 bytes. */
  readonly memo: Uint8Array;
}

export interface FullTransaction {
  /** Wire order. */
  readonly txid: Uint8Array;
  /** Memos of the outputs that the incoming keys open. */
  readonly memos: readonly NoteMemo[];
  /** Outputs that the outgoing keys open; change under an internal key is among them when that key was passed. */
  readonly sent: readonly SentOutput[];
}

export interface FullBlockTransactions {
  /** Seconds since 1970. */
  readonly time: number;
  readonly transactions: readonly FullTransaction[];
}

export interface CompletionKeys {
  readonly incoming: readonly IncomingKey[];
  readonly outgoing: readonly OutgoingKey[];
}

/** Reads the named transactions (txids in wire order) of a raw block; those it does not hold are left out. */
export function completeFromBlock(
  block: Uint8Array,
  height: number,
  txids: readonly Uint8Array[],
  keys: CompletionKeys,
  heights: ScanHeights,
  decryptor: TrialDecryptor,
  hash: Blake2b256 = blake2b256,
): FullBlockTransactions {
  const transactions: FullTransaction[] = [];
  const { time } = walkBlock(block, (transaction, index) => {
    const shielded = shieldedTransaction(transaction, index, hash);
    if (shielded === undefined || !txids.some((wanted) => equalBytes(wanted, shielded.txid()))) return;
    transactions.push(complete(shielded, height, keys, heights, decryptor));
  });
  return { time, transactions };
}

/**
 * Reads one raw transaction that is mined at `height` (or may be, at the next height). Its index in the block is not
 * in its bytes: `txIndex` goes into the result as it is.
 */
export function completeFromTransaction(
  bytes: Uint8Array,
  height: number,
  txIndex: number,
  keys: CompletionKeys,
  heights: ScanHeights,
  decryptor: TrialDecryptor,
): FullTransaction | undefined {
  const shielded = shieldedTransaction(parseTransaction(bytes), txIndex, blake2b256);
  return shielded && complete(shielded, height, keys, heights, decryptor);
}

function complete(
  transaction: ShieldedTransaction,
  height: number,
  keys: CompletionKeys,
  heights: ScanHeights,
  decryptor: TrialDecryptor,
): FullTransaction {
  const memos: NoteMemo[] = [];
  const sent: SentOutput[] = [];
  for (const pool of POOLS) {
    const leadBytes = allowedLeadBytes(pool, height, heights);
    const outputs = transaction.outputs[pool];
    if (outputs.length === 0) continue;
    memos.push(...openMemos(pool, outputs, leadBytes, keys.incoming, decryptor));
    for (const [outputIndex, output] of outputs.entries()) {
      const recovered = recoverOutput(pool, output, leadBytes, keys.outgoing);
      if (recovered === undefined) continue;
      const { account, scope } = recovered.key;
      const { recipient, memo, plaintext } = recovered.note;
      sent.push({
        pool,
        account,
        scope,
        txid: transaction.txid().slice(),
        height,
        txIndex: transaction.txIndex,
        outputIndex,
        value: Number(plaintext.value),
        recipient,
        memo: memo.slice(),
      });
    }
  }
  return { txid: transaction.txid().slice(), memos, sent };
}

function openMemos(
  pool: Pool,
  outputs: readonly ShieldedOutput[],
  leadBytes: number,
  incoming: readonly IncomingKey[],
  decryptor: TrialDecryptor,
): NoteMemo[] {
  // Positions only matter for Sapling nullifiers, which nobody reads here.
  const columns = packOutputColumns(
    pool,
    outputs.map((output) => ({ output, position: 0, leadBytes })),
  );
  return decryptor.decrypt(columns, incoming).flatMap(({ row, encryptionKey }) => {
    const full = outputs[row]!.full;
    const plaintext = full && open(encryptionKey, full.encCiphertext);
    return plaintext ? [{ pool, outputIndex: row, memo: plaintext.slice(COMPACT_PLAINTEXT_SIZE) }] : [];
  });
}

interface RecoveredOutput {
  readonly key: OutgoingKey;
  readonly note: RecoveredNote;
}

function recoverOutput(
  pool: Pool,
  output: ShieldedOutput,
  leadBytes: number,
  outgoing: readonly OutgoingKey[],
): RecoveredOutput | undefined {
  if (pool === 'sapling') return recoverWith(SAPLING, output, leadBytes, outgoing);
  return recoverWith(pool === 'orchard' ? ORCHARD : IRONWOOD, output, leadBytes, outgoing);
}

function recoverWith<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  { full, rho, commitment, ephemeralKey }: ShieldedOutput,
  leadBytes: number,
  outgoing: readonly OutgoingKey[],
): RecoveredOutput | undefined {
  if (full === undefined) return undefined;
  const { cv, encCiphertext, outCiphertext } = full;
  const output = { cv, rho, commitment, ephemeralKey, outCiphertext, ciphertext: encCiphertext };
  const protocol = scheme.pool === 'sapling' ? 'sapling' : 'orchard';
  for (const key of outgoing) {
    if (key.protocol !== protocol) continue;
    const note = tryRecoverNote(scheme, output, key.ovk, leadBytes);
    if (note !== undefined && note.plaintext.value <= MAX_MONEY) return { key, note };
  }
  return undefined;
}
