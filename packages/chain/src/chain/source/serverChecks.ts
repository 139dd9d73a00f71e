// What shows that a server is of the configured network and follows its chain: the names of chains, network upgrades, and
// a tip that is possible by now.

import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import { highestTip } from '@wallet-companion/zcash/blocks';
import { isActive, type Network, type NetworkParameters, UPGRADES } from '@wallet-companion/zcash/network';

// A server that did not follow the chain over a network upgrade: all that it says above is of another chain, or stands
// still. Without this check the first thing that does not fit would be reported instead.
export interface ServerRules {
  /** Hexadecimal digits. */
  readonly branchId: string;
  /** The block to whose rules they belong. */
  readonly height: Height;
}

/** `who`: the server, for the message. Throws `code`. A branch id that is not known misses nothing. */
export function checkUpgrades(
  who: string,
  code: 'NODE_BAD_RESPONSE' | 'COMPACT_SERVER_BAD_RESPONSE',
  { branchId, height }: ServerRules,
  { activation, network }: NetworkParameters,
): void {
  const ours = UPGRADES.findLast(({ key }) => isActive(activation, key, height));
  const theirs = UPGRADES.findIndex((row) => row.branchId === Number.parseInt(branchId, 16));
  if (ours === undefined || theirs < 0 || theirs >= UPGRADES.indexOf(ours)) return;
  const cure =
    network === 'regtest'
      ? 'Update it, or set its heights in activation_heights.'
      : 'Update it, or use another one.';
  throw new CompanionError(
    code,
    `${who} missed the network upgrade ${ours.name}: at block ${height} its branch id is ${idText(UPGRADES[theirs]!.branchId)}, and ours is ${idText(ours.branchId)}, from block ${activation[ours.key]} on. ${cure}`,
  );
}

const idText = (branchId: number): string => branchId.toString(16).padStart(8, '0');

// Network upgrades that the server announces and this program does not know. A signature for other rules than those of its
// block is invalid, so nothing is prepared for them.

/** Consensus branch ids from before Sapling: none, and Overwinter's. */
const EARLIEST: readonly number[] = [0, 0x5ba81b19];

interface AnnouncedUpgrade {
  /** Hexadecimal digits; a name where there is no id. */
  readonly branchId?: string;
  readonly name?: string;
  /** The first block under it, or the next block where it is in force. */
  readonly height: Height;
}

/** The height from which on the rules are unknown; undefined where there is none. */
export function unknownUpgrade(announced: readonly AnnouncedUpgrade[]): Height | undefined {
  const heights = announced.filter((one) => !isKnown(one)).map(({ height }) => height);
  return heights.length === 0 ? undefined : Math.min(...heights);
}

function isKnown({ branchId, name }: AnnouncedUpgrade): boolean {
  if (branchId === undefined)
    return name === undefined || UPGRADES.some((row) => plain(row.name) === plain(name));
  const id = Number.parseInt(branchId, 16);
  return Number.isNaN(id) || EARLIEST.includes(id) || UPGRADES.some((row) => row.branchId === id);
}

/** Servers spell names differently: NU6.3, Nu6_3. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

// Released nodes stop by themselves on the main network after a block that their release fixes.

/** For nodes that do not tell it themselves. */
const LAST_BLOCKS: Readonly<Record<string, Height>> = {
  'zebra 6.3.0': 3_564_960,
  'zebra 7.0.0': 3_684_728,
  'zakura 1.3.1': 3_501_339,
  'zakura 1.7.0': 3_640_098,
};

/** `subversion`: as nodes name themselves to their peers, "/Zebra:7.0.0/". Undefined for a version that is not known. */
export function lastBlockOf(subversion: string): Height | undefined {
  const [, software = '', version = ''] =
    /(zebra|zakura)d?[:/ ]v?(\d+\.\d+\.\d+)(?![.\d-])/i.exec(subversion) ?? [];
  return LAST_BLOCKS[`${software.toLowerCase()} ${version}`];
}

// The chain names that nodes and servers report. They cannot distinguish the test network from a regtest: a node
// reports "test" on both.
const CHAIN_NAMES: Readonly<Record<Network, readonly string[]>> = {
  main: ['main'],
  test: ['test'],
  regtest: ['test', 'regtest'],
};

/** `who` is the server, for the message. Throws `NETWORK_MISMATCH`. */
export function checkChainName(who: string, chain: string, network: Network): void {
  if (CHAIN_NAMES[network].includes(chain)) return;
  const known = Object.values(CHAIN_NAMES).some((names) => names.includes(chain));
  throw networkMismatch(who, network, known ? `its chain is "${chain}"` : 'its chain has another name');
}

export const networkMismatch = (who: string, network: Network, why: string): CompanionError =>
  new CompanionError('NETWORK_MISMATCH', `${who} is not on this companion's network, ${network}: ${why}.`);

// Whether a tip that the server announces is possible at this time.

/** Milliseconds since 1970. */
export type WallClock = () => number;

/** The problem, to follow the server's name; undefined when there is none. `other`: which server to use instead. */
export function impossibleTip(
  height: Height,
  parameters: NetworkParameters,
  wallClock: WallClock,
  other: 'node' | 'server',
): string | undefined {
  const highest = highestTip(parameters, wallClock() / 1000);
  if (highest === undefined || height <= highest) return undefined;
  return `says that the chain is at height ${height}, but by this machine's clock it is below ${highest + 1}; check the clock, or ask another ${other}`;
}
