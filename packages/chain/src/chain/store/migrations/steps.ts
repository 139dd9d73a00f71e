// The versions of the compact store. Version 1 is the first; add a step here and the version rises with it
// (docs/storage.md). The table `compactblocks` must stay as it is, because other programs read it.

import type { DatabaseStep } from '@wallet-companion/disk/sqlite';

export type CompactStoreStep = DatabaseStep;

export const COMPACT_STORE_STEPS: readonly CompactStoreStep[] = [];
