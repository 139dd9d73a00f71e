// Turns a proposal into a PCZT that waits for its signatures and proofs: the roles Creator, Constructor, IO Finalizer and
// Updater (ZIP 374) in one step, since no other program may see the state between them. It needs only viewing keys.
import { bytesToHex, concatBytes, equalBytes, wipe } from '@wallet-companion/base/bytes';
import type { TxId } from '@wallet-companion/zcash/identifiers';
import type { FullViewingKeys } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { leadByteOf, noMemo } from '@wallet-companion/zcash/notes';
import { type ActionPool, isActionPool, POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { SIGHASH, txidOfEffects } from '@wallet-companion/zcash/signing';
import { type MerklePath, rootOfPath, TREE_DEPTH, TREE_HASH } from '@wallet-companion/zcash/trees';
import { splitChange } from '../pczt/change.ts';
import { encodePczt, oldestEncoding } from '../pczt/codec.ts';
import { feeOf, logicalActionsOf } from '../pczt/fee.ts';
import { finalizingIo } from '../pczt/ioFinalizer.ts';
import {
  type Encoding,
  FINAL_SEQUENCE,
  type TransparentInput,
  type TransparentOutput,
  type Witness,
} from '../pczt/layout.ts';
import { noteOf } from '../pczt/outputNote.ts';
import type { Pczt } from '../pczt/pczt.ts';
import { ioCryptography } from '../pczt/signatures.ts';
import { finish, mapInSteps, type Steps } from '../pczt/steps.ts';
import { effectsOfPczt } from '../pczt/transactionParts.ts';
import { type ActionSpendToMake, actionBundle } from './actionBundle.ts';
import { createPczt } from './creator.ts';
import type { OwnNote } from './funds.ts';
import type { Proposal } from './proposal.ts';
import { checkedRandomBytes } from './randomness.ts';
import { refuseSpending } from './refusal.ts';
import { type SaplingSpendToMake, saplingBundle } from './saplingBundle.ts';
import type { OutputToMake } from './sealedOutput.ts';
import { type ScopeKeys, type SeedAccount, SpendingKeys } from './spendingKeys.ts';

/** The data that opens a note, and its position in the pool's tree. */
export interface NoteOpening {
  readonly leadByte: number;
  /** 43 bytes: diversifier and pk_d. */
  readonly recipient: Uint8Array;
  /** 32 bytes; with lead byte 1 it is rcm. */
  readonly rseed: Uint8Array;
  /** Nullifier of the action that made the note; empty in Sapling. */
  readonly rho: Uint8Array;
  readonly path: MerklePath;
}

export interface BuildRequest {
  readonly params: NetworkParameters;
  readonly proposal: Proposal<OwnNote>;
  /** One for each spend of the proposal, in the same order. */
  readonly openings: readonly NoteOpening[];
  /** Roots at the proposal's anchor height, for every pool that it uses. */
  readonly anchors: { readonly [P in Pool]?: Uint8Array };
  readonly keys: FullViewingKeys;
  /** Without it some signers do not find their keys. */
  readonly seedAccount?: SeedAccount | undefined;
  readonly randomBytes: RandomBytes;
}

export interface BuiltPczt {
  readonly pczt: Pczt;
  /** The oldest encoding that holds the PCZT. */
  readonly encoding: Encoding;
  readonly bytes: Uint8Array;
  /** Final: signatures and proofs do not change it. */
  readonly txid: TxId;
}

/**
 * Builds the PCZT of a proposal (Constructor of ZIP 374), without signatures and proofs. SpendingRefusal where keys,
 * anchors or openings do not belong to the proposal.
 */
export const buildPczt = (request: BuildRequest): BuiltPczt => finish(buildingPczt(request));

/** The same in steps of some milliseconds. A caller that gives up must call `return`, which wipes the secrets. */
export function* buildingPczt(request: BuildRequest): Steps<BuiltPczt> {
  const { params, proposal, openings } = request;
  if (openings.length !== proposal.spends.length) throw new RangeError('a note has no opening');
  const keys = new SpendingKeys(request.keys, params, request.seedAccount);
  const randomBytes = checkedRandomBytes(request.randomBytes);
  const spends = yield* mapInSteps(proposal.spends, (note, i) =>
    spendOf(note, openings[i]!, i, request, keys),
  );
  const outputs = outputsOf(proposal, keys);
  const created = createPczt(params, proposal.targetHeight, proposal.expiryHeight);
  const dummyKeys: Uint8Array[] = [];
  let open: Pczt = {
    ...created,
    transparent: { inputs: transparentInputs(proposal, keys), outputs: transparentOutputs(proposal) },
  };
  try {
    for (const pool of POOLS) {
      const [of, to] = [
        spends.filter((one) => one.pool === pool),
        outputs.filter((one) => one.pool === pool),
      ];
      if (of.length + to.length === 0) continue;
      const anchor = request.anchors[pool] ?? refuseSpending({ kind: 'anchorMissing', pool });
      const bundle = isActionPool(pool)
        ? yield* actionBundle(
            open,
            pool,
            of.map((one) => actionSpend(one, keys)),
            to,
            { anchor, ownKeys: () => ownKeysFor(pool, keys), dummyKeys, randomBytes },
          )
        : yield* saplingBundle(
            of.map((one) => saplingSpend(one, keys)),
            to,
            anchor,
            randomBytes,
          );
      open = { ...open, [pool]: bundle };
    }
    const pczt = yield* finalizingIo(open, ioCryptography(randomBytes));
    checkFee(pczt, proposal);
    const encoding = oldestEncoding(pczt);
    return { pczt, encoding, bytes: encodePczt(pczt, encoding), txid: txidOfEffects(effectsOfPczt(pczt)) };
  } finally {
    wipe(...dummyKeys);
  }
}

/** The built transaction must cost what was proposed; a difference is a fault of this code. */
function checkFee(pczt: Pczt, { fee, feePerAction, disclosures }: Proposal<OwnNote>): void {
  const excess = disclosures.find(({ consent }) => consent === 'unusual_fee')?.zatoshi ?? 0;
  if (feeOf(pczt) !== BigInt(fee) || logicalActionsOf(pczt) * feePerAction !== fee - excess)
    throw new Error('the fee of a PCZT is not the one that was proposed');
}

interface OpenedNote extends NoteOpening {
  readonly pool: Pool;
  readonly value: bigint;
  readonly witness: Witness;
  readonly scopeKeys: ScopeKeys;
}

function spendOf(
  { pool, zatoshi, position }: OwnNote,
  opening: NoteOpening,
  index: number,
  { anchors }: BuildRequest,
  keys: SpendingKeys,
): OpenedNote {
  const { leadByte, recipient, rseed, rho, path } = opening;
  const value = BigInt(zatoshi);
  const anchor = anchors[pool] ?? refuseSpending({ kind: 'anchorMissing', pool });
  const isKnownLeadByte = isActionPool(pool)
    ? leadByte === leadByteOf(pool)
    : leadByte === 1 || leadByte === 2;
  const note = isKnownLeadByte ? noteOf(pool, { leadByte, recipient, value, rseed, rho }) : undefined;
  const scopeKeys = keys.ofAddress(pool, recipient);
  if (note === undefined || scopeKeys === undefined)
    return refuseSpending({ kind: 'note', index, fault: 'opening' });
  const isPath =
    path.position === position &&
    path.siblings.length === TREE_DEPTH &&
    path.siblings.every(({ length }) => length === 32) &&
    equalBytes(rootOfPath(TREE_HASH[POOL[pool].protocol], note.commitment, path), anchor);
  if (!isPath) refuseSpending({ kind: 'note', index, fault: 'witness' });
  const witness = { position, path: concatBytes(...path.siblings) };
  return { ...opening, pool, value, witness, scopeKeys };
}

function actionSpend(
  { pool, recipient, value, rho, rseed, witness, scopeKeys }: OpenedNote,
  keys: SpendingKeys,
): ActionSpendToMake {
  const { ak, nk, scope } = scopeKeys;
  return {
    recipient,
    value,
    rho,
    rseed,
    fvk: keys.of(pool).fvk!,
    ak,
    nk,
    witness,
    zip32Derivation: keys.derivation,
    isInternal: scope === 'internal',
  };
}

const saplingSpend = (
  { leadByte, recipient, value, rseed, witness, scopeKeys }: OpenedNote,
  keys: SpendingKeys,
): SaplingSpendToMake => ({
  leadByte,
  recipient,
  value,
  rseed,
  ak: scopeKeys.ak,
  nk: scopeKeys.nk,
  witness,
  zip32Derivation: keys.derivation,
});

function ownKeysFor(pool: ActionPool, keys: SpendingKeys) {
  const { fvk, scopes } = keys.of(pool);
  const [{ ak, nk }] = scopes as readonly [ScopeKeys, ...ScopeKeys[]];
  return { fvk: fvk!, ak, nk, zip32Derivation: keys.derivation };
}

type ShieldedOutput = OutputToMake & { readonly pool: Pool };

/** Only the internal viewing key can read change. */
function outputsOf({ spends, payments, change }: Proposal<OwnNote>, keys: SpendingKeys): ShieldedOutput[] {
  const ovk = payments.length > 0 ? keys.outgoingKey(spends.map(({ pool }) => pool)) : undefined;
  const paid = payments.flatMap(({ place, receiver, address, zatoshi, memo }): ShieldedOutput[] =>
    place === 'transparent'
      ? []
      : [
          {
            pool: place,
            recipient: receiver,
            value: BigInt(zatoshi),
            memo: memo!,
            ovk,
            userAddress: address,
          },
        ],
  );
  if (change === undefined) return paid;
  const { pool } = change;
  const returned = splitChange(change).map((zatoshi) => ({
    pool,
    recipient: keys.of(pool).changeAddress,
    value: BigInt(zatoshi),
    memo: noMemo(),
    zip32Derivation: keys.derivation,
  }));
  return [...paid, ...returned];
}

const transparentInputs = ({ inputs }: Proposal<OwnNote>, keys: SpendingKeys): TransparentInput[] =>
  inputs.map(({ at, txid, index, zatoshi }) => {
    const derivation = keys.transparentDerivation(at.path);
    return {
      prevoutTxid: txid,
      prevoutIndex: index,
      sequence: FINAL_SEQUENCE,
      requiredTimeLockTime: undefined,
      requiredHeightLockTime: undefined,
      scriptSig: undefined,
      value: BigInt(zatoshi),
      scriptPubkey: at.script,
      redeemScript: undefined,
      partialSignatures: new Map(),
      sighashType: SIGHASH.all,
      bip32Derivation: new Map(derivation && [[bytesToHex(at.publicKey), derivation]]),
      ripemd160Preimages: new Map(),
      sha256Preimages: new Map(),
      hash160Preimages: new Map(),
      hash256Preimages: new Map(),
      proprietary: new Map(),
    };
  });

const transparentOutputs = ({ payments }: Proposal<OwnNote>): TransparentOutput[] =>
  payments
    .filter(({ place }) => place === 'transparent')
    .map(({ receiver, zatoshi, address }) => ({
      value: BigInt(zatoshi),
      scriptPubkey: receiver,
      redeemScript: undefined,
      bip32Derivation: new Map(),
      userAddress: address,
      proprietary: new Map(),
    }));
