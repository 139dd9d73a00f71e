// When a block was made, from its height, and which height a time has.

export { blockSecondsAt, blocksIn, heightAfter, secondsBetween } from '../zcash/blockSpacing.ts';
export { blockBefore, blockTimes, timeNear } from '../zcash/blockTimes.ts';
