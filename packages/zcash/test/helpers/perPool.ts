// What tests say of some pools, made up for all of them: a new pool changes no test that is not about it.

import { regtestParameters } from '../../src/zcash/network.ts';
import type { TreeSizes } from '../../src/zcash/pools.ts';
import type { ScanHeights } from '../../src/zcash/scan/types.ts';
import { EMPTY_TREES } from '../../src/zcash/treeSizes.ts';

/** Tree sizes and counts; of the pools that are left out there is nothing. */
export const poolSizes = (given: Partial<TreeSizes>): TreeSizes => ({ ...EMPTY_TREES, ...given });

/** Every upgrade from block 1 on, where nothing else is said. */
export const scanHeights = (given: Partial<ScanHeights> = {}): ScanHeights => ({
  network: 'regtest',
  ...regtestParameters().activation,
  ...given,
});
