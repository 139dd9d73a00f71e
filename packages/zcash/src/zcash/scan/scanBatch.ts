// One scan task: finds the notes and nullifiers in blocks. Raw and compact blocks give the same notes, except that only
// raw ones have memos.

import { wipe } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { walkCompactTransaction } from '../encoding/compactItems.ts';
import { ProtobufReader } from '../encoding/protobuf.ts';
import { type Blake2b256, blake2b256 } from '../hashes/blake2.ts';
import { copyOf } from '../identifiers.ts';
import type { IncomingKey } from '../keys/decryptionKeys.ts';
import { createDiversifierCipher } from '../keys/diversifierCipher.ts';
import { COMPACT_PLAINTEXT_SIZE, parseNotePlaintext } from '../notes/plaintext.ts';
import type { EncryptedOutput } from '../notes/trialDecryption.ts';
import { POOLS, type Pool, perPool } from '../pools.ts';
import { NODE_BYTES } from '../trees/levelHash.ts';
import { fullOutput } from './fullOutput.ts';
import { readRawBlock } from './readRawBlock.ts';
import { ShieldedParts, type ShieldedTransaction } from './shieldedParts.ts';
import type {
  BlockBatch,
  DecryptedOutput,
  FoundNote,
  OutputColumns,
  ScanHeights,
  ScannedBlock,
  TrialDecryptor,
} from './types.ts';

/** Scans the blocks of the batch in order. FormatError when a block is malformed; the batch then has no result. */
export function scanBatch(
  batch: BlockBatch,
  keys: readonly IncomingKey[],
  heights: ScanHeights,
  decryptor: TrialDecryptor,
  hash: Blake2b256 = blake2b256,
): ScannedBlock[] {
  return scanBatchForAll(batch, [keys], heights, decryptor, hash)[0]!;
}

/**
 * One pass for several key owners: each gets the result of `scanBatch` with its keys alone. The blocks are read once,
 * and further keys cost the decryptor far less than the first ones.
 */
export function scanBatchForAll(
  batch: BlockBatch,
  owners: readonly (readonly IncomingKey[])[],
  heights: ScanHeights,
  decryptor: TrialDecryptor,
  hash: Blake2b256 = blake2b256,
): ScannedBlock[][] {
  const parts = new ShieldedParts(heights);
  const blocks = batch.blocks.map((ref) => {
    parts.beginBlock(ref.height, ref.treeSizes);
    const bytes = new Uint8Array(batch.buffer, ref.offset, ref.length);
    const time =
      batch.format === 'raw' ? readRawBlock(bytes, ref.height, parts, hash) : readCompactBlock(bytes, parts);
    const treeSizes = parts.endBlock();
    parts.plant(batch.planted?.filter(({ height }) => height === ref.height) ?? []);
    return { ref, time, treeSizes, notes: owners.map((): FoundNote[] => []) };
  });
  const keys = owners.flat();
  const ownerOf = owners.flatMap((own, owner) => own.map(() => owner));
  for (const { pools, keyIndexes } of searchesWith(keys)) {
    const searched = pools.map((pool) => parts.columns(pool));
    const all = decryptor.decryptAll(
      searched,
      keyIndexes.map((index) => keys[index]!),
    );
    for (const [i, found] of all.entries()) {
      const columns = searched[i]!;
      const { pool } = columns;
      for (const output of found) {
        const transaction = parts.transactionOf(pool, output.row);
        const { ref, notes } = blocks[transaction.block]!;
        const position = columns.positions[output.row]!;
        const keyIndex = keyIndexes[output.keyIndex]!;
        notes[ownerOf[keyIndex]!]!.push({
          ...foundNote(decryptor, pool, output, transaction, position, ref.height, keys[keyIndex]!),
          output: outputOf(columns, output.row),
        });
      }
    }
  }
  const revealed = parts.revealedNullifiers();
  // Planted outputs are no leaves.
  const leaves = batch.planted === undefined ? perPool((pool) => parts.columns(pool).commitments) : undefined;
  return owners.map((_, owner) =>
    blocks.map(({ ref, time, treeSizes, notes }, block) => ({
      height: ref.height,
      hash: copyOf(ref.hash),
      prevHash: copyOf(ref.prevHash),
      time,
      treeSizes,
      outputCount: POOLS.reduce((sum, pool) => sum + treeSizes[pool] - ref.treeSizes[pool], 0),
      ...(block === 0 && leaves && { leaves }),
      notes: notes[owner]!.sort(
        (a, b) => a.txIndex - b.txIndex || POOLS.indexOf(a.pool) - POOLS.indexOf(b.pool),
      ),
      nullifiers: revealed[block] ?? [],
    })),
  );
}

interface Search {
  readonly pools: Pool[];
  readonly keyIndexes: readonly number[];
}

/** Pools that are searched with the same keys share a search: the kernel joins their outputs. */
function searchesWith(keys: readonly IncomingKey[]): Iterable<Search> {
  const searches = new Map<string, Search>();
  for (const pool of POOLS) {
    const keyIndexes = [...keys.keys()].filter((index) => keys[index]!.without?.includes(pool) !== true);
    const name = keyIndexes.join();
    const search = searches.get(name) ?? { pools: [], keyIndexes };
    search.pools.push(pool);
    searches.set(name, search);
  }
  return searches.values();
}

/** Copies: a view would send whole columns between threads. */
function outputOf(
  { nullifiers, commitments, ephemeralKeys, ciphertexts }: OutputColumns,
  row: number,
): EncryptedOutput {
  const field = (column: Uint8Array, size: number) => column.slice(row * size, (row + 1) * size);
  return {
    rho: field(nullifiers, 32),
    commitment: field(commitments, NODE_BYTES),
    ephemeralKey: field(ephemeralKeys, 32),
    ciphertext: field(ciphertexts, COMPACT_PLAINTEXT_SIZE),
  };
}

export function foundNote(
  decryptor: TrialDecryptor,
  pool: Pool,
  decrypted: DecryptedOutput,
  transaction: ShieldedTransaction,
  position: number,
  height: Height,
  key: IncomingKey,
): FoundNote {
  const plaintext = parseNotePlaintext(decrypted.plaintext);
  const outputIndex = decrypted.row - transaction.before.outputs[pool];
  return {
    pool,
    account: key.account,
    scope: key.scope,
    value: Number(plaintext.value),
    height,
    txid: copyOf(transaction.txid),
    txIndex: transaction.txIndex,
    outputIndex,
    position,
    nullifier: decrypted.nullifier,
    diversifier: plaintext.diversifier.slice(),
    diversifierIndex: createDiversifierCipher(key.dk).indexOf(plaintext.diversifier),
    memo: openMemo(decryptor, decrypted, transaction, pool, outputIndex),
  };
}

/** A wrong tag loses the memo, not the note: the compact form has no tag, and both forms must give the same notes. */
function openMemo(
  decryptor: TrialDecryptor,
  { encryptionKey }: DecryptedOutput,
  { full }: ShieldedTransaction,
  pool: Pool,
  outputIndex: number,
): Uint8Array | null {
  if (full === undefined) return null;
  const plaintext = decryptor.open(encryptionKey, fullOutput(full, pool, outputIndex).encCiphertext);
  if (plaintext === undefined) return null;
  const memo = plaintext.slice(COMPACT_PLAINTEXT_SIZE);
  wipe(plaintext);
  return memo;
}

// Reads shielded parts from CompactBlock messages (light wallet protocol 0.5.0). The fields that identify and link the
// block are read on arrival (`summarizeCompactBlock`).

/** Returns the block's time, in seconds since 1970. FormatError when one of its items is malformed. */
export function readCompactBlock(bytes: Uint8Array, parts: ShieldedParts): number {
  const reader = new ProtobufReader(bytes);
  let time = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 5) time = reader.uint32();
    else if (field === 7) {
      const before = parts.counts();
      const head = walkCompactTransaction(reader, bytes, parts);
      parts.addTransaction(before, { ...head, full: undefined });
    } else reader.skipValue();
  }
  return time;
}
