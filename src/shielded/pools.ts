// The shielded pools, and what is kept for each of them.

export type Pool = 'sapling' | 'orchard' | 'ironwood';
export const POOLS: readonly Pool[] = ['sapling', 'orchard', 'ironwood'];

export type PerPool<T> = Readonly<Record<Pool, T>>;

/** Leaves of the note commitment trees. */
export type TreeSizes = PerPool<number>;
