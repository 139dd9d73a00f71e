// Stores 10,000 blocks in the folder's compact store and says how many microseconds of processor time that took.

import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { chain, place } from '../blocks/support/compact.ts';

const stores = createCompactStores();
const store = stores.open(undefined, place(process.argv[2] ?? ''));
const batches = Array.from({ length: 10 }, (_, i) => chain({ start: 1 + i * 1000, end: (i + 1) * 1000 }));
const before = process.cpuUsage();
for (const blocks of batches) store.put(blocks);
const { user, system } = process.cpuUsage(before);
stores.close();
process.send?.(user + system, () => process.exit(0));
