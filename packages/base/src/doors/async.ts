// Queues, windows and timers that know nothing of wallets: reading ahead in order, one at a time, giving up in time.

export { type FollowingAbort, following } from '../async/abort.ts';
export { type After, PATIENCE_MS, Patience, systemAfter } from '../async/after.ts';
export { AnswerRoom } from '../async/answerRoom.ts';
export { atDeadline, type Clocks, Deadline, SLICE_MS, systemClocks, type Timers } from '../async/clocks.ts';
export { lowestNotHolding } from '../async/halving.ts';
export { integers, mapInOrder } from '../async/inOrder.ts';
export { type Prefetched, type PrefetchLimits, prefetch } from '../async/prefetch.ts';
export { queueOf, SerialQueue, ShortQueue } from '../async/serialQueue.ts';
