export const NETWORKS = ['main', 'test', 'regtest'] as const;
export type Network = (typeof NETWORKS)[number];
