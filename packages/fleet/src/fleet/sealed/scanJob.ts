// One job as bytes: a range of blocks, the keys to try, and outputs that these open although no block has them. Incoming
// viewing keys alone, by number: a worker needs neither nullifier keys (it never learns what is spent) nor diversifier
// keys, account or scope.

import { ByteReader, FormatError } from '@wallet-companion/base/bytes';
import { type Height, MAX_HEIGHT } from '@wallet-companion/base/values';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import type { Network } from '@wallet-companion/zcash/network';
import {
  POOL,
  POOL_UPGRADES,
  POOLS,
  type PoolUpgrade,
  PROTOCOLS,
  poolsByNumber,
} from '@wallet-companion/zcash/pools';
import { bareOutputSize, type PlantedOutput, type ScanHeights } from '@wallet-companion/zcash/scan';
import { ByteWriter } from './byteWriter.ts';
import { FORMAT } from './format.ts';

export type JobKey = Pick<IncomingKey, 'protocol' | 'ivk'>;

export interface ScanJob {
  /** Inclusive. */
  readonly start: Height;
  readonly end: Height;
  readonly heights: ScanHeights;
  readonly keys: readonly JobKey[];
  /** The worker searches them with the outputs of these blocks. */
  readonly planted: readonly PlantedOutput[];
}

/** A job has a network by its place. */
const NETWORKS: readonly Network[] = ['main', 'test', 'regtest'];
const KEY_SIZE = 32;
/** No companion sends more. */
const MAX_KEYS = 100_000;
const MAX_PLANTED = 16;
export const MAX_JOB_BLOCKS = 1_000;
/** Means never: a height that no chain reaches. */
const NEVER = 0xffff_ffff;

const POOL_OF_NUMBER = poolsByNumber(POOLS, 'storedNumber');

const heightOf = (heights: ScanHeights, upgrade: PoolUpgrade): number =>
  Math.min(heights[upgrade] ?? NEVER, NEVER);

/** The caller wipes the result. */
export function encodeJob({ start, end, heights, keys, planted }: ScanJob): Uint8Array {
  const writer = new ByteWriter(64 + keys.length * (KEY_SIZE + 1));
  writer.u8(FORMAT);
  writer.u8(NETWORKS.indexOf(heights.network));
  for (const upgrade of POOL_UPGRADES) writer.u32(heightOf(heights, upgrade));
  writer.u32(start);
  writer.u32(end);
  writer.u32(keys.length);
  for (const { protocol, ivk } of keys) {
    writer.u8(PROTOCOLS.indexOf(protocol));
    writer.bytes(ivk);
  }
  writer.u8(planted.length);
  for (const { height, pool, bytes } of planted) {
    writer.u32(height);
    writer.u8(POOL[pool].storedNumber);
    writer.bytes(bytes);
  }
  return writer.finish();
}

/** The keys are views of the bytes. Throws `FormatError`. */
export function decodeJob(bytes: Uint8Array): ScanJob {
  const reader = new ByteReader(bytes);
  if (reader.u8() !== FORMAT) throw new FormatError('a job of another version of this program');
  const network = NETWORKS[reader.u8()];
  if (network === undefined) throw new FormatError('a job of an unknown network');
  const heights = Object.fromEntries(POOL_UPGRADES.map((upgrade) => [upgrade, reader.u32()]));
  const [start, end] = [reader.u32(), reader.u32()];
  if (start > end || end > MAX_HEIGHT || end - start >= MAX_JOB_BLOCKS)
    throw new FormatError('a job whose range is not valid');
  const count = reader.u32();
  if (count > MAX_KEYS || count * (KEY_SIZE + 1) > reader.remaining)
    throw new FormatError('a job whose keys are not as many as it says');
  const keys = Array.from({ length: count }, (): JobKey => {
    const protocol = PROTOCOLS[reader.u8()];
    if (protocol === undefined) throw new FormatError('a key of an unknown protocol');
    return { protocol, ivk: reader.take(KEY_SIZE) };
  });
  const planted = readPlanted(reader, { start, end });
  if (reader.remaining > 0) throw new FormatError('a job with bytes to spare');
  return { start, end, heights: { network, ...heights } as ScanHeights, keys, planted };
}

function readPlanted(
  reader: ByteReader,
  { start, end }: { readonly start: Height; readonly end: Height },
): PlantedOutput[] {
  const count = reader.u8();
  if (count > MAX_PLANTED) throw new FormatError('a job with too many planted outputs');
  return Array.from({ length: count }, () => {
    const height = reader.u32();
    if (height < start || height > end) throw new FormatError('a planted output of another job');
    const pool = POOL_OF_NUMBER[reader.u8()];
    if (pool === undefined) throw new FormatError('a planted output of an unknown pool');
    return { height, pool, bytes: reader.take(bareOutputSize(pool)) };
  });
}

/** Whether two sides read blocks by the same rules. */
export const isSameChain = (a: ScanHeights, b: ScanHeights): boolean =>
  a.network === b.network && POOL_UPGRADES.every((upgrade) => heightOf(a, upgrade) === heightOf(b, upgrade));
