// What a chain source and a compact store are: interfaces and the types that they pass, no code.

export type * from '../chain/ports/chainSource.ts';
export type * from '../chain/ports/compactStore.ts';
export type * from '../chain/ports/types.ts';
