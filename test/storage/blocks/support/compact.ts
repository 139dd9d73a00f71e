import path from 'node:path';
import type { CompactStorePlace, StoredCompactBlock, StoredRange } from '@wallet-companion/chain/ports';
import { asBlockHash, type BlockHash } from '@wallet-companion/zcash/identifiers';
import { MAIN } from '@wallet-companion/zcash/network';
import { digest } from '../../notes/support/noteDatabase.ts';

/** The compact server of the configuration. */
export const CONFIGURED = 'http://127.0.0.1:9067';

export const place = (dataDir: string, more: Partial<CompactStorePlace> = {}): CompactStorePlace => ({
  dataDir,
  configDir: path.join(dataDir, 'config'),
  restrictDbPath: false,
  network: 'main',
  genesisHash: MAIN.genesisHash,
  server: CONFIGURED,
  configuredServer: CONFIGURED,
  ...more,
});

/** A made-up chain; a branch name changes every hash from `fork + 1` on. */
export function chainBlock(height: number, branch = '', fork = -1, dataSize = 40): StoredCompactBlock {
  const hashOf = (at: number): BlockHash => asBlockHash(digest(`chain ${at} ${at > fork ? branch : ''}`));
  const data = new Uint8Array(dataSize);
  for (let at = 0; at < dataSize; at += 32) data.set(hashOf(height).subarray(0, dataSize - at), at);
  return { height, hash: hashOf(height), prevHash: hashOf(height - 1), data };
}

export const chain = ({ start, end }: StoredRange, branch = '', fork = -1): StoredCompactBlock[] =>
  Array.from({ length: end - start + 1 }, (_, i) => chainBlock(start + i, branch, fork));

export const everything: StoredRange = { start: 0, end: 2 ** 31 - 1 };
