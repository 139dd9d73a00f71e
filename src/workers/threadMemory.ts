// How much room a thread has for objects that have just been made. Left alone, V8 of Node 24 lets them fill 128 MB in each
// thread, that of Node 20 32, before it looks which of them are still in use; a quarter of that costs no more time.

import type { ResourceLimits } from 'node:worker_threads';

/** Two thirds of it is what they may fill. */
export const THREAD_MEMORY: ResourceLimits = { maxYoungGenerationSizeMb: 24 };
