// The names of the networks, for the table and the fronts, which know nothing else about them.

export const NETWORKS = ['main', 'test', 'regtest'] as const;
export type Network = (typeof NETWORKS)[number];
