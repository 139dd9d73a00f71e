// Ranges of blocks that several wallets read at the same time, and what the wait for them was spent on.

export { FetchMeter, type LoopIdle, loopIdle } from '../chain/ranges/fetchMeter.ts';
export type { HeldStore, RunSource } from '../chain/ranges/rangeRun.ts';
export { SharedRanges } from '../chain/ranges/sharedRanges.ts';
