// The calls by which others play with a chain, by name: what they take, and what they do.

export { MAX_BLOCK_BYTES } from '../devnet/blockLimit.ts';
export { INPUTS } from '../devnet/callInputs.ts';
export { type CallTable, callTable } from '../devnet/callTable.ts';
export { Playground } from '../devnet/playground.ts';
