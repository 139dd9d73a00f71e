// The packages of the workspace that are compiled and tested beside the companion, in the order of what needs what.
export const SHIELDED = 'packages/shielded';
export const CLIENT = 'packages/client';
export const DASHBOARD = 'packages/dashboard';
export const PACKAGES = [
  SHIELDED,
  CLIENT,
  'packages/devices',
  DASHBOARD,
  'packages/disk',
  'packages/chain',
  'packages/fleet',
  'packages/prover',
  'packages/devnet',
];
/** For browsers: its types are checked with theirs, and it is bundled. */
export const PAGE = `${DASHBOARD}/src/page`;
