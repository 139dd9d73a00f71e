// Witnesses on demand: the paths from notes of the wallet to the roots at one height, for a program that builds a
// transaction. Every returned path was computed here, from the leaf to the root of the anchor.

import { SerialQueue } from '@wallet-companion/base/async';
import { concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { SubtreeRoot, Upstream } from '@wallet-companion/chain/ports';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { EncryptedOutput } from '@wallet-companion/zcash/notes';
import { type PerPool, POOL, POOLS, type Pool, perPool } from '@wallet-companion/zcash/pools';
import {
  climbRoots,
  climbState,
  type MerklePath,
  rootsOfPaths,
  SUBTREE_LEAVES,
  subtreeOf,
} from '@wallet-companion/zcash/trees';
import { CompanionError } from '../../../protocol/errors.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { WitnessPart } from '../ports/witnessPart.ts';
import type { ScannedSession, Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { type Anchor, readAnchor } from './anchor.ts';
import { lastAnchorPart } from './keptParts.ts';
import { type LeafMending, mendLeaves } from './leafMending.ts';
import {
  type LowerPath,
  lowerPaths,
  type PositionedNote,
  type Subtree,
  type WitnessSource,
} from './subtreePaths.ts';
import { fullSubtrees } from './subtreeRoots.ts';
import { keepParts } from './treeStates.ts';
import { WitnessMismatch, witnessMismatch } from './witnessFailures.ts';

export interface NoteWitness {
  /** The note commitment at the position: cmu or cmx. The caller compares it with the note's. */
  readonly leaf: Uint8Array;
  readonly path: MerklePath;
  /** The output that the leaf is of. */
  readonly output: EncryptedOutput;
}

export interface Witnesses {
  readonly anchorHeight: Height;
  readonly blockHash: BlockHash;
  /** Roots of every pool, also of those without a note: a bundle with outputs only has an anchor, too. */
  readonly roots: PerPool<Uint8Array>;
  /** In the order of the notes. */
  readonly notes: readonly NoteWitness[];
}

export interface WitnessNeeds {
  /** Nothing that is kept is used: it has not proved right. */
  readonly afresh?: boolean;
}

/** As in librustzcash: three confirmations of the anchor's block. */
const ANCHOR_DEPTH = 2;

export class WitnessMaker {
  readonly #environment: WalletEnvironment;
  readonly #sessions: Sessions;
  readonly #mending: LeafMending;
  /** One request at a time: each keeps the pool busy, and the next one uses the parts that it kept. */
  readonly #queue = new SerialQueue();

  constructor(environment: WalletEnvironment, sessions: Sessions, mending: LeafMending) {
    this.#environment = environment;
    this.#sessions = sessions;
    this.#mending = mending;
  }

  /** The height at which other wallets put their anchor, too. Throws `INVALID_RANGE` before enough was scanned. */
  usualAnchor({ noteStore }: ScannedSession): Height {
    const top = noteStore.scannedTop();
    if (top !== undefined && noteStore.block(top - ANCHOR_DEPTH) !== undefined) return top - ANCHOR_DEPTH;
    throw new CompanionError(
      'INVALID_RANGE',
      'Too few blocks have been scanned for an anchor. Sync first, then try again.',
    );
  }

  /** Paths of many notes at once, all to the roots after the block at `anchorHeight`, with the outputs that the notes are of. */
  witnesses(
    session: ScannedSession,
    notes: readonly PositionedNote[],
    anchorHeight: Height,
    upstream: Upstream,
    { afresh = false }: WitnessNeeds = {},
  ): Promise<Witnesses> {
    requireAnchor(session, notes, anchorHeight);
    const { chain, logFault } = this.#environment;
    const { noteStore, pool, scanKeys } = session;
    const source: WitnessSource & { readonly pool: Session['pool'] } = {
      chain,
      noteStore,
      pool,
      upstream,
      saplingActivation: scanKeys.heights.sapling,
      mayUseKept: !afresh,
      logFault,
      requireOpen: () => {
        if (this.#sessions.current?.noteStore !== noteStore) throw locked();
      },
    };
    return this.#queue.run(async () => {
      source.requireOpen();
      try {
        return await madeWitnesses(source, notes, anchorHeight);
      } catch (error) {
        // The pool and its tasks ended with the session.
        source.requireOpen();
        // A kept part may be wrong: from a server that lied then, or from a faulty disk.
        if (!(error instanceof WitnessMismatch)) throw error;
        const afresh = { ...source, mayUseKept: false };
        try {
          return await madeWitnesses(afresh, notes, anchorHeight);
        } catch (mismatch) {
          source.requireOpen();
          if (!(mismatch instanceof WitnessMismatch)) throw mismatch;
          await mendLeaves(this.#mending, source, anchorHeight, mismatch);
          return await madeWitnesses(afresh, notes, anchorHeight);
        }
      }
    });
  }
}

const locked = (): CompanionError =>
  new CompanionError('WALLET_LOCKED', 'The wallet was locked meanwhile. Unlock it and try again.');

function requireAnchor(
  { noteStore }: ScannedSession,
  notes: readonly PositionedNote[],
  anchorHeight: Height,
): void {
  const block = noteStore.block(anchorHeight);
  const refuse = (why: string): CompanionError => new CompanionError('INVALID_RANGE', why);
  if (block === undefined || !noteStore.isScanned(anchorHeight)) {
    throw refuse(
      `Block ${anchorHeight} cannot be the anchor: it has to be a scanned block among the chain's last 1,100 or the 11 newest that were scanned, or a multiple of 1,000.`,
    );
  }
  const above = notes.find(
    ({ pool, position, height }) => height > anchorHeight || position >= block.treeSizes[pool],
  );
  if (above === undefined) return;
  throw refuse(
    `The note of block ${above.height} is not in the tree of block ${anchorHeight} yet. Wait for more blocks, or give a higher anchor_height.`,
  );
}

async function madeWitnesses(
  source: WitnessSource & { readonly pool: Session['pool'] },
  notes: readonly PositionedNote[],
  anchorHeight: Height,
): Promise<Witnesses> {
  const anchor = await readAnchor(source, anchorHeight);
  const paths = new Map<PositionedNote, NoteWitness>();
  const parts: WitnessPart[] = [];
  // Requested for every pool or none, whatever the notes are. A failure counts where the roots are needed.
  const subtrees = perPool((pool) => {
    const roots = fullSubtrees(source, pool, fullCount(anchor, pool), anchor.height);
    roots.catch(() => undefined);
    return roots;
  });
  for (const pool of POOLS) {
    const ours = notes.filter((note) => note.pool === pool);
    if (ours.length === 0) continue;
    const made = await pathsOfPool(source, anchor, pool, ours, subtrees[pool]);
    ours.forEach((note, i) => {
      paths.set(note, made.witnesses[i]!);
    });
    parts.push(...made.parts);
  }
  source.requireOpen();
  if (parts.length > 0) {
    const { height, blockHash: hash, states } = anchor;
    keepParts(source, [...parts, lastAnchorPart({ height, hash, states })]);
  }
  return {
    anchorHeight,
    blockHash: anchor.blockHash,
    roots: perPool((pool) => anchor.trees[pool].root),
    notes: notes.map((note) => paths.get(note)!),
  };
}

async function pathsOfPool(
  source: WitnessSource,
  anchor: Anchor,
  pool: Pool,
  notes: readonly PositionedNote[],
  subtrees: Promise<readonly SubtreeRoot[]>,
): Promise<{ readonly witnesses: readonly NoteWitness[]; readonly parts: readonly WitnessPart[] }> {
  const { state, last, hash, root } = anchor.trees[pool];
  const full = fullCount(anchor, pool);
  const wanted = new Map<number, PositionedNote[]>();
  for (const note of notes) {
    const index = subtreeOf(note.position);
    wanted.set(index, [...(wanted.get(index) ?? []), note]);
  }
  // For the youngest subtree alone, the tree state contains all that lies to its left.
  const isYoung = [...wanted.keys()].every((index) => index === full);
  const roots = isYoung ? [] : await subtrees;
  const positions = notes.map(({ position }) => position);
  const upper = isYoung
    ? await climbState(hash, state, last, positions)
    : await climbRoots(hash, withLast(roots, state.size, last.nodes), positions);
  const lower = new Map<number, LowerPath>();
  const parts: WitnessPart[] = [];
  for (const [index, inside] of wanted) {
    const subtree: Subtree = {
      index,
      root: roots[index]?.root ?? last.nodes,
      endHeight: roots[index]?.endHeight ?? anchor.height,
      beginHeight: roots[index - 1]?.endHeight,
    };
    const made = await lowerPaths(source, anchor, subtree, inside);
    for (const [position, path] of made.paths) lower.set(position, path);
    parts.push(...made.parts);
  }
  const whole = positions.map((position, i) => {
    const { leaf, output, siblings } = lower.get(position)!;
    return { leaf, output, position, siblings: [...siblings, ...(upper.siblings[i] as Uint8Array[])] };
  });
  const folded = await rootsOfPaths(hash, whole);
  if (!folded.every((found) => equalBytes(found, root))) {
    const why = `a path does not lead to the root of its ${POOL[pool].name} tree`;
    throw witnessMismatch(source.upstream.source, anchor.height, why);
  }
  return { witnesses: whole.map(({ leaf, output, ...path }) => ({ leaf, output, path })), parts };
}

const fullCount = ({ trees }: Anchor, pool: Pool): number =>
  Math.floor(trees[pool].state.size / SUBTREE_LEAVES);

/** All roots of subtrees in order; the last one where it is not full. */
const withLast = (roots: readonly SubtreeRoot[], size: number, last: Uint8Array): Uint8Array =>
  concatBytes(...roots.map(({ root }) => root), ...(size % SUBTREE_LEAVES === 0 ? [] : [last]));
