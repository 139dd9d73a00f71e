// Finds the pieces that may be taken over from a returned PCZT: signatures that verify, proofs, and keys for Sapling
// proofs. Each is checked against ours; nothing else is taken over.
import { bytesToHex, equalBytes } from '@wallet-companion/base/bytes';
import { ACTION_POOLS, type Pool, perActionPool } from '@wallet-companion/zcash/pools';
import { cryptographyOf, shieldedSighash } from '@wallet-companion/zcash/signing';
import { orchardProofSize, SAPLING_PROOF_SIZE } from '@wallet-companion/zcash/transactions';
import { type InputSignature, returnedInputSignature } from '../inputSignatures.ts';
import type { SaplingSpend } from '../layout.ts';
import type { Pczt } from '../pczt.ts';
import { isSameValue } from '../sameValue.ts';
import { checkSaplingSpend } from '../spendChecks.ts';
import type { Steps } from '../steps.ts';
import { effectsOfPczt } from '../transactionParts.ts';
import { type At, bundleAt, itemAt } from './at.ts';
import type { ChangeKind, ReturnChange } from './changes.ts';

export interface PieceOptions {
  /**
   * Proofs are random, so two proofs of one statement differ, and none can be checked here: the first stays, unless the
   * caller knows that it must be replaced, for example because a node refused it.
   */
  readonly replaceProofs?: boolean;
}

type ProofKey = NonNullable<SaplingSpend['proofGenerationKey']>;

/** Pieces by the field of the spend, or of the proved item. */
type Found<T> = ReadonlyMap<string, { readonly at: At; readonly piece: T }>;

interface Pieces {
  /** For transparent inputs. */
  readonly inputSignatures: Found<InputSignature>;
  readonly signatures: Found<Uint8Array>;
  readonly proofs: Found<Uint8Array>;
  readonly proofKeys: Found<ProofKey>;
}

export interface FoundPieces extends Pieces {
  /** Items for which another proof was returned; the existing one stays. */
  readonly otherProofs: readonly At[];
  /** Invalid pieces. If there is one, no piece is taken over. */
  readonly changes: readonly ReturnChange[];
}

type Wrong = (at: At, kind: ChangeKind, field: string) => void;

/** `ours` and `theirs` have the same items in the same order. */
export function* findingPieces(ours: Pczt, theirs: Pczt, options: PieceOptions): Steps<FoundPieces> {
  const changes: ReturnChange[] = [];
  const wrong: Wrong = (at, kind, field) => {
    changes.push({ ...at, kind, field: `${at.field}.${field}` });
  };
  const inputSignatures = yield* newInputSignatures(ours, theirs, wrong);
  const signatures = yield* newSignatures(ours, theirs, wrong);
  const proofKeys = yield* newProofKeys(ours, theirs, wrong);
  return { inputSignatures, signatures, proofKeys, ...newProofs(ours, theirs, options, wrong), changes };
}

/** As below: the first one stays. */
function* newInputSignatures(ours: Pczt, theirs: Pczt, wrong: Wrong): Steps<Found<InputSignature>> {
  const signatures = new Map<string, { at: At; piece: InputSignature }>();
  const effects = ours.transparent.inputs.length > 0 ? effectsOfPczt(ours) : undefined;
  for (const [index, input] of ours.transparent.inputs.entries()) {
    const at = itemAt('transparent', index, 'spend');
    const found = returnedInputSignature(effects!, index, input, theirs.transparent.inputs[index]!);
    if (found === 'wrong') wrong(at, 'signature', 'partialSignatures');
    else if (found !== undefined) signatures.set(at.field, { at, piece: found });
    yield;
  }
  return signatures;
}

interface SignedSpend {
  readonly at: At;
  readonly pool: Pool;
  readonly rk: Uint8Array;
  readonly spendAuthSig: Uint8Array | undefined;
}

const spendsOf = (pczt: Pczt): SignedSpend[] => [
  ...pczt.sapling.spends.map((spend, i) => ({
    ...spend,
    pool: 'sapling' as const,
    at: itemAt('sapling', i, 'spend'),
  })),
  ...ACTION_POOLS.flatMap((pool) =>
    pczt[pool].actions.map(({ spend }, i) => ({ ...spend, pool, at: itemAt(pool, i, 'spend') })),
  ),
];

/** Signatures are random too: an existing one stays, and another one for the same spend must be valid as well. */
function* newSignatures(ours: Pczt, theirs: Pczt, wrong: Wrong): Steps<Found<Uint8Array>> {
  const signatures = new Map<string, { at: At; piece: Uint8Array }>();
  let sighash: Uint8Array | undefined;
  const returned = spendsOf(theirs);
  for (const [i, { at, pool, rk, spendAuthSig }] of spendsOf(ours).entries()) {
    const signature = returned[i]!.spendAuthSig;
    if (signature === undefined || (spendAuthSig && equalBytes(spendAuthSig, signature))) continue;
    sighash ??= shieldedSighash(effectsOfPczt(ours));
    yield;
    if (!cryptographyOf(pool).spendAuth.verify(rk, sighash, signature))
      wrong(at, 'signature', 'spendAuthSig');
    else if (spendAuthSig === undefined) signatures.set(at.field, { at, piece: signature });
  }
  return signatures;
}

/** A proof key makes proofs and cannot spend. It is taken over only if it is proven to belong to the spent note. */
function* newProofKeys(ours: Pczt, theirs: Pczt, wrong: Wrong): Steps<Found<ProofKey>> {
  const keys = new Map<string, { at: At; piece: ProofKey }>();
  for (const [i, spend] of ours.sapling.spends.entries()) {
    const { proofGenerationKey } = theirs.sapling.spends[i]!;
    if (proofGenerationKey === undefined || isSameValue(spend.proofGenerationKey, proofGenerationKey))
      continue;
    yield;
    const at = itemAt('sapling', i, 'spend');
    const { nullifier, rk } = checkSaplingSpend({ ...spend, proofGenerationKey }, NO_OTHER_KEYS);
    const findings = [nullifier, rk];
    if (spend.proofGenerationKey || findings.includes('wrong')) wrong(at, 'proofKey', 'proofGenerationKey');
    else if (!findings.includes('unknown')) keys.set(at.field, { at, piece: proofGenerationKey });
  }
  return keys;
}

const NO_OTHER_KEYS = { ofFvk: () => undefined as never, ofWallet: undefined };

interface Proved {
  readonly at: At;
  readonly size: number;
  readonly zkproof: Uint8Array | undefined;
}

const provedOf = ({ sapling, ...pools }: Pczt): Proved[] => [
  ...(['spends', 'outputs'] as const).flatMap((list) =>
    sapling[list].map(({ zkproof }, i) => ({
      at: itemAt('sapling', i, list === 'spends' ? 'spend' : 'output'),
      size: SAPLING_PROOF_SIZE,
      zkproof,
    })),
  ),
  ...ACTION_POOLS.filter((pool) => pools[pool].actions.length > 0).map((pool) => ({
    at: bundleAt(pool),
    size: orchardProofSize(pools[pool].actions.length),
    zkproof: pools[pool].zkproof,
  })),
];

/** The items that have a proof here, and none in the other copy. */
export const itemsProvedOnlyIn = (pczt: Pczt, other: Pczt): At[] => {
  const others = provedOf(other);
  return provedOf(pczt).flatMap(({ at, zkproof }, i) =>
    zkproof !== undefined && others[i]!.zkproof === undefined ? [at] : [],
  );
};

/** For a proof, only the length can be checked, and that it is not that of another item of this transaction. */
function newProofs(ours: Pczt, theirs: Pczt, { replaceProofs = false }: PieceOptions, wrong: Wrong) {
  const proofs = new Map<string, { at: At; piece: Uint8Array }>();
  const otherProofs: At[] = [];
  const there = provedOf(ours);
  const owners = new Map<string, string>();
  const returned = provedOf(theirs);
  // Two proofs that were swapped may be returned in their right places.
  const stays = (i: number): boolean => !replaceProofs || returned[i]!.zkproof === undefined;
  for (const [i, { at, zkproof }] of there.entries())
    if (zkproof && stays(i)) owners.set(bytesToHex(zkproof), at.field);
  for (const [i, { at, size, zkproof: own }] of there.entries()) {
    const { zkproof } = returned[i]!;
    if (zkproof === undefined) continue;
    // Only bytes with a proof's length are compared: others may be as long as any readable field.
    if (zkproof.length !== size) {
      wrong(at, 'proofLength', 'zkproof');
      continue;
    }
    const bytes = bytesToHex(zkproof);
    const owner = owners.get(bytes) ?? at.field;
    owners.set(bytes, owner);
    if (owner !== at.field) wrong(at, 'proofTwice', 'zkproof');
    else if (own === undefined || (replaceProofs && !equalBytes(own, zkproof)))
      proofs.set(at.field, { at, piece: zkproof });
    else if (!equalBytes(own, zkproof)) otherProofs.push(at);
  }
  return { proofs, otherProofs };
}

/** Returns `ours` with the found pieces. */
export function withPieces(ours: Pczt, { inputSignatures, signatures, proofs, proofKeys }: Pieces): Pczt {
  const signed = <S extends { readonly spendAuthSig: Uint8Array | undefined }>(
    spend: S,
    { field }: At,
  ): S => ({
    ...spend,
    spendAuthSig: spend.spendAuthSig ?? signatures.get(field)?.piece,
  });
  const proved = <P extends { readonly zkproof: Uint8Array | undefined }>(item: P, { field }: At): P => ({
    ...item,
    zkproof: proofs.get(field)?.piece ?? item.zkproof,
  });
  const { transparent, sapling } = ours;
  return {
    ...ours,
    transparent: {
      ...transparent,
      inputs: transparent.inputs.map((input, i) => {
        const found = inputSignatures.get(itemAt('transparent', i, 'spend').field)?.piece;
        return found ? { ...input, partialSignatures: new Map([found]) } : input;
      }),
    },
    sapling: {
      ...sapling,
      spends: sapling.spends.map((spend, i) => {
        const at = itemAt('sapling', i, 'spend');
        const proofGenerationKey = spend.proofGenerationKey ?? proofKeys.get(at.field)?.piece;
        return { ...proved(signed(spend, at), at), proofGenerationKey };
      }),
      outputs: sapling.outputs.map((output, i) => proved(output, itemAt('sapling', i, 'output'))),
    },
    ...perActionPool((pool) => ({
      ...proved(ours[pool], bundleAt(pool)),
      actions: ours[pool].actions.map((action, i) => ({
        ...action,
        spend: signed(action.spend, itemAt(pool, i, 'spend')),
      })),
    })),
  };
}

/**
 * Removes the proofs, which nothing signs: for a prover that makes them again. Signatures stay, and so do the proofs of Sapling
 * spends that `goes` refuses.
 */
export function withoutProofs(pczt: Pczt, goes: (spend: SaplingSpend) => boolean = () => true): Pczt {
  const unproved = <P extends { readonly zkproof: Uint8Array | undefined }>(item: P): P => ({
    ...item,
    zkproof: undefined,
  });
  const { sapling } = pczt;
  return {
    ...pczt,
    sapling: {
      ...sapling,
      spends: sapling.spends.map((spend) => (goes(spend) ? unproved(spend) : spend)),
      outputs: sapling.outputs.map(unproved),
    },
    ...perActionPool((pool) => unproved(pczt[pool])),
  };
}
