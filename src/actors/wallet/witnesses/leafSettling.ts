// Drops leaves that no witness needs any more: those of full subtrees without unspent notes. So that a wallet with notes
// everywhere does not keep the whole tree, no more than some full subtrees stay; in the oldest of the others the paths of the
// notes are hashed, a second of processor time each, and the paths stay for good.

import { POOL } from '@wallet-companion/zcash/pools';
import {
  climb,
  EMPTY_TREE_STATE,
  SUBTREE_HEIGHT,
  SUBTREE_LEAVES,
  subtreeOf,
} from '@wallet-companion/zcash/trees';
import { knownSizes } from '../noteStore/book/knownBlocks.ts';
import {
  endOf,
  FINAL_DEPTH,
  keptLeaves,
  keptOutput,
  type LeafRun,
  leafRuns,
  nameOf,
  withoutRuns,
} from '../noteStore/leaves/scannedLeaves.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { ScanPool } from '../ports/scanPool.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { WitnessPart } from '../ports/witnessPart.ts';
import { pathPart } from './keptParts.ts';
import { poolHash } from './poolHash.ts';
import { rowAfter } from './subtreePaths.ts';
import { keepParts, keptStateAt, type TreeStateSource } from './treeStates.ts';

/** 45 MB. */
const MOST_SUBTREES = 16;

export interface LeafSettling extends TreeStateSource {
  readonly pool: Pick<ScanPool, 'combine' | 'concurrency'>;
  /** As `MOST_SUBTREES`. */
  readonly mostSubtrees?: number;
}

export async function settleLeaves(source: LeafSettling): Promise<void> {
  const { noteStore, mostSubtrees = MOST_SUBTREES } = source;
  const runs = leafRuns(noteStore);
  const finalSizes = knownSizes(noteStore, (noteStore.scannedTop() ?? 0) - FINAL_DEPTH);
  const passed = runs.filter(({ pool, subtree }) => endOf(subtree) <= finalSizes[pool]);
  if (passed.length === 0) return;
  const unspent = unspentIn(noteStore);
  const hasGaps = noteStore.missing().length > 0;
  const isIdle = (run: LeafRun): boolean =>
    unspent(run).length === 0 &&
    run.first + run.count === endOf(run.subtree) &&
    (run.first === run.subtree * SUBTREE_LEAVES || !hasGaps);
  const idle = passed.filter(isIdle);
  const used = passed.filter((run) => !isIdle(run)).sort((a, b) => a.after - b.after);
  const surplus = used.slice(0, Math.max(0, used.length - mostSubtrees));
  for (const run of surplus) keepParts(source, await pathsIn(source, run, unspent(run)));
  const dropped = [...idle, ...surplus];
  if (dropped.length > 0) noteStore.changeLasting(withoutRuns(noteStore, dropped));
}

function unspentIn({ notes }: NoteStore): (run: Pick<LeafRun, 'pool' | 'subtree'>) => readonly StoredNote[] {
  const bySubtree = new Map<string, StoredNote[]>();
  for (const note of notes) {
    if (note.spent !== null) continue;
    const key = nameOf({ pool: note.pool, subtree: subtreeOf(note.position) });
    bySubtree.set(key, [...(bySubtree.get(key) ?? []), note]);
  }
  return (run) => bySubtree.get(nameOf(run)) ?? [];
}

/** Whole lower paths, which nothing vouches for here: a witness compares each with the root. None where leaves are missing. */
async function pathsIn(
  source: LeafSettling,
  { pool, subtree, first, after }: LeafRun,
  notes: readonly StoredNote[],
): Promise<WitnessPart[]> {
  const { noteStore } = source;
  const [begin, end] = [subtree * SUBTREE_LEAVES, endOf(subtree)];
  const before = first === begin ? EMPTY_TREE_STATE : keptStateAt(source, after, pool);
  const leaves = keptLeaves(noteStore, pool, first, end);
  if (leaves === undefined || before === undefined || (first !== begin && before.size !== first)) return [];
  const { siblings } = await climb(poolHash(source.pool, POOL[pool].protocol), {
    from: rowAfter(before, begin, leaves),
    ommers: before.ommers,
    to: SUBTREE_HEIGHT,
    positions: notes.map(({ position }) => position),
  });
  const known = noteStore.blockHeights.find((at) => (noteStore.block(at)?.treeSizes[pool] ?? 0) >= end);
  return notes.flatMap(({ position }, i) => {
    const output = keptOutput(noteStore, pool, position);
    if (output === undefined || known === undefined) return [];
    const path = { leaf: output.commitment, output, size: end, height: known, siblings: siblings[i]! };
    return [pathPart(pool, position, path)];
  });
}
