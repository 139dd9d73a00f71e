// The parts of witnesses that are kept: tree states of blocks at rounded heights and at the last anchor; the outputs of the
// wallet's notes, to open them once more; the roots of full subtrees; and the final part of their paths, up to the root of a subtree of 2^16 leaves. A full
// subtree never changes, so its paths are complete for good; for a younger one only newer leaves are read again.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { SubtreeRoot } from '@wallet-companion/chain/ports';
import { type BlockHash, blockHashToHex } from '@wallet-companion/zcash/identifiers';
import type { EncryptedOutput } from '@wallet-companion/zcash/notes';
import { type PerPool, type Pool, perPool } from '@wallet-companion/zcash/pools';
import { isFinal, SUBTREE_HEIGHT } from '@wallet-companion/zcash/trees';
import type { WitnessPart, WitnessPartStore } from '../ports/witnessPart.ts';

/** Serialised trees after a block. */
export interface KeptTrees {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly states: PerPool<Uint8Array>;
}

export interface KeptPath {
  readonly leaf: Uint8Array;
  readonly output: EncryptedOutput;
  /** Of the tree after the block at `height`, which is what the siblings are final in. */
  readonly size: number;
  readonly height: Height;
  /** Up to the root of the subtree; undefined where leaves were missing. */
  readonly siblings: readonly (Uint8Array | undefined)[];
}

interface TreesJson {
  readonly hash: string;
  readonly states: PerPool<string>;
}

interface PathJson {
  readonly leaf: string;
  /** rho, ephemeral key and ciphertext. */
  readonly output: readonly [string, string, string];
  readonly size: number;
  readonly siblings: readonly (string | null)[];
}

type RootJson = readonly [root: string, endHeight: Height];

const treesKey = (height: Height): string => `trees:${height}`;
const LAST_ANCHOR = 'trees:last';
const rootsKey = (pool: Pool): string => `roots:${pool}`;
const pathKey = (pool: Pool, position: number): string => `path:${pool}:${position}`;

export const hasTrees = (store: WitnessPartStore, height: Height): boolean =>
  store.witnessPart(treesKey(height)) !== undefined;

/** Undefined also where they are those of another block. */
export function keptTrees(
  store: WitnessPartStore,
  height: Height,
  hash: BlockHash | undefined,
): PerPool<Uint8Array> | undefined {
  return treesIn(store.witnessPart(treesKey(height)), hash);
}

/** The block of the last anchor. */
export const lastAnchorHeight = (store: WitnessPartStore): Height | undefined =>
  store.witnessPart(LAST_ANCHOR)?.height;

export const lastAnchorTrees = (store: WitnessPartStore, hash: BlockHash): PerPool<Uint8Array> | undefined =>
  treesIn(store.witnessPart(LAST_ANCHOR), hash);

function treesIn(
  part: WitnessPart | undefined,
  hash: BlockHash | undefined,
): PerPool<Uint8Array> | undefined {
  const value = part?.value as TreesJson | undefined;
  if (value === undefined || (hash !== undefined && value.hash !== blockHashToHex(hash))) return undefined;
  return perPool((pool) => hexToBytes(value.states[pool]));
}

export const treesPart = (trees: KeptTrees): WitnessPart => partOf(treesKey(trees.height), trees);

/** Replaces the part of the anchor before. */
export const lastAnchorPart = (trees: KeptTrees): WitnessPart => partOf(LAST_ANCHOR, trees);

function partOf(key: string, { height, hash, states }: KeptTrees): WitnessPart {
  const value: TreesJson = {
    hash: blockHashToHex(hash),
    states: perPool((pool) => bytesToHex(states[pool])),
  };
  return { key, height, value };
}

/** The roots of the pool's first subtrees, in order. */
export function keptRoots(store: WitnessPartStore, pool: Pool): SubtreeRoot[] {
  const roots = (store.witnessPart(rootsKey(pool))?.value ?? []) as readonly RootJson[];
  return roots.map(([root, endHeight]) => ({ root: hexToBytes(root), endHeight }));
}

/** Replaces those that were kept. */
export const rootsPart = (pool: Pool, roots: readonly SubtreeRoot[]): WitnessPart => ({
  key: rootsKey(pool),
  height: roots.at(-1)?.endHeight ?? 0,
  value: roots.map(({ root, endHeight }): RootJson => [bytesToHex(root), endHeight]),
});

export function keptPath(store: WitnessPartStore, pool: Pool, position: number): KeptPath | undefined {
  const part = store.witnessPart(pathKey(pool, position));
  if (part === undefined) return undefined;
  const { leaf: hex, output, size, siblings } = part.value as PathJson;
  const leaf = hexToBytes(hex);
  return {
    leaf,
    output: outputOf(leaf, output),
    size,
    height: part.height,
    siblings: siblings.map((node) => (node === null ? undefined : hexToBytes(node))),
  };
}

function outputOf(commitment: Uint8Array, fields: readonly [string, string, string]): EncryptedOutput {
  const [rho, ephemeralKey, ciphertext] = fields.map(hexToBytes);
  return { rho: rho!, commitment, ephemeralKey: ephemeralKey!, ciphertext: ciphertext! };
}

/** Only the siblings that are final. */
export function pathPart(
  pool: Pool,
  position: number,
  { leaf, output, size, height, siblings }: KeptPath,
): WitnessPart {
  const value: PathJson = {
    leaf: bytesToHex(leaf),
    output: [bytesToHex(output.rho), bytesToHex(output.ephemeralKey), bytesToHex(output.ciphertext)],
    size,
    siblings: finalOnes(siblings, position, size).map((node) =>
      node === undefined ? null : bytesToHex(node),
    ),
  };
  return { key: pathKey(pool, position), height, value };
}

/** The siblings below the root of the subtree that no longer change in a tree that grows from `size`. */
export const finalOnes = (
  siblings: readonly (Uint8Array | undefined)[],
  position: number,
  size: number,
): (Uint8Array | undefined)[] =>
  Array.from({ length: SUBTREE_HEIGHT }, (_, level) =>
    isFinal(position, level, size) ? siblings[level] : undefined,
  );
