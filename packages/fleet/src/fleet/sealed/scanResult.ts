// A worker's answer as bytes: who it is, the chain data that the wallet needs of each block, and which of the keys opened
// which output in it. No note: the companion reads such a block again itself. Read as hostile input, since a worker is
// another machine.

import { ByteReader, FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { asBlockHash, asTxId } from '@wallet-companion/zcash/identifiers';
import { POOL, POOLS, type Pool, poolsByNumber, type TreeSizes } from '@wallet-companion/zcash/pools';
import type { ScannedBlock, TxNullifiers } from '@wallet-companion/zcash/scan';
import { EMPTY_TREES, leafCount, subtractLeaves } from '@wallet-companion/zcash/trees';
import { ByteWriter } from './byteWriter.ts';
import { FORMAT } from './format.ts';

/** An output that a key of the job opened. */
export interface ReportedHit {
  readonly height: Height;
  /** Index of the job's key, from 0. */
  readonly key: number;
  readonly pool: Pool;
  /** In the pool's tree. Those of planted outputs follow the last of their block, as if they were in it. */
  readonly position: number;
}

export interface ScanResult {
  /** The worker's identity: random bytes since its start, which it could also make up. */
  readonly worker: Uint8Array;
  /** Note commitment tree sizes before the first block. */
  readonly sizesBefore: TreeSizes;
  /** All blocks of the job, in order; without notes. */
  readonly blocks: readonly ScannedBlock[];
  /** In the order of `compareHits`, none twice. */
  readonly hits: readonly ReportedHit[];
}

export const WORKER_ID_BYTES = 8;
const HASH_SIZE = 32;
/** Tree positions have 32 bits. */
const MAX_TREE_SIZE = 2 ** 32;
const POOL_OF_NUMBER = poolsByNumber(POOLS, 'storedNumber');

/** By height, key, pool and position. */
export const compareHits = (a: ReportedHit, b: ReportedHit): number =>
  a.height - b.height ||
  a.key - b.key ||
  POOL[a.pool].storedNumber - POOL[b.pool].storedNumber ||
  a.position - b.position;

export function encodeResult({ worker, sizesBefore, blocks, hits }: ScanResult): Uint8Array {
  const writer = new ByteWriter(256 * 1024);
  writer.u8(FORMAT);
  writer.bytes(worker);
  writer.bytes(blocks[0]!.prevHash);
  writeSizes(writer, sizesBefore);
  for (const block of blocks) writeBlock(writer, block);
  writer.u32(hits.length);
  for (const { height, key, pool, position } of hits) {
    writer.u32(height);
    writer.u32(key);
    writer.u8(POOL[pool].storedNumber);
    writer.u32(position);
  }
  return writer.finish();
}

function writeBlock(writer: ByteWriter, { hash, time, treeSizes, nullifiers }: ScannedBlock): void {
  writer.bytes(hash);
  writer.u32(time);
  writeSizes(writer, treeSizes);
  writer.u32(nullifiers.length);
  for (const revealed of nullifiers) {
    writer.u8(POOL[revealed.pool].storedNumber);
    writer.u32(revealed.txIndex);
    writer.bytes(revealed.txid);
    writer.u32(revealed.nullifiers.length / HASH_SIZE);
    writer.bytes(revealed.nullifiers);
  }
}

function writeSizes(writer: ByteWriter, sizes: TreeSizes): void {
  for (const pool of POOLS) writer.u64(sizes[pool]);
}

/** For a job with these heights and this number of keys. Parts are views of the bytes. Throws `FormatError`. */
export function decodeResult(
  bytes: Uint8Array,
  { start, end, keyCount }: { readonly start: Height; readonly end: Height; readonly keyCount: number },
): ScanResult {
  const reader = new ByteReader(bytes);
  if (reader.u8() !== FORMAT) throw new FormatError('a result of another version of this program');
  const worker = reader.take(WORKER_ID_BYTES);
  let prevHash = asBlockHash(reader.take(HASH_SIZE));
  const sizesBefore = readSizes(reader, EMPTY_TREES);
  let sizes = sizesBefore;
  const blocks: ScannedBlock[] = [];
  for (let height = start; height <= end; height++) {
    const hash = asBlockHash(reader.take(HASH_SIZE));
    const time = reader.u32();
    const treeSizes = readSizes(reader, sizes);
    const outputCount = leafCount(subtractLeaves(treeSizes, sizes));
    blocks.push({
      height,
      hash,
      prevHash,
      time,
      treeSizes,
      outputCount,
      notes: [],
      nullifiers: readNullifiers(reader),
    });
    [prevHash, sizes] = [hash, treeSizes];
  }
  const hits = readHits(reader, { start, end, keyCount });
  if (reader.remaining > 0) throw new FormatError('a result with bytes to spare');
  return { worker, sizesBefore, blocks, hits };
}

/** Trees never shrink. */
function readSizes(reader: ByteReader, least: TreeSizes): TreeSizes {
  const sizes: Record<Pool, number> = { ...least };
  for (const pool of POOLS) {
    const size = reader.u64();
    if (size < BigInt(least[pool]) || size > MAX_TREE_SIZE)
      throw new FormatError('a tree of an impossible size');
    sizes[pool] = Number(size);
  }
  return sizes;
}

function readNullifiers(reader: ByteReader): TxNullifiers[] {
  const count = counted(reader, 1 + 4 + HASH_SIZE + 4);
  return Array.from({ length: count }, () => {
    const pool = POOL_OF_NUMBER[reader.u8()];
    if (pool === undefined) throw new FormatError('nullifiers of an unknown pool');
    const txIndex = reader.u32();
    const txid = asTxId(reader.take(HASH_SIZE));
    return { pool, txIndex, txid, nullifiers: reader.take(counted(reader, HASH_SIZE) * HASH_SIZE) };
  });
}

function readHits(
  reader: ByteReader,
  { start, end, keyCount }: { readonly start: Height; readonly end: Height; readonly keyCount: number },
): ReportedHit[] {
  const count = counted(reader, 4 + 4 + 1 + 4);
  let before: ReportedHit | undefined;
  return Array.from({ length: count }, () => {
    const [height, key] = [reader.u32(), reader.u32()];
    const pool = POOL_OF_NUMBER[reader.u8()];
    if (height < start || height > end) throw new FormatError('a hit of another job');
    if (key >= keyCount) throw new FormatError('a hit of an unknown key');
    if (pool === undefined) throw new FormatError('a hit in an unknown pool');
    const hit = { height, key, pool, position: reader.u32() };
    if (before !== undefined && compareHits(before, hit) >= 0) throw new FormatError('a hit out of order');
    before = hit;
    return hit;
  });
}

/** A count of items of at least that size: refused before any allocation where they cannot fit. */
function counted(reader: ByteReader, leastSize: number): number {
  const count = reader.u32();
  if (count * leastSize > reader.remaining) throw new FormatError('a count that does not fit');
  return count;
}
