// What only full transactions contain: the memos of notes found in compact blocks, and the outputs that our own
// transactions sent, recovered with the outgoing viewing keys.
import type { Height } from '../../values/height.ts';
import { equalBytes, wipe } from '../bytes.ts';
import { walkBlock } from '../encoding/block.ts';
import { checkMerkleRoot } from '../encoding/merkleRoot.ts';
import { hasShieldedParts, parseTransaction, type Transaction } from '../encoding/transaction.ts';
import { transparentOutputs } from '../encoding/transparentBundle.ts';
import { txid } from '../encoding/txid.ts';
import { type Blake2b256, blake2b256 } from '../hashes/blake2.ts';
import { copyOf, type TxId } from '../identifiers.ts';
import type { IncomingKey, OutgoingKey } from '../keys/decryptionKeys.ts';
import { MAX_MONEY } from '../network.ts';
import { open } from '../notes/noteCipher.ts';
import type { NoteScheme } from '../notes/noteScheme.ts';
import { NOTE_SCHEMES } from '../notes/noteSchemes.ts';
import { COMPACT_PLAINTEXT_SIZE } from '../notes/plaintext.ts';
import { type RecoveredNote, tryRecoverNote } from '../notes/recovery.ts';
import { ACTION_POOLS, POOL, POOLS, type Pool } from '../pools.ts';
import { EMPTY_TREES } from '../treeSizes.ts';
import { type FullOutput, fullOutput } from './fullOutput.ts';
import { addRawTransaction } from './readRawBlock.ts';
import { ShieldedParts } from './shieldedParts.ts';
import type { PaidByPools, ScanHeights, SentOutput, TrialDecryptor } from './types.ts';

export interface NoteMemo {
  readonly pool: Pool;
  readonly outputIndex: number;
  /** 512 bytes. */
  readonly memo: Uint8Array;
}

export interface FullTransaction {
  readonly txid: TxId;
  /** Memos of the outputs that the incoming keys open. */
  readonly memos: readonly NoteMemo[];
  /** Outputs that the outgoing keys open, including change when the internal key was passed. */
  readonly sent: readonly SentOutput[];
  /** Undefined where transparent inputs or JoinSplits paid as well. */
  readonly paid?: PaidByPools;
}

export interface FullBlockTransactions {
  /** Seconds since 1970. */
  readonly time: number;
  readonly transactions: readonly FullTransaction[];
}

export interface EnhancementKeys {
  readonly incoming: readonly IncomingKey[];
  readonly outgoing: readonly OutgoingKey[];
}

/**
 * Reads the named transactions of a raw block; those that it does not contain are left out.
 * FormatError when the transactions are not those of the block's header.
 */
export function enhanceFromBlock(
  block: Uint8Array,
  height: Height,
  txids: readonly TxId[],
  keys: EnhancementKeys,
  heights: ScanHeights,
  decryptor: TrialDecryptor,
  hash: Blake2b256 = blake2b256,
): FullBlockTransactions {
  const ids: TxId[] = [];
  const wanted: { readonly transaction: Transaction; readonly index: number }[] = [];
  const { merkleRoot, time } = walkBlock(block, (transaction, index) => {
    const id = txid(transaction, hash);
    ids.push(id);
    if (hasShieldedParts(transaction) && txids.some((named) => equalBytes(named, id))) {
      wanted.push({ transaction, index });
    }
  });
  checkMerkleRoot(ids, merkleRoot, height);
  const transactions = wanted.map(({ transaction, index }) =>
    enhance(transaction, ids[index]!, index, height, keys, heights, decryptor),
  );
  return { time, transactions };
}

/**
 * Reads one raw transaction that is mined at `height` (or may be, at the next height). Its index in the block is not
 * in its bytes: `txIndex` goes into the result as it is.
 */
export function enhanceFromTransaction(
  bytes: Uint8Array,
  height: Height,
  txIndex: number,
  keys: EnhancementKeys,
  heights: ScanHeights,
  decryptor: TrialDecryptor,
): FullTransaction | undefined {
  const transaction = parseTransaction(bytes);
  if (!hasShieldedParts(transaction)) return undefined;
  return enhance(transaction, txid(transaction), txIndex, height, keys, heights, decryptor);
}

function enhance(
  transaction: Transaction,
  id: TxId,
  txIndex: number,
  height: Height,
  keys: EnhancementKeys,
  heights: ScanHeights,
  decryptor: TrialDecryptor,
): FullTransaction {
  const memos: NoteMemo[] = [];
  const sent: SentOutput[] = [];
  const parts = new ShieldedParts(heights);
  // Positions only matter for Sapling nullifiers, which nobody reads here.
  parts.beginBlock(height, EMPTY_TREES);
  addRawTransaction(parts, transaction, txIndex, id);
  for (const pool of POOLS) {
    const columns = parts.columns(pool);
    if (columns.count === 0) continue;
    const outputAt = (index: number): FullOutput => fullOutput(transaction, pool, index);
    for (const { row, encryptionKey } of decryptor.decrypt(columns, keys.incoming)) {
      const plaintext = open(encryptionKey, outputAt(row).encCiphertext);
      if (plaintext === undefined) continue;
      memos.push({ pool, outputIndex: row, memo: plaintext.slice(COMPACT_PLAINTEXT_SIZE) });
      wipe(plaintext);
    }
    for (let outputIndex = 0; outputIndex < columns.count; outputIndex++) {
      const recovered = recoverOutput(
        NOTE_SCHEMES[pool],
        outputAt(outputIndex),
        columns.leadBytes[outputIndex]!,
        keys.outgoing,
      );
      if (recovered === undefined) continue;
      const { account, scope } = recovered.key;
      const { recipient, memo, plaintext } = recovered.note;
      sent.push({
        pool,
        account,
        scope,
        txid: copyOf(id),
        height,
        txIndex,
        outputIndex,
        value: Number(plaintext.value),
        recipient,
        memo,
      });
    }
  }
  const paid = paidByPools(transaction);
  return { txid: copyOf(id), memos, sent, ...(paid !== undefined && { paid }) };
}

/** What transparent inputs are worth stands in other transactions. */
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

interface RecoveredOutput {
  readonly key: OutgoingKey;
  readonly note: RecoveredNote;
}

function recoverOutput<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  { encCiphertext, ...output }: FullOutput,
  leadBytes: number,
  outgoing: readonly OutgoingKey[],
): RecoveredOutput | undefined {
  const full = { ...output, ciphertext: encCiphertext };
  const { protocol } = POOL[scheme.pool];
  for (const key of outgoing) {
    if (key.protocol !== protocol) continue;
    const note = tryRecoverNote(scheme, full, key.ovk, leadBytes);
    if (note !== undefined && note.plaintext.value <= MAX_MONEY) return { key, note };
  }
  return undefined;
}
