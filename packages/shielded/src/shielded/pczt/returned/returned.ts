// Takes back a PCZT of ours that a signer or a prover had: ours with what is new, or what was changed in it. Nothing of
// the other side is believed: what it says is held against ours, and signatures against what ours does.
import { equalBytes } from '../../bytes.ts';
import { signsAnchors } from '../../encoding/txid.ts';
import { ACTION_POOLS, POOLS, type Pool } from '../../pools.ts';
import { hasCompactFields, resolvingCompactFields } from '../compactFields.ts';
import { ALL_MODIFIABLE, isOpen } from '../modifiable.ts';
import type { Pczt } from '../pczt.ts';
import { finish, type Steps } from '../steps.ts';
import { clearAnchor } from '../updater.ts';
import type { At } from './at.ts';
import { byTelling, type ReturnChange } from './changes.ts';
import { comparing } from './compare.ts';
import { dummyKeyIn } from './dummyKeys.ts';
import { type Missing, missingOf } from './missing.ts';
import { findingPieces, type PieceOptions, withPieces } from './pieces.ts';

/** What was new, and went into ours: of which spends, outputs or bundles. */
export interface Taken {
  readonly signatures: readonly At[];
  readonly proofs: readonly At[];
  readonly proofKeys: readonly At[];
}

export type Returned =
  | {
      readonly ok: true;
      /** Ours, improved. */
      readonly pczt: Pczt;
      /** All empty where what came back has nothing new, as when a signer did not understand it. */
      readonly taken: Taken;
      /** What other proofs came back for than those that were there, which stayed. */
      readonly otherProofs: readonly At[];
      readonly missing: Missing;
    }
  /** The most telling first, of which there is one at least. Nothing was taken. */
  | { readonly ok: false; readonly changes: readonly ReturnChange[] };

export interface ReturnOptions extends PieceOptions {
  /**
   * Those of ours before it was anchored anew, where anchors are not signed: what was signed then counts, what was proved does not.
   */
  readonly earlierAnchors?: { readonly [P in Pool]?: readonly Uint8Array[] };
}

/**
 * `ours` as it was finalized, with what earlier returns have added. A return with a single wrong piece is refused whole:
 * whoever made it did not have this transaction before him.
 */
export const takeReturned = (ours: Pczt, theirs: Pczt, options: ReturnOptions = {}): Returned =>
  finish(takingReturned(ours, theirs, options));

/** The same in steps, for threads that have others to answer. */
export function* takingReturned(
  original: Pczt,
  returned: Pczt,
  options: ReturnOptions = {},
): Steps<Returned> {
  if (!isFinalized(original)) throw new RangeError('a PCZT that is not finalized never went out');
  const ours = hasCompactFields(original) ? yield* resolvingCompactFields(original) : original;
  const theirs = withoutEarlierAnchors(ours, returned, options.earlierAnchors ?? {});
  const differences = yield* comparing(ours, theirs);
  if (differences.length > 0) return { ok: false, changes: byTelling(differences) };
  const { changes, otherProofs, ...pieces } = yield* findingPieces(ours, theirs, options);
  if (changes.length > 0) return { ok: false, changes: byTelling(changes) };
  const pczt = withPieces(ours, pieces);
  return {
    ok: true,
    pczt,
    taken: {
      signatures: placesOf(pieces.signatures),
      proofs: placesOf(pieces.proofs),
      proofKeys: placesOf(pieces.proofKeys),
    },
    otherProofs,
    missing: missingOf(pczt),
  };
}

/** Witnesses and proofs go with an anchor. */
function withoutEarlierAnchors(
  ours: Pczt,
  theirs: Pczt,
  earlier: NonNullable<ReturnOptions['earlierAnchors']>,
): Pczt {
  const { txVersion } = ours.global;
  if (theirs.global.txVersion !== txVersion || signsAnchors(txVersion)) return theirs;
  return POOLS.reduce((pczt, pool) => {
    const { anchor } = pczt[pool];
    const is = (other: Uint8Array | undefined): boolean =>
      anchor !== undefined && other !== undefined && equalBytes(anchor, other);
    return !is(ours[pool].anchor) && earlier[pool]?.some(is) === true ? clearAnchor(pczt, pool) : pczt;
  }, theirs);
}

const placesOf = (found: ReadonlyMap<string, { readonly at: At }>): At[] =>
  [...found.values()].map(({ at }) => at);

/** Closed, with all that the IO Finalizer adds and without what it removes: what may go out, and come back. */
export const isFinalized = (pczt: Pczt): boolean =>
  dummyKeyIn(pczt) === undefined &&
  !isOpen(pczt, ALL_MODIFIABLE) &&
  ACTION_POOLS.every((pool) => pczt[pool].actions.length === 0 || pczt[pool].bsk !== undefined) &&
  (pczt.sapling.spends.length + pczt.sapling.outputs.length === 0 || pczt.sapling.bsk !== undefined);

export const isNothingNew = ({ signatures, proofs, proofKeys }: Taken): boolean =>
  signatures.length + proofs.length + proofKeys.length === 0;
