// The packages of the workspace that are compiled and tested beside the companion, in the order of what needs what.
export const BASE = 'packages/base';
export const ZCASH = 'packages/zcash';
export const PCZT = 'packages/pczt';
export const KERNEL = 'packages/kernel';
/** The protocol: others may use them without the companion, and each has a reference of its doors. */
export const PROTOCOL = [BASE, ZCASH, PCZT, KERNEL];
export const CLIENT = 'packages/client';
export const DASHBOARD = 'packages/dashboard';
export const PACKAGES = [
  ...PROTOCOL,
  'packages/halo2',
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
