// The made-up main network chain of packages/zcash/test/fixtures/known-seed, as the chain side sees it: 50 blocks around the start of
// Ironwood, and a branch of 8 that leaves it after 44.
import { networkParameters } from '@wallet-companion/zcash/network';
import { readDelimited, readFixtureJson, readRawBlocks } from '@wallet-companion/zcash/test/fixtures';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';

interface ExpectedBlock {
  readonly height: number;
  /** Display order. */
  readonly hash: string;
  /** After the block. */
  readonly sapling: { readonly size: number };
  readonly orchard: { readonly size: number };
  readonly ironwood: { readonly size: number };
}

const expectedBlocks = (file: string): readonly ExpectedBlock[] =>
  readFixtureJson<{ blocks: ExpectedBlock[] }>('known-seed', 'main', file).blocks;

export const FIRST = 3_428_117;
export const TIP = 3_428_166;
export const LAST_COMMON = 3_428_160;
export const BRANCH_TIP = 3_428_168;
export const IRONWOOD = 3_428_143;
export const TREES_BEFORE = poolSizes({ sapling: 37, orchard: 21 });
export const PARAMETERS = networkParameters('main');

export const expectedMain = expectedBlocks('expected-main.json');
export const expectedReorg = expectedBlocks('expected-reorg.json');
export const rawMain = readRawBlocks('known-seed', 'main', 'raw-blocks-main.hex');
export const rawBranch = readRawBlocks('known-seed', 'main', 'raw-blocks-reorg.hex');
export const compactMain = readDelimited('known-seed', 'main', 'compact-main.bin');
export const compactBranch = readDelimited('known-seed', 'main', 'compact-reorg.bin');

/** What a server of this chain says about itself. */
export const MAIN_INFO = {
  version: 'v0.5.3',
  vendor: 'test',
  chainName: 'main',
  saplingActivationHeight: 419_200n,
  consensusBranchId: '37a5165b',
};
