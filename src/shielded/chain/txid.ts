// Transaction ids and authorizing-data digests: SHA256d up to v4, the ZIP 244 tree of BLAKE2b-256 digests for v5, and
// its v6 form of ZIP 229, in which anchors move from the txid to the authorizing data.
import { blake2b } from '@noble/hashes/blake2.js';
import { asciiBytes, concatBytes, u32ToLeBytes, u64ToLeBytes } from '../bytes.ts';
import { doubleSha256 } from './doubleSha256.ts';
import type { OrchardBundle } from './orchardBundle.ts';
import { type Records, recordField } from './records.ts';
import type { SaplingBundle } from './saplingBundle.ts';
import type { Transaction } from './transaction.ts';
import { encodeScript, type TransparentBundle, transparentInputs } from './transparentBundle.ts';

type Digest = { update(bytes: Uint8Array): Digest; digest(): Uint8Array };

function digestOf(personalization: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  const hash: Digest = blake2b.create({ dkLen: 32, personalization });
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Most components of most transactions are empty, and a BLAKE2b takes microseconds. */
const emptyDigests = new Map<Uint8Array, Uint8Array>();

function digestOfNothing(personalization: Uint8Array): Uint8Array {
  const known = emptyDigests.get(personalization);
  if (known !== undefined) return known;
  const digest = digestOf(personalization);
  emptyDigests.set(personalization, digest);
  return digest;
}

/** Hashes the given byte ranges of every record, one after another. */
function digestOfFields(
  personalization: Uint8Array,
  records: Records,
  ...ranges: readonly (readonly [offset: number, length: number])[]
): Uint8Array {
  const hash: Digest = blake2b.create({ dkLen: 32, personalization });
  for (let i = 0; i < records.count; i++) {
    for (const [offset, length] of ranges) hash.update(recordField(records, i, offset, length));
  }
  return hash.digest();
}

/** Personalizations are exactly 16 ASCII bytes. */
const P = {
  headers: asciiBytes('ZTxIdHeadersHash'),
  transparent: asciiBytes('ZTxIdTranspaHash'),
  prevouts: asciiBytes('ZTxIdPrevoutHash'),
  sequences: asciiBytes('ZTxIdSequencHash'),
  outputs: asciiBytes('ZTxIdOutputsHash'),
  sapling: asciiBytes('ZTxIdSaplingHash'),
  saplingSpends: asciiBytes('ZTxIdSSpendsHash'),
  saplingSpendsCompact: asciiBytes('ZTxIdSSpendCHash'),
  saplingSpendsNoncompactV5: asciiBytes('ZTxIdSSpendNHash'),
  saplingSpendsNoncompactV6: asciiBytes('ZTxIdSSpendNH_v6'),
  saplingOutputs: asciiBytes('ZTxIdSOutputHash'),
  saplingOutputsCompact: asciiBytes('ZTxIdSOutC__Hash'),
  saplingOutputsMemos: asciiBytes('ZTxIdSOutM__Hash'),
  saplingOutputsNoncompact: asciiBytes('ZTxIdSOutN__Hash'),
  authTransparent: asciiBytes('ZTxAuthTransHash'),
  authSaplingV5: asciiBytes('ZTxAuthSapliHash'),
  authSaplingV6: asciiBytes('ZTxAuthSapliH_v6'),
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

const signedLeBytes = (value: bigint): Uint8Array => u64ToLeBytes(BigInt.asUintN(64, value));

/** `prefix` (12 ASCII bytes) followed by the little-endian branch id. */
const branchPersonalization = (prefix: string, branchId: number): Uint8Array =>
  concatBytes(asciiBytes(prefix), u32ToLeBytes(branchId));

const NO_AUTH_DIGEST = new Uint8Array(32).fill(0xff);

/** Transaction id, 32 bytes, wire order. */
export function txid(transaction: Transaction): Uint8Array {
  const branchId = transaction.consensusBranchId;
  if (branchId === undefined) return doubleSha256(transaction.bytes);
  const v6 = transaction.version === 6;
  const parts = [
    // header, group id, branch id, lock time and expiry height are the first 20 bytes as serialized.
    digestOf(P.headers, transaction.bytes.subarray(0, 20)),
    transparentDigest(transaction.transparent),
    saplingDigest(transaction.sapling, v6),
    actionsDigest(transaction.orchard, v6 ? ORCHARD_V6 : ORCHARD_V5, v6),
  ];
  if (v6) parts.push(actionsDigest(transaction.ironwood, IRONWOOD_V6, true));
  return digestOf(branchPersonalization('ZcashTxHash_', branchId), ...parts);
}

/** Digest of proofs, signatures and scripts (a leaf of hashAuthDataRoot), wire order; 32 bytes of ff up to v4. */
export function authDigest(transaction: Transaction): Uint8Array {
  const branchId = transaction.consensusBranchId;
  if (branchId === undefined) return Uint8Array.from(NO_AUTH_DIGEST);
  const v6 = transaction.version === 6;
  const parts = [
    digestOf(
      P.authTransparent,
      ...transparentInputs(transaction.transparent).map((input) => encodeScript(input.scriptSig)),
    ),
    saplingAuthDigest(transaction.sapling, v6),
    actionsAuthDigest(transaction.orchard, v6 ? ORCHARD_V6 : ORCHARD_V5, v6),
  ];
  if (v6) parts.push(actionsAuthDigest(transaction.ironwood, IRONWOOD_V6, true));
  return digestOf(branchPersonalization('ZTxAuthHash_', branchId), ...parts);
}

function transparentDigest(bundle: TransparentBundle): Uint8Array {
  if (bundle.inputCount + bundle.outputCount === 0) return digestOfNothing(P.transparent);
  const inputs = transparentInputs(bundle);
  return digestOf(
    P.transparent,
    digestOf(P.prevouts, ...inputs.flatMap((input) => [input.prevTxid, u32ToLeBytes(input.prevIndex)])),
    digestOf(P.sequences, ...inputs.map((input) => u32ToLeBytes(input.sequence))),
    digestOf(P.outputs, bundle.outputBytes),
  );
}

function saplingDigest(bundle: SaplingBundle, v6: boolean): Uint8Array {
  const { spends, outputs } = bundle;
  if (spends.count + outputs.count === 0) return digestOfNothing(P.sapling);
  return digestOf(
    P.sapling,
    saplingSpendsDigest(bundle, v6),
    outputs.count === 0
      ? digestOfNothing(P.saplingOutputs)
      : digestOf(
          P.saplingOutputs,
          digestOfFields(P.saplingOutputsCompact, outputs, [32, 64 + 52]),
          digestOfFields(P.saplingOutputsMemos, outputs, [96 + 52, 512]),
          digestOfFields(P.saplingOutputsNoncompact, outputs, [0, 32], [96 + 564, 16 + 80]),
        ),
    signedLeBytes(bundle.valueBalance),
  );
}

function saplingSpendsDigest(bundle: SaplingBundle, v6: boolean): Uint8Array {
  const { spends, anchor } = bundle;
  if (spends.count === 0) return digestOfNothing(P.saplingSpends);
  const noncompact: Digest = blake2b.create({
    dkLen: 32,
    personalization: v6 ? P.saplingSpendsNoncompactV6 : P.saplingSpendsNoncompactV5,
  });
  for (let i = 0; i < spends.count; i++) {
    noncompact.update(recordField(spends, i, 0, 32));
    if (!v6) noncompact.update(anchor);
    noncompact.update(recordField(spends, i, 64, 32));
  }
  return digestOf(
    P.saplingSpends,
    digestOfFields(P.saplingSpendsCompact, spends, [32, 32]),
    noncompact.digest(),
  );
}

function actionsDigest(bundle: OrchardBundle, p: ActionPersonalizations, v6: boolean): Uint8Array {
  const { actions } = bundle;
  if (actions.count === 0) return digestOfNothing(p.bundle);
  return digestOf(
    p.bundle,
    digestOfFields(p.compact, actions, [32, 32], [96, 64 + 52]),
    digestOfFields(p.memos, actions, [160 + 52, 512]),
    digestOfFields(p.noncompact, actions, [0, 32], [64, 32], [160 + 564, 16 + 80]),
    Uint8Array.of(bundle.flags),
    signedLeBytes(bundle.valueBalance),
    ...(v6 ? [] : [bundle.anchor]),
  );
}

function saplingAuthDigest(bundle: SaplingBundle, v6: boolean): Uint8Array {
  const personalization = v6 ? P.authSaplingV6 : P.authSaplingV5;
  // All parts are empty when the bundle is, and so is the anchor without spends.
  return digestOf(
    personalization,
    bundle.spendProofs.bytes,
    bundle.spendAuthSigs.bytes,
    bundle.outputProofs.bytes,
    bundle.bindingSig,
    ...(v6 ? [bundle.anchor] : []),
  );
}

function actionsAuthDigest(bundle: OrchardBundle, p: ActionPersonalizations, v6: boolean): Uint8Array {
  return digestOf(
    p.auth,
    bundle.proof,
    bundle.spendAuthSigs.bytes,
    bundle.bindingSig,
    ...(v6 ? [bundle.anchor] : []),
  );
}
