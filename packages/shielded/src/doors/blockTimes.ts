// When a block was made, from its height, and which height a time has.

export { blockSecondsAt, heightAfter, secondsBetween } from '../shielded/blockSpacing.ts';
export { blockBefore, blockTimes, timeNear } from '../shielded/blockTimes.ts';
