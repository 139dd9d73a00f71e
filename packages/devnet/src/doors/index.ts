// A chain in the process and what makes it move: started, paid, reorganised, and how its accounts must look to a wallet.

export { type BlockClock, clockNear, fixedClock } from '../devnet/blockClock.ts';
export {
  Devnet,
  type DevnetOptions,
  type MineOptions,
  type PayOptions,
  type Reorganisation,
} from '../devnet/devnet.ts';
export { DevnetAccount } from '../devnet/devnetAccount.ts';
export { DevnetError } from '../devnet/devnetError.ts';
export type { OwnedNote } from '../devnet/ownedNotes.ts';
export { type DevnetServing, serveDevnet, type Terminal } from '../devnet/serve.ts';
export {
  type ServeCalls,
  type StartedDevnet,
  type StartOptions,
  startDevnet,
} from '../devnet/startDevnet.ts';
