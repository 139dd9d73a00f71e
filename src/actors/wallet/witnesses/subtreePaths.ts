// The lower half of paths: from the leaves of one subtree to its root. At most 65,535 leaves are hashed, and only those after
// the best kept part. They are those that were scanned; blocks are read only where the scan kept no leaves (a fleet scanned
// them, or a version that kept none), as the server learns from that where notes are.

import { concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { ChainService } from '@wallet-companion/chain/ports';
import type { EncryptedOutput } from '@wallet-companion/zcash/notes';
import type { Pool } from '@wallet-companion/zcash/pools';
import {
  climb,
  lastRow,
  NODE_BYTES,
  type Row,
  SUBTREE_HEIGHT,
  SUBTREE_LEAVES,
  subtreeOf,
  type TreeState,
} from '@wallet-companion/zcash/trees';
import { keptLeaves, keptOutput, leafRuns } from '../noteStore/leaves/scannedLeaves.ts';
import type { WitnessPart } from '../ports/witnessPart.ts';
import type { Anchor } from './anchor.ts';
import { finalOnes, type KeptPath, keptPath, pathPart } from './keptParts.ts';
import { type LeafSource, type ReadLeaves, readLeaves } from './leafReading.ts';
import { keptStatesBefore, stateAt, stateBefore, type TreeStateSource } from './treeStates.ts';
import { witnessMismatch } from './witnessFailures.ts';

export interface PositionedNote {
  readonly pool: Pool;
  readonly position: number;
  /** Height of its block. */
  readonly height: Height;
}

export interface Subtree {
  readonly index: number;
  /** The expected root. */
  readonly root: Uint8Array;
  /** The block with its last leaf, or the anchor's where it is not full. */
  readonly endHeight: Height;
  /** The block in which it begins, where that is known. */
  readonly beginHeight: Height | undefined;
}

export interface LowerPath {
  readonly leaf: Uint8Array;
  /** What the leaf is of. */
  readonly output: EncryptedOutput;
  /** The 16 lower ones. */
  readonly siblings: readonly Uint8Array[];
}

export interface WitnessSource extends Omit<TreeStateSource, 'chain'>, Omit<LeafSource, 'chain'> {
  readonly chain: TreeStateSource['chain'] & LeafSource['chain'] & ChainService;
  readonly noteStore: TreeStateSource['noteStore'] & LeafSource['noteStore'];
}

export interface LowerPaths {
  /** Keyed by position. */
  readonly paths: ReadonlyMap<number, LowerPath>;
  /** The parts to keep once the paths have proved right. */
  readonly parts: readonly WitnessPart[];
}

export async function lowerPaths(
  source: WitnessSource,
  anchor: Anchor,
  subtree: Subtree,
  notes: readonly PositionedNote[],
): Promise<LowerPaths> {
  const { noteStore, mayUseKept } = source;
  const [{ pool }] = notes as readonly [PositionedNote];
  const { size } = anchor.trees[pool].state;
  const kept = new Map<number, KeptPath>();
  for (const { position } of notes) {
    const path = mayUseKept ? keptPath(noteStore, pool, position) : undefined;
    if (path !== undefined) {
      kept.set(position, {
        ...path,
        siblings: finalOnes(path.siblings, position, Math.min(size, path.size)),
      });
    }
  }
  const paths = new Map<number, LowerPath>();
  const open: PositionedNote[] = [];
  for (const note of notes) {
    const known = kept.get(note.position);
    if (known?.siblings.every(isNode) === true) {
      const { leaf, output } = known;
      paths.set(note.position, { leaf, output, siblings: known.siblings as Uint8Array[] });
    } else open.push(note);
  }
  if (open.length === 0) return { paths, parts: [] };
  const parts: WitnessPart[] = [];
  for (const [position, path] of await climbed(source, anchor, subtree, open, kept)) {
    paths.set(position, path);
    parts.push(pathPart(pool, position, { ...path, size, height: anchor.height }));
  }
  return { paths, parts };
}

async function climbed(
  source: WitnessSource,
  anchor: Anchor,
  subtree: Subtree,
  notes: readonly PositionedNote[],
  kept: ReadonlyMap<number, KeptPath>,
): Promise<Map<number, LowerPath>> {
  const { upstream } = source;
  const [{ pool }] = notes as readonly [PositionedNote];
  const { state, hash } = anchor.trees[pool];
  const mismatch = (why: string) => witnessMismatch(upstream.source, anchor.height, why);
  const begin = subtree.index * SUBTREE_LEAVES;
  const end = Math.min(state.size, begin + SUBTREE_LEAVES);

  const lowest = Math.min(...notes.map((note) => resumeHeight(note, anchor, kept.get(note.position))));
  const wanted = { pool, begin, end, lowest, outputsAt: notes.map(({ position }) => position) };
  const { before, leaves, outputs } =
    (await scannedFrom(source, wanted)) ?? (await readFrom(source, subtree, wanted));
  if (before.size > end) throw mismatch('a tree before is larger than one after');
  const row = rowAfter(before, begin, leaves);
  const { nodes } = row;
  const { top, siblings } = await climb(hash, {
    from: row,
    ommers: before.ommers,
    to: SUBTREE_HEIGHT,
    positions: notes.map(({ position }) => position),
  });
  if (top.first !== subtree.index || !equalBytes(top.nodes, subtree.root)) {
    throw mismatch(`the leaves of subtree ${subtree.index} make another root`);
  }
  return new Map(
    notes.map(({ position }, i) => {
      const known = kept.get(position);
      const at = (position - row.first) * NODE_BYTES;
      const leaf = at >= 0 ? nodes.slice(at, at + NODE_BYTES) : known?.leaf;
      const all = siblings[i]!.map((node, level) => node ?? known?.siblings[level]);
      const output = outputs.find((read) => read.position === position) ?? known?.output;
      if (leaf === undefined || output === undefined || !all.every(isNode)) {
        throw mismatch('what was kept of a path does not fit');
      }
      return [position, { leaf, output, siblings: all }];
    }),
  );
}

/** The leaves of a subtree from `begin` on that follow the tree before, with those of its last row. */
export function rowAfter(before: TreeState, begin: number, leaves: Uint8Array): Row {
  if (before.size <= begin) return { level: 0, first: begin, nodes: leaves };
  const row = lastRow(before);
  return { ...row, nodes: concatBytes(row.nodes, leaves) };
}

interface WantedLeaves {
  readonly pool: Pool;
  /** Index of the subtree's first leaf. */
  readonly begin: number;
  readonly end: number;
  /** A state of a block up to here will do. */
  readonly lowest: Height;
  /** Positions of the notes. */
  readonly outputsAt: readonly number[];
}

interface FoundLeaves extends ReadLeaves {
  /** The tree that the leaves follow, which may end before the subtree. */
  readonly before: TreeState;
}

/** From what was scanned, without a request. Undefined where something was not. */
async function scannedFrom(
  source: WitnessSource,
  { pool, begin, end, lowest, outputsAt }: WantedLeaves,
): Promise<FoundLeaves | undefined> {
  const { noteStore } = source;
  const outputs = outputsAt.flatMap((position) => {
    const output = keptOutput(noteStore, pool, position);
    return output === undefined ? [] : [{ ...output, position }];
  });
  if (outputs.length < outputsAt.length) return undefined;
  const from = (before: TreeState): FoundLeaves | undefined => {
    if (before.size > end) return undefined;
    const leaves = keptLeaves(noteStore, pool, Math.max(before.size, begin), end);
    return leaves && { before, leaves, outputs };
  };
  for (const { state } of keptStatesBefore(source, lowest, pool)) {
    const found = from(state);
    if (found !== undefined) return found;
  }
  // The scan began in the middle of the subtree, at a height that the server knows.
  const run = leafRuns(noteStore).find((one) => one.pool === pool && one.subtree === subtreeOf(begin));
  return run === undefined || run.after > lowest ? undefined : from(await stateAt(source, run.after, pool));
}

async function readFrom(
  source: WitnessSource,
  subtree: Subtree,
  { pool, begin, end, lowest, outputsAt }: WantedLeaves,
): Promise<FoundLeaves> {
  const { height: from, state: before } = await stateBefore(source, lowest, pool);
  const first = before.size > begin ? from + 1 : Math.max(from + 1, subtree.beginHeight ?? 0);
  const heights = { start: Math.max(first, source.saplingActivation), end: subtree.endHeight };
  const range = { start: Math.max(before.size, begin), end, outputsAt };
  return { before, ...(await readLeaves(source, pool, heights, range)) };
}

/** The leaves of the blocks above it are needed. */
function resumeHeight(note: PositionedNote, anchor: Anchor, kept: KeptPath | undefined): number {
  return kept !== undefined && kept.height <= anchor.height ? kept.height : note.height - 1;
}

const isNode = (node: Uint8Array | undefined): node is Uint8Array => node !== undefined;
