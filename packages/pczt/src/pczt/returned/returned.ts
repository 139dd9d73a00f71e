// Accepts our PCZT back from a signer or a prover: returns ours with the new pieces, or the changes in it. The other side is
// not trusted: its fields are compared with ours, and signatures are verified against our effects.

import { equalBytes } from '@wallet-companion/base/bytes';
import { ACTION_POOLS, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { signsAnchors } from '@wallet-companion/zcash/transactions';
import { hasCompactFields, resolvingCompactFields } from '../compactFields.ts';
import { ALL_MODIFIABLE, isOpen } from '../modifiable.ts';
import type { Pczt } from '../pczt.ts';
import { finish, type Steps } from '../steps.ts';
import { clearAnchor } from '../updater.ts';
import type { At } from './at.ts';
import { byReporting, type ReturnChange } from './changes.ts';
import { comparing } from './compare.ts';
import { type Missing, missingOf } from './missing.ts';
import { findingPieces, itemsProvedOnlyIn, type PieceOptions, withPieces } from './pieces.ts';

/** The new pieces that were added to ours, by spend, output or bundle. */
export interface Taken {
  readonly signatures: readonly At[];
  readonly proofs: readonly At[];
  readonly proofKeys: readonly At[];
}

export type Returned =
  | {
      readonly ok: true;
      /** Our PCZT with the new pieces. */
      readonly pczt: Pczt;
      /** All empty where the returned PCZT has nothing new, for example from a signer that did not understand it. */
      readonly taken: Taken;
      /** Items for which another proof was returned; the existing one stays. */
      readonly otherProofs: readonly At[];
      /** Items for which a proof was returned that leads to a lost anchor. */
      readonly lostProofs: readonly At[];
      readonly missing: Missing;
    }
  /** Most important first, at least one. Nothing was taken over. */
  | { readonly ok: false; readonly changes: readonly ReturnChange[] };

export interface ReturnOptions extends PieceOptions {
  /** Our earlier anchors, where anchors are not signed: signatures made under them count, proofs do not. */
  readonly earlierAnchors?: { readonly [P in Pool]?: readonly Uint8Array[] };
  /** The chain no longer has our own anchors either. */
  readonly isAnchorLost?: boolean;
}

/**
 * Holds what a signer or prover gave back against what was sent, field by field, and takes over its signatures, proofs
 * and proof keys. `ours` is the finalized PCZT with the pieces of earlier returns. A return with one wrong piece is
 * refused as a whole: its maker did not have this transaction. RangeError where `ours` is not finalized.
 */
export const takeReturned = (ours: Pczt, theirs: Pczt, options: ReturnOptions = {}): Returned =>
  finish(takingReturned(ours, theirs, options));

/** The same in steps, for threads that also serve other requests. */
export function* takingReturned(
  original: Pczt,
  returned: Pczt,
  options: ReturnOptions = {},
): Steps<Returned> {
  if (!isFinalized(original)) throw new RangeError('a PCZT that is not finalized never went out');
  const ours = hasCompactFields(original) ? yield* resolvingCompactFields(original) : original;
  const theirs = withoutLostAnchors(ours, returned, options);
  const differences = yield* comparing(ours, theirs);
  if (differences.length > 0) return { ok: false, changes: byReporting(differences) };
  const { changes, otherProofs, ...pieces } = yield* findingPieces(ours, theirs, options);
  if (changes.length > 0) return { ok: false, changes: byReporting(changes) };
  const pczt = withPieces(ours, pieces);
  return {
    ok: true,
    pczt,
    taken: {
      signatures: [...placesOf(pieces.inputSignatures), ...placesOf(pieces.signatures)],
      proofs: placesOf(pieces.proofs),
      proofKeys: placesOf(pieces.proofKeys),
    },
    otherProofs,
    lostProofs: itemsProvedOnlyIn(returned, theirs),
    missing: missingOf(pczt),
  };
}

/** Witnesses and proofs are removed together with their anchor. */
function withoutLostAnchors(
  ours: Pczt,
  theirs: Pczt,
  { earlierAnchors = {}, isAnchorLost = false }: ReturnOptions,
): Pczt {
  const { txVersion } = ours.global;
  if (theirs.global.txVersion !== txVersion || signsAnchors(txVersion)) return theirs;
  return POOLS.reduce((pczt, pool) => {
    const { anchor } = pczt[pool];
    const is = (other: Uint8Array | undefined): boolean =>
      anchor !== undefined && other !== undefined && equalBytes(anchor, other);
    const isLost = is(ours[pool].anchor) ? isAnchorLost : earlierAnchors[pool]?.some(is) === true;
    return isLost ? clearAnchor(pczt, pool) : pczt;
  }, theirs);
}

const placesOf = (found: ReadonlyMap<string, { readonly at: At }>): At[] =>
  [...found.values()].map(({ at }) => at);

/** The PCZT is closed, with all that the IO Finalizer adds and without what it removes: it may be sent and returned. */
export const isFinalized = (pczt: Pczt): boolean =>
  dummyKeyIn(pczt) === undefined &&
  !isOpen(pczt, ALL_MODIFIABLE) &&
  ACTION_POOLS.every((pool) => pczt[pool].actions.length === 0 || pczt[pool].bsk !== undefined) &&
  (pczt.sapling.spends.length + pczt.sapling.outputs.length === 0 || pczt.sapling.bsk !== undefined);

/** Whether a returned copy brought nothing that was not there. */
export const isNothingNew = ({ signatures, proofs, proofKeys }: Taken): boolean =>
  signatures.length + proofs.length + proofKeys.length === 0;

// Finds keys of dummy spends, which sign and must not leave the process: the IO Finalizer removes them, but some other
// software is known to leave them in.

/** The field of the first such key; undefined where there is none. */
export function dummyKeyIn(pczt: Pczt): string | undefined {
  const spend = pczt.sapling.spends.findIndex(({ dummyAsk }) => dummyAsk !== undefined);
  if (spend >= 0) return `sapling.spends[${spend}].dummyAsk`;
  for (const pool of ACTION_POOLS) {
    const action = pczt[pool].actions.findIndex(({ spend: { dummySk } }) => dummySk !== undefined);
    if (action >= 0) return `${pool}.actions[${action}].spend.dummySk`;
  }
  return undefined;
}
