// Where reading from peers may begin: they serve no note commitment trees, so some come with the program, one in 10,000 blocks
// and the newest (packages/chain/data; source and date stand in the files).
//
// Main begins with block 2,940,000: all headers since an older one would take an hour to judge, and their file has no room for them.
// The block of each is checked by headers: the chain of headers begins with it. Its trees are trusted as the program is: no
// header since Heartwood shows them without more than peers serve. `scripts/checkpoints.mjs` adds newer ones from an own node.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { hexToBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { asBlockHashHex, blockHashFromHex } from '@wallet-companion/zcash/identifiers';
import type { Network, NetworkParameters } from '@wallet-companion/zcash/network';
import { type PerPool, perPool } from '@wallet-companion/zcash/pools';
import { EMPTY_TREE_STATE, readTreeState } from '@wallet-companion/zcash/trees';
import { type Checkpoint, chainStart, type KnownHash } from '../headers/checkpoints.ts';
import type { HeaderChainStart } from '../headers/headerChain.ts';
import type { KnownTrees } from './peerTrees.ts';

/** The trees after a block, and the headers that lead to it. */
export interface Frontier {
  readonly trees: KnownTrees;
  readonly start: Checkpoint | HeaderChainStart;
}

interface KnownRow {
  readonly height: Height;
  /** As explorers show it. */
  readonly hash: string;
}

/** The trees are in hex, as `z_gettreestate` gives them; empty or absent before the pool. */
interface FrontierRow extends KnownRow, Partial<PerPool<string>> {
  readonly below: KnownRow;
}

export interface FrontierFile {
  readonly network: string;
  /** Who showed the frontiers of some heights, and when. */
  readonly sources: readonly {
    readonly name: string;
    readonly licence?: string;
    readonly date: string;
    readonly first: Height;
    readonly last: Height;
  }[];
  /** The lowest first. */
  readonly frontiers: readonly FrontierRow[];
}

export function readFrontierFile(file: string | URL): FrontierFile {
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as FrontierFile;
}

const shipped = (network: Network): FrontierFile =>
  readFrontierFile(new URL(`../../../../data/frontiers_${network}.json.gz`, import.meta.url));

/**
 * The newest frontier below a block, from which on it can be read; without a block the newest of all. Undefined where there is
 * none.
 */
export function frontierBelow(
  parameters: NetworkParameters,
  height: Height = Number.POSITIVE_INFINITY,
): Frontier | undefined {
  const { network, genesisHash } = parameters;
  if (network !== 'regtest') return newestBelow(shipped(network), height);
  const trees = {
    height: 0,
    hash: blockHashFromHex(genesisHash),
    states: perPool(() => EMPTY_TREE_STATE),
  };
  return { trees, start: chainStart(parameters) };
}

export function newestBelow({ frontiers }: FrontierFile, height: Height): Frontier | undefined {
  const row = frontiers.findLast((one) => one.height < height);
  if (row === undefined) return undefined;
  const at = known(row);
  const states = perPool((pool) => readTreeState(hexToBytes(row[pool] ?? '')));
  return { trees: { ...at, states }, start: { below: known(row.below), at } };
}

const known = ({ height, hash }: KnownRow): KnownHash => ({
  height,
  hash: blockHashFromHex(asBlockHashHex(hash)),
});
