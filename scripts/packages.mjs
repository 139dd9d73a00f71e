// The packages of the workspace that are compiled and tested beside the companion, in the order of what needs what.
export const SHIELDED = 'packages/shielded';
export const CLIENT = 'packages/client';
export const PACKAGES = [SHIELDED, CLIENT, 'packages/fleet', 'packages/devnet'];
