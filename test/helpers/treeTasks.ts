// What a scan pool does about note commitment trees, in this thread: for pools that are made up.

import { noteCommitments } from '@wallet-companion/zcash/scan';
import { PLAIN_LEVEL_HASH } from '@wallet-companion/zcash/trees';
import type { ScanPool } from '../../src/actors/wallet/ports/scanPool.ts';

export const TREE_TASKS: Pick<ScanPool, 'leaves' | 'combine'> = {
  leaves: async (batch, pool, range) => noteCommitments(batch, pool, range),
  combine: async (protocol, level, nodes) => PLAIN_LEVEL_HASH[protocol].combineLevel(level, nodes),
};
