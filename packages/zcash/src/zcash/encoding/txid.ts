// Transaction ids and authorizing-data digests: SHA256d up to v4, the ZIP 244 tree of BLAKE2b-256 digests for v5, and
// its v6 form of ZIP 229, in which anchors move from the txid to the authorizing data.

import { asciiBytes, concatBytes, u32ToLeBytes, u64ToLeBytes } from '@wallet-companion/base/bytes';
import { type Blake2b256, blake2b256 } from '../hashes/blake2.ts';
import { doubleSha256 } from '../hashes/sha256.ts';
import { asTxId, type TxId } from '../identifiers.ts';
import type { DigestVersion } from '../network.ts';
import { ACTION_POOLS, type ActionPool } from '../pools.ts';
import type { OrchardBundle } from './orchardBundle.ts';
import { type Records, recordField } from './records.ts';
import type { SaplingBundle } from './saplingBundle.ts';
import type { Transaction } from './transaction.ts';
import { encodeScript, type TransparentBundle, transparentInputs } from './transparentBundle.ts';
import { digestOfNothing, transparentDigest } from './transparentDigest.ts';

/** The given byte ranges of every record, one after another. */
function fieldsOf(
  records: Records,
  ...ranges: readonly (readonly [offset: number, length: number])[]
): Uint8Array[] {
  const fields: Uint8Array[] = [];
  for (let i = 0; i < records.count; i++) {
    for (const [offset, length] of ranges) fields.push(recordField(records, i, offset, length));
  }
  return fields;
}

/** Personalizations are exactly 16 ASCII bytes. */
const P = {
  headers: asciiBytes('ZTxIdHeadersHash'),
  sapling: asciiBytes('ZTxIdSaplingHash'),
  saplingSpends: asciiBytes('ZTxIdSSpendsHash'),
  saplingSpendsCompact: asciiBytes('ZTxIdSSpendCHash'),
  saplingOutputs: asciiBytes('ZTxIdSOutputHash'),
  saplingOutputsCompact: asciiBytes('ZTxIdSOutC__Hash'),
  saplingOutputsMemos: asciiBytes('ZTxIdSOutM__Hash'),
  saplingOutputsNoncompact: asciiBytes('ZTxIdSOutN__Hash'),
  authTransparent: asciiBytes('ZTxAuthTransHash'),
} as const;

interface ActionPersonalizations {
  readonly bundle: Uint8Array;
  readonly compact: Uint8Array;
  readonly memos: Uint8Array;
  readonly noncompact: Uint8Array;
  readonly auth: Uint8Array;
}
const actionPersonalizations = (
  bundle: string,
  compact: string,
  memos: string,
  noncompact: string,
  auth: string,
): ActionPersonalizations => ({
  bundle: asciiBytes(bundle),
  compact: asciiBytes(compact),
  memos: asciiBytes(memos),
  noncompact: asciiBytes(noncompact),
  auth: asciiBytes(auth),
});
const ORCHARD_V5 = actionPersonalizations(
  'ZTxIdOrchardHash',
  'ZTxIdOrcActCHash',
  'ZTxIdOrcActMHash',
  'ZTxIdOrcActNHash',
  'ZTxAuthOrchaHash',
);
const ORCHARD_V6 = actionPersonalizations(
  'ZTxIdOrchardH_v6',
  'ZTxIdOrcActCHash',
  'ZTxIdOrcActMHash',
  'ZTxIdOrcActNHash',
  'ZTxAuthOrchaH_v6',
);
const IRONWOOD_V6 = actionPersonalizations(
  'ZTxIdIronwd_H_v6',
  'ZTxIdIrnActCH_v6',
  'ZTxIdIrnActMH_v6',
  'ZTxIdIrnActNH_v6',
  'ZTxAuthIrnwdH_v6',
);

/** How a transaction version hashes its parts. */
interface DigestForm {
  /** Whether anchors are part of the id, and so signed; otherwise they are part of the authorizing data (ZIP 229). */
  readonly signsAnchors: boolean;
  readonly saplingSpendsNoncompact: Uint8Array;
  readonly authSapling: Uint8Array;
  /** Undefined where the version does not carry the pool. */
  readonly actions: Readonly<Record<ActionPool, ActionPersonalizations | undefined>>;
}

const FORMS: Readonly<Record<DigestVersion, DigestForm>> = {
  5: {
    signsAnchors: true,
    saplingSpendsNoncompact: asciiBytes('ZTxIdSSpendNHash'),
    authSapling: asciiBytes('ZTxAuthSapliHash'),
    actions: { orchard: ORCHARD_V5, ironwood: undefined },
  },
  6: {
    signsAnchors: false,
    saplingSpendsNoncompact: asciiBytes('ZTxIdSSpendNH_v6'),
    authSapling: asciiBytes('ZTxAuthSapliH_v6'),
    actions: { orchard: ORCHARD_V6, ironwood: IRONWOOD_V6 },
  },
};

/** Whether signatures of this version cover the anchors of actions (ZIP 244; not from v6 on). */
export const signsAnchors = (version: DigestVersion): boolean => FORMS[version].signsAnchors;

const signedLeBytes = (value: bigint): Uint8Array => u64ToLeBytes(BigInt.asUintN(64, value));

/** Both are followed by the little-endian branch id. */
const TXID_PREFIX = asciiBytes('ZcashTxHash_');
const AUTH_PREFIX = asciiBytes('ZTxAuthHash_');

const branchPersonalization = (prefix: Uint8Array, branchId: number): Uint8Array =>
  concatBytes(prefix, u32ToLeBytes(branchId));

const NO_AUTH_DIGEST = new Uint8Array(32).fill(0xff);

type SignedSapling = Pick<SaplingBundle, 'spends' | 'outputs' | 'valueBalance' | 'anchor'>;
type SignedActions = Pick<OrchardBundle, 'actions' | 'flags' | 'valueBalance' | 'anchor'>;

/** The parts of a transaction that its id commits to, from v5 on. No version includes proofs and signatures. */
export interface IdentifiedParts extends Readonly<Record<ActionPool, SignedActions>> {
  readonly version: DigestVersion;
  /** Version, group id, branch id, lock time and expiry height as serialized: 20 bytes. */
  readonly header: Uint8Array;
  readonly transparent: TransparentBundle;
  readonly sapling: SignedSapling;
}

/** The digest of each part of the transaction, in hashing order. Pools that the version cannot carry are absent. */
export interface ComponentDigests extends Readonly<Partial<Record<ActionPool, Uint8Array>>> {
  readonly header: Uint8Array;
  readonly transparent: Uint8Array;
  readonly sapling: Uint8Array;
}

export function componentDigests(parts: IdentifiedParts, hash: Blake2b256 = blake2b256): ComponentDigests {
  const form = FORMS[parts.version];
  const digests: { -readonly [C in keyof ComponentDigests]: ComponentDigests[C] } = {
    header: hash(P.headers, [parts.header]),
    transparent: transparentDigest(parts.transparent, hash),
    sapling: saplingDigest(parts.sapling, form, hash),
  };
  for (const pool of ACTION_POOLS) {
    const personalizations = form.actions[pool];
    if (personalizations) digests[pool] = actionsDigest(parts[pool], personalizations, form, hash);
  }
  return digests;
}

/** The root: the txid, or a signature hash if `transparent` is a signature's digest. */
export function rootDigest(
  { header, transparent, sapling, ...pools }: ComponentDigests,
  branchId: number,
  hash: Blake2b256 = blake2b256,
): Uint8Array {
  const parts = [header, transparent, sapling];
  for (const pool of ACTION_POOLS) if (pools[pool]) parts.push(pools[pool]);
  return hash(branchPersonalization(TXID_PREFIX, branchId), parts);
}

/**
 * Transaction id (ZIP 244; below v5 the double hash of the bytes): 32 bytes as on the wire. `hash`: a faster
 * BLAKE2b-256.
 */
export function txid(transaction: Transaction, hash: Blake2b256 = blake2b256): TxId {
  const branchId = transaction.consensusBranchId;
  if (branchId === undefined) return asTxId(doubleSha256(transaction.bytes));
  const header = transaction.bytes.subarray(0, 20);
  const parts = { ...transaction, version: digestVersionOf(transaction), header };
  return asTxId(rootDigest(componentDigests(parts, hash), branchId, hash));
}

/** Only v5 and v6 transactions name their upgrade. */
const digestVersionOf = ({ version }: Transaction): DigestVersion => version as DigestVersion;

/** Digest of proofs, signatures and scripts (a leaf of hashAuthDataRoot); 32 bytes of ff up to v4. */
export function authDigest(transaction: Transaction): Uint8Array {
  const branchId = transaction.consensusBranchId;
  if (branchId === undefined) return Uint8Array.from(NO_AUTH_DIGEST);
  const form = FORMS[digestVersionOf(transaction)];
  const parts = [
    blake2b256(
      P.authTransparent,
      transparentInputs(transaction.transparent).map((input) => encodeScript(input.scriptSig)),
    ),
    saplingAuthDigest(transaction.sapling, form),
  ];
  for (const pool of ACTION_POOLS) {
    const personalizations = form.actions[pool];
    if (personalizations) parts.push(actionsAuthDigest(transaction[pool], personalizations, form));
  }
  return blake2b256(branchPersonalization(AUTH_PREFIX, branchId), parts);
}

function saplingDigest(bundle: SignedSapling, form: DigestForm, hash: Blake2b256): Uint8Array {
  const { spends, outputs } = bundle;
  if (spends.count + outputs.count === 0) return digestOfNothing(P.sapling);
  const outputsDigest = () =>
    hash(P.saplingOutputs, [
      hash(P.saplingOutputsCompact, fieldsOf(outputs, [32, 64 + 52])),
      hash(P.saplingOutputsMemos, fieldsOf(outputs, [96 + 52, 512])),
      hash(P.saplingOutputsNoncompact, fieldsOf(outputs, [0, 32], [96 + 564, 16 + 80])),
    ]);
  return hash(P.sapling, [
    saplingSpendsDigest(bundle, form, hash),
    outputs.count === 0 ? digestOfNothing(P.saplingOutputs) : outputsDigest(),
    signedLeBytes(bundle.valueBalance),
  ]);
}

function saplingSpendsDigest(
  { spends, anchor }: SignedSapling,
  form: DigestForm,
  hash: Blake2b256,
): Uint8Array {
  if (spends.count === 0) return digestOfNothing(P.saplingSpends);
  const noncompact: Uint8Array[] = [];
  for (let i = 0; i < spends.count; i++) {
    noncompact.push(recordField(spends, i, 0, 32));
    if (form.signsAnchors) noncompact.push(anchor);
    noncompact.push(recordField(spends, i, 64, 32));
  }
  return hash(P.saplingSpends, [
    hash(P.saplingSpendsCompact, fieldsOf(spends, [32, 32])),
    hash(form.saplingSpendsNoncompact, noncompact),
  ]);
}

function actionsDigest(
  bundle: SignedActions,
  p: ActionPersonalizations,
  form: DigestForm,
  hash: Blake2b256,
): Uint8Array {
  const { actions } = bundle;
  if (actions.count === 0) return digestOfNothing(p.bundle);
  return hash(p.bundle, [
    hash(p.compact, fieldsOf(actions, [32, 32], [96, 64 + 52])),
    hash(p.memos, fieldsOf(actions, [160 + 52, 512])),
    hash(p.noncompact, fieldsOf(actions, [0, 32], [64, 32], [160 + 564, 16 + 80])),
    Uint8Array.of(bundle.flags),
    signedLeBytes(bundle.valueBalance),
    ...(form.signsAnchors ? [bundle.anchor] : []),
  ]);
}

function saplingAuthDigest(bundle: SaplingBundle, form: DigestForm): Uint8Array {
  // An empty bundle has only empty parts, and one without spends has no anchor.
  return blake2b256(form.authSapling, [
    bundle.spendProofs.bytes,
    bundle.spendAuthSigs.bytes,
    bundle.outputProofs.bytes,
    bundle.bindingSig,
    ...(form.signsAnchors ? [] : [bundle.anchor]),
  ]);
}

function actionsAuthDigest(bundle: OrchardBundle, p: ActionPersonalizations, form: DigestForm): Uint8Array {
  return blake2b256(p.auth, [
    bundle.proof,
    bundle.spendAuthSigs.bytes,
    bundle.bindingSig,
    ...(form.signsAnchors ? [] : [bundle.anchor]),
  ]);
}
