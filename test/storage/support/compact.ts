import type {
  CompactStorePlace,
  StoredCompactBlock,
  StoredRange,
} from '../../../src/actors/chain/compactStore.ts';
import { MAIN } from '../../../src/shielded/network.ts';
import { digest } from './ledger.ts';

export const place = (dataDir: string, more: Partial<CompactStorePlace> = {}): CompactStorePlace => ({
  dataDir,
  restrictDbPath: false,
  network: 'main',
  genesisHash: MAIN.genesisHash,
  ...more,
});

/** A made-up chain; a branch name changes every hash from `fork + 1` on. */
export function chainBlock(height: number, branch = '', fork = -1, dataSize = 40): StoredCompactBlock {
  const hashOf = (at: number): Uint8Array => digest(`chain ${at} ${at > fork ? branch : ''}`);
  const data = new Uint8Array(dataSize);
  for (let at = 0; at < dataSize; at += 32) data.set(hashOf(height).subarray(0, dataSize - at), at);
  return { height, hash: hashOf(height), prevHash: hashOf(height - 1), data };
}

export const chain = ({ start, end }: StoredRange, branch = '', fork = -1): StoredCompactBlock[] =>
  Array.from({ length: end - start + 1 }, (_, i) => chainBlock(start + i, branch, fork));

export const everything: StoredRange = { start: 0, end: 2 ** 32 - 1 };
