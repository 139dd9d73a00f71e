// One scan task: blocks in, their notes and nullifiers out. Raw and compact blocks give the same notes, except that
// only raw ones have memos.
import { concatBytes, FormatError } from '../bytes.ts';
import { type Blake2b256, blake2b256 } from '../hashes/blake2.ts';
import { createDiversifierCipher } from '../keys/diversifierCipher.ts';
import { POOLS, type Pool } from '../network.ts';
import { allowedLeadBytes } from '../notes/leadBytes.ts';
import { open } from '../notes/noteCipher.ts';
import { COMPACT_PLAINTEXT_SIZE, parseNotePlaintext } from '../notes/plaintext.ts';
import { type BlockContents, readBlockContents, type ShieldedTransaction } from './blockContents.ts';
import { type OutputRow, packOutputColumns } from './outputColumns.ts';
import type {
  BlockBatch,
  BlockRef,
  DecryptedOutput,
  FoundNote,
  IncomingKey,
  ScanHeights,
  ScannedBlock,
  TreeSizes,
  TrialDecryptor,
  TxNullifiers,
} from './types.ts';

/** An output with where it stands. */
interface PlacedRow extends OutputRow {
  readonly blockIndex: number;
  readonly transaction: ShieldedTransaction;
  readonly outputIndex: number;
}

/** Tree positions are 32-bit: the trees are that deep. */
const MAX_TREE_SIZE = 2 ** 32;

/** Blocks of the batch in order. FormatError when a block is malformed; the batch then has no result. */
export function scanBatch(
  batch: BlockBatch,
  keys: readonly IncomingKey[],
  heights: ScanHeights,
  decryptor: TrialDecryptor,
  hash: Blake2b256 = blake2b256,
): ScannedBlock[] {
  const rows: Record<Pool, PlacedRow[]> = { sapling: [], orchard: [], ironwood: [] };
  const blocks = batch.blocks.map((ref, blockIndex) => {
    const contents = readBlockContents(
      batch.format,
      new Uint8Array(batch.buffer, ref.offset, ref.length),
      hash,
    );
    const treeSizes = placeOutputs(rows, contents, ref, blockIndex, heights);
    return { ref, contents, treeSizes, notes: [] as FoundNote[] };
  });
  for (const pool of POOLS) {
    const placed = rows[pool];
    if (placed.length === 0) continue;
    for (const output of decryptor.decrypt(packOutputColumns(pool, placed), keys)) {
      const row = placed[output.row]!;
      const { ref, notes } = blocks[row.blockIndex]!;
      notes.push(foundNote(pool, output, row, ref.height, keys[output.keyIndex]!));
    }
  }
  return blocks.map(({ ref, contents, treeSizes, notes }) => ({
    height: ref.height,
    hash: ref.hash.slice(),
    prevHash: ref.prevHash.slice(),
    time: contents.time,
    treeSizes,
    outputCount: outputCount(contents),
    notes: notes.sort((a, b) => a.txIndex - b.txIndex),
    nullifiers: contents.transactions.flatMap(revealedNullifiers),
  }));
}

/** Appends the block's outputs with their leaf positions; returns the tree sizes after it. */
function placeOutputs(
  rows: Record<Pool, PlacedRow[]>,
  contents: BlockContents,
  ref: BlockRef,
  blockIndex: number,
  heights: ScanHeights,
): TreeSizes {
  const sizes = { ...ref.treeSizes };
  for (const pool of POOLS) {
    const leadBytes = allowedLeadBytes(pool, ref.height, heights);
    for (const transaction of contents.transactions) {
      for (const [outputIndex, output] of transaction.outputs[pool].entries()) {
        const position = sizes[pool]++;
        rows[pool].push({ output, position, leadBytes, blockIndex, transaction, outputIndex });
      }
    }
    if (sizes[pool] > MAX_TREE_SIZE)
      throw new FormatError(`the ${pool} tree cannot have ${sizes[pool]} leaves`);
  }
  return sizes;
}

function foundNote(
  pool: Pool,
  decrypted: DecryptedOutput,
  row: PlacedRow,
  height: number,
  key: IncomingKey,
): FoundNote {
  const plaintext = parseNotePlaintext(decrypted.plaintext);
  return {
    pool,
    account: key.account,
    scope: key.scope,
    value: Number(plaintext.value),
    height,
    txid: row.transaction.txid().slice(),
    txIndex: row.transaction.txIndex,
    outputIndex: row.outputIndex,
    position: row.position,
    nullifier: decrypted.nullifier,
    diversifier: plaintext.diversifier.slice(),
    diversifierIndex: createDiversifierCipher(key.dk).indexOf(plaintext.diversifier),
    memo: openMemo(decrypted, row),
  };
}

/** A wrong tag loses the memo, not the note: the compact form of the block has no tag to go by. */
function openMemo(decrypted: DecryptedOutput, { output }: PlacedRow): Uint8Array | null {
  if (output.full === undefined) return null;
  const plaintext = open(decrypted.encryptionKey, output.full.encCiphertext);
  return plaintext === undefined ? null : plaintext.slice(COMPACT_PLAINTEXT_SIZE);
}

function revealedNullifiers(transaction: ShieldedTransaction): TxNullifiers[] {
  return POOLS.filter((pool) => transaction.nullifiers[pool].length > 0).map((pool) => ({
    pool,
    txIndex: transaction.txIndex,
    txid: transaction.txid().slice(),
    nullifiers: concatBytes(...transaction.nullifiers[pool]),
  }));
}

const outputCount = (contents: BlockContents): number =>
  contents.transactions.reduce(
    (sum, { outputs }) => sum + outputs.sapling.length + outputs.orchard.length + outputs.ironwood.length,
    0,
  );
