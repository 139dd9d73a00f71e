// When a block was made, from its height, and which height a time has.

export { blockSecondsAt, heightAfter, secondsBetween } from '../shielded/blockSpacing.ts';
export { blockBefore, blockTimes, MAX_FUTURE_SECONDS, timeNear } from '../shielded/blockTimes.ts';
