// The cases of the published PCZT vectors as effects and what authorizes them. Pieces that are in the encoded stages alone
// (signatures, proofs) are cut out by what stands before them, so that no codec is needed to test what they are worth.
import { hexToBytes } from '@wallet-companion/base/bytes';
import { asNullifier } from '../../src/zcash/identifiers.ts';
import type { DigestVersion } from '../../src/zcash/network.ts';
import { ACTION_POOLS, type ActionPool } from '../../src/zcash/pools.ts';
import type {
  ActionAuthorization,
  TransactionAuthorization,
} from '../../src/zcash/transaction/authorization.ts';
import type { ActionEffects, TransactionEffects } from '../../src/zcash/transaction/effects.ts';
import { readVectors } from './readVectors.ts';

type Hex = string;

interface OutputFields {
  cmu: Hex;
  cmx: Hex;
  ephemeral_key: Hex;
  enc_ciphertext: Hex & { Encrypted: Hex };
  out_ciphertext: Hex;
}

export interface ActionFields {
  cv_net: Hex;
  rcv: Hex;
  spend: {
    nullifier: Hex;
    rk: Hex;
    alpha: Hex;
    fvk: Hex;
    value: string;
    spend_auth_sig: Hex | null;
    zip32_derivation: unknown;
  };
  output: OutputFields & { value: string };
}

interface BundleFields {
  bsk: Hex | null;
  anchor: Hex | null;
}

export interface ActionBundleFields extends BundleFields {
  actions: ActionFields[];
  flags: number;
  value_sum: [string, boolean];
  zkproof: Hex | null;
}

export interface SaplingFields extends BundleFields {
  spends: {
    cv: Hex;
    rcv: Hex;
    value: string;
    nullifier: Hex;
    rk: Hex;
    alpha: Hex;
    spend_auth_sig: Hex | null;
  }[];
  outputs: (OutputFields & { cv: Hex; rcv: Hex; value: string })[];
  value_sum: string;
}

export interface PcztFields extends Partial<Record<ActionPool, ActionBundleFields | null>> {
  global: {
    tx_version: DigestVersion;
    consensus_branch_id: number;
    fallback_lock_time: number | null;
    expiry_height: number;
  };
  transparent: { inputs: never[]; outputs: { value: string; script_pubkey: Hex }[] } | null;
  sapling: SaplingFields | null;
}

export interface PcztCase {
  name: string;
  txid: Hex;
  shielded_sighash: Hex;
  fee: number;
  transaction_bytes: number;
  transaction: string | null;
  binding_signatures: Record<'sapling' | ActionPool, Hex | null>;
  ready_fields: PcztFields;
  stages: Record<string, string>;
}

export const readPcztCases = (): readonly PcztCase[] => readVectors<{ cases: PcztCase[] }>('pczt_v2').cases;

const ciphertexts = (output: OutputFields) => ({
  ephemeralKey: hexToBytes(output.ephemeral_key),
  encCiphertext: hexToBytes(output.enc_ciphertext.Encrypted ?? output.enc_ciphertext),
  outCiphertext: hexToBytes(output.out_ciphertext),
});

export function pcztEffects({ global, transparent, sapling, ...pools }: PcztFields): TransactionEffects {
  const effects: TransactionEffects = {
    version: global.tx_version,
    consensusBranchId: global.consensus_branch_id,
    lockTime: global.fallback_lock_time ?? 0,
    expiryHeight: global.expiry_height,
    inputs: [],
    outputs: (transparent?.outputs ?? []).map(({ value, script_pubkey }) => ({
      value: BigInt(value),
      scriptPubKey: hexToBytes(script_pubkey),
    })),
    sapling: sapling
      ? {
          spends: sapling.spends.map((spend) => ({
            cv: hexToBytes(spend.cv),
            nullifier: asNullifier(hexToBytes(spend.nullifier)),
            rk: hexToBytes(spend.rk),
          })),
          outputs: sapling.outputs.map((output) => ({
            cv: hexToBytes(output.cv),
            cmu: hexToBytes(output.cmu),
            ...ciphertexts(output),
          })),
          valueBalance: BigInt(sapling.value_sum),
          anchor: sapling.anchor === null ? undefined : hexToBytes(sapling.anchor),
        }
      : undefined,
  };
  return Object.assign(
    effects,
    ...ACTION_POOLS.map((pool) => ({ [pool]: pools[pool] ? actionEffects(pools[pool]) : undefined })),
  );
}

function actionEffects({
  actions,
  flags,
  value_sum: [magnitude, negative],
  anchor,
}: ActionBundleFields): ActionEffects {
  return {
    actions: actions.map(({ cv_net, spend, output }) => ({
      cv: hexToBytes(cv_net),
      nullifier: asNullifier(hexToBytes(spend.nullifier)),
      rk: hexToBytes(spend.rk),
      cmx: hexToBytes(output.cmx),
      ...ciphertexts(output),
    })),
    flags,
    valueBalance: negative ? -BigInt(magnitude) : BigInt(magnitude),
    anchor: anchor === null ? undefined : hexToBytes(anchor),
  };
}

/** What follows `before` in the stage where a piece is optional: 01 and the piece, or 00. */
function pieceAfter(stage: Buffer, before: string, size: number, offset = 0): Uint8Array | undefined {
  const place = stage.indexOf(before, 0, 'hex');
  if (place < 0 || stage.indexOf(before, place + 1, 'hex') >= 0) throw new Error('not once in the stage');
  const start = place + before.length / 2 + offset;
  return stage[start] === 1 ? Uint8Array.from(stage.subarray(start + 1, start + 1 + size)) : undefined;
}

const LENGTH_BITS = 7;
/** The proof behind anchor and note version, with its length in groups of seven bits. */
function proofAfter(stage: Buffer, anchor: string): Uint8Array | undefined {
  let place = stage.indexOf(anchor, 0, 'hex') + anchor.length / 2 + 1;
  if (stage[place++] !== 1) return undefined;
  let length = 0;
  for (let shift = 0; ; shift += LENGTH_BITS) {
    const group = stage[place++]!;
    length += (group & 0x7f) << shift;
    if (group < 0x80) return Uint8Array.from(stage.subarray(place, place + length));
  }
}

/** From a stage in encoding version 2. */
export function pcztAuthorization(fields: PcztFields, encoded: string): TransactionAuthorization {
  const stage = Buffer.from(encoded, 'base64');
  const { sapling } = fields;
  const actions = (bundle: ActionBundleFields): ActionAuthorization => ({
    spendAuthSigs: bundle.actions.map(({ spend }) => pieceAfter(stage, `01${spend.rk}`, 64)),
    proof: proofAfter(stage, `01${bundle.anchor}`),
    bindingSigningKey: bundle.bsk === null ? undefined : hexToBytes(bundle.bsk),
  });
  const authorization: TransactionAuthorization = {
    scriptSigs: [],
    sapling: sapling
      ? {
          spendAuthSigs: sapling.spends.map(({ rk }) => {
            const proof = pieceAfter(stage, rk, 192);
            return pieceAfter(stage, rk, 64, proof ? 193 : 1);
          }),
          spendProofs: sapling.spends.map(({ rk }) => pieceAfter(stage, rk, 192)),
          outputProofs: sapling.outputs.map(({ out_ciphertext }) => pieceAfter(stage, out_ciphertext, 192)),
          bindingSigningKey: sapling.bsk === null ? undefined : hexToBytes(sapling.bsk),
        }
      : undefined,
  };
  return Object.assign(
    authorization,
    ...ACTION_POOLS.map((pool) => ({ [pool]: fields[pool] ? actions(fields[pool]) : undefined })),
  );
}
