// The networks by name, for the table and the fronts, which know nothing else of them.

export const NETWORKS = ['main', 'test', 'regtest'] as const;
export type Network = (typeof NETWORKS)[number];
