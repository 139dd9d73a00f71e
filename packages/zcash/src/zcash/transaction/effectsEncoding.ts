// Effects as the bytes that are hashed. Lengths and ranges are checked here, because a field of a wrong size would shift
// into its neighbour, and a number that does not fit would be signed as another one.

import { assertLength, concatBytes, FormatError } from '@wallet-companion/base/bytes';
import { EMPTY_ORCHARD } from '../encoding/orchardBundle.ts';
import type { Records } from '../encoding/records.ts';
import { emptySapling, SHIELDED_COUNT_LIMIT } from '../encoding/saplingBundle.ts';
import { encodeV5Header } from '../encoding/transactionEncoding.ts';
import {
  encodeTransparentInput,
  encodeTransparentOutput,
  type TransparentBundle,
} from '../encoding/transparentBundle.ts';
import { type IdentifiedParts, signsAnchors } from '../encoding/txid.ts';
import { type DigestVersion, MAX_MONEY } from '../network.ts';
import { POOL, perActionPool } from '../pools.ts';
import type { ActionEffects, SaplingEffects, TransactionEffects } from './effects.ts';

/** Fields in the order of the encoding, with their sizes. */
const SAPLING_SPEND = { cv: 32, nullifier: 32, rk: 32 } as const;
const CIPHERTEXTS = { ephemeralKey: 32, encCiphertext: 580, outCiphertext: 80 } as const;
const SAPLING_OUTPUT = { cv: 32, cmu: 32, ...CIPHERTEXTS } as const;
const ACTION = { cv: 32, nullifier: 32, rk: 32, cmx: 32, ...CIPHERTEXTS } as const;

const NOTHING = new Uint8Array(0);

export function encodeEffects(effects: TransactionEffects): IdentifiedParts {
  const { version, consensusBranchId, lockTime, expiryHeight, sapling } = effects;
  for (const [what, value] of Object.entries({ consensusBranchId, lockTime, expiryHeight })) {
    assertU32(value, what);
  }
  return {
    version,
    header: encodeV5Header(effects),
    transparent: transparentParts(effects),
    sapling:
      sapling && !isEmpty(sapling, sapling.spends.length + sapling.outputs.length)
        ? saplingParts(sapling, version)
        : emptySapling(version),
    ...perActionPool((pool) => {
      const bundle = effects[pool];
      if (bundle === undefined || isEmpty(bundle, bundle.actions.length)) return EMPTY_ORCHARD;
      const { name, transactionVersion, actionFlags } = POOL[pool];
      if (version < transactionVersion) throw new FormatError(`version ${version} has no ${name} component`);
      if ((bundle.flags & ~actionFlags) !== 0) throw new FormatError(`reserved ${name} flags are set`);
      return actionParts(bundle, version);
    }),
  };
}

/** An empty component is not written, nor are its other fields. */
function isEmpty({ valueBalance }: { readonly valueBalance: bigint }, parts: number): boolean {
  if (parts === 0 && valueBalance !== 0n) throw new FormatError('an empty component has a value balance');
  return parts === 0;
}

function transparentParts({ inputs, outputs }: TransactionEffects): TransparentBundle {
  for (const { prevTxid, prevIndex, sequence, value } of inputs) {
    assertLength(prevTxid, 32, 'previous txid');
    assertU32(prevIndex, 'index of a previous output');
    assertU32(sequence, 'sequence number');
    assertAmount(value, 0n);
  }
  for (const { value } of outputs) assertAmount(value, 0n);
  return {
    inputCount: inputs.length,
    inputBytes: concatBytes(
      ...inputs.map((input) => encodeTransparentInput({ ...input, scriptSig: NOTHING })),
    ),
    outputCount: outputs.length,
    outputBytes: concatBytes(...outputs.map(encodeTransparentOutput)),
  };
}

function saplingParts({ spends, outputs, valueBalance, anchor }: SaplingEffects, version: DigestVersion) {
  assertAmount(valueBalance, -MAX_MONEY);
  return {
    spends: packRecords(spends, SAPLING_SPEND),
    outputs: packRecords(outputs, SAPLING_OUTPUT),
    valueBalance,
    anchor: spends.length > 0 ? signedAnchor(anchor, version) : NOTHING,
  };
}

function actionParts({ actions, flags, valueBalance, anchor }: ActionEffects, version: DigestVersion) {
  assertAmount(valueBalance, -MAX_MONEY);
  return {
    actions: packRecords(actions, ACTION),
    flags,
    valueBalance,
    anchor: signedAnchor(anchor, version),
  };
}

function signedAnchor(anchor: Uint8Array | undefined, version: DigestVersion): Uint8Array {
  if (!signsAnchors(version)) return NOTHING;
  if (anchor === undefined) throw new FormatError(`version ${version} signs the anchor, which is missing`);
  assertLength(anchor, 32, 'anchor');
  return anchor;
}

function packRecords<Field extends string>(
  items: readonly Readonly<Record<Field, Uint8Array>>[],
  layout: Readonly<Record<Field, number>>,
): Records {
  if (items.length >= SHIELDED_COUNT_LIMIT)
    throw new FormatError(`${items.length} shielded parts in one transaction`);
  const fields = Object.entries(layout) as [Field, number][];
  const bytes = concatBytes(
    ...items.flatMap((item) =>
      fields.map(([field, size]) => {
        assertLength(item[field], size, field);
        return item[field];
      }),
    ),
  );
  return { bytes, count: items.length, size: fields.reduce((sum, [, size]) => sum + size, 0) };
}

function assertU32(value: number, what: string): void {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff)
    throw new FormatError(`the ${what} does not fit 32 bits`);
}

function assertAmount(value: bigint, least: bigint): void {
  if (value < least || value > MAX_MONEY) throw new FormatError('an amount is out of range');
}
