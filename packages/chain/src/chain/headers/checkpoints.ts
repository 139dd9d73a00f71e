// Where a chain of headers begins: a short stretch between two known blocks. Its headers come from anybody, since only the
// true ones end in the second hash, and they are what the work of the next one depends on.
//
// Main and test network: the last two rows of zebra-chain 15.0.0 (crates.io), src/parameters/checkpoint, of October 2026. Newer
// ones come from an own node: `node scripts/checkpoints.mjs NODE_URL COOKIE_FILE`. Each release should bring some.

import type { Height } from '@wallet-companion/base/values';
import { asBlockHashHex, type BlockHash, blockHashFromHex } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { HeaderChainStart } from './headerChain.ts';

export interface KnownHash {
  readonly height: Height;
  readonly hash: BlockHash;
}

/** Two known blocks, far enough apart for the difficulty of what follows. */
export interface Checkpoint {
  readonly below: KnownHash;
  readonly at: KnownHash;
}

const known = (height: Height, hash: string): KnownHash => ({
  height,
  hash: blockHashFromHex(asBlockHashHex(hash)),
});

const CHECKPOINTS = {
  main: {
    below: known(3_522_060, '00000000000705964fc4c75da9cce97978197b666c9dcdfc1bcf8d44cd776e4d'),
    at: known(3_522_460, '000000000045b3f5233ab807e6ca23c991b92fe6726cb268793452af3e22f4f9'),
  },
  test: {
    below: known(4_517_960, '000016d0118a231d63bd24b1df5a4e312d9f8a417463fb02864580aa3ea75cf2'),
    at: known(4_518_360, '00002e1b5ad147980b508a71b3901f9499cdd2be2f2f3c95c46c3446989f3a7a'),
  },
} as const satisfies Record<'main' | 'test', Checkpoint>;

/** Of regtest's first block. */
const REGTEST_TIME = 1_296_688_602;
const REGTEST_BITS = 0x200f_0f0f;

/** Where a network's headers begin: regtest, which is short and whose work is nothing, with its first block. */
export function chainStart({ network, genesisHash }: NetworkParameters): Checkpoint | HeaderChainStart {
  if (network !== 'regtest') return CHECKPOINTS[network];
  const hash = blockHashFromHex(genesisHash);
  return { height: 0, headers: [{ hash, time: REGTEST_TIME, bits: REGTEST_BITS }] };
}
