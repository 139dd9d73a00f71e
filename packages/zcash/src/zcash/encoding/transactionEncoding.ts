// Serialization of the transactions that carry shielded pools: protocol specification §7.1, ZIP 225, ZIP 229.

import { concatBytes, encodeCompactSize, u32ToLeBytes, u64ToLeBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { DigestVersion, TxVersion } from '../network.ts';
import { ACTION_POOLS, type ActionPool, POOL } from '../pools.ts';
import { VERSION_GROUP_ID } from './transaction.ts';
import type {
  OrchardContents,
  SaplingContents,
  SaplingOutputContents,
  TransactionContents,
} from './transactionContents.ts';
import { encodeTransparentBundle } from './transparentBundle.ts';

const OVERWINTERED_BIT = 0x8000_0000;
const EMPTY_COMPONENT = Uint8Array.of(0);

const signedLeBytes = (value: bigint): Uint8Array => u64ToLeBytes(BigInt.asUintN(64, value));

/**
 * The transaction as it goes into a block (protocol specification §7.1). RangeError for a part that the version cannot
 * carry.
 */
export function serializeTransaction(contents: TransactionContents): Uint8Array {
  const { version } = contents;
  const carried = ACTION_POOLS.filter((pool) => version >= POOL[pool].transactionVersion);
  const surplus = ACTION_POOLS.find((pool) => contents[pool] && !carried.includes(pool));
  if (surplus) throw new RangeError(`version ${version} has no ${POOL[surplus].name} component`);
  return ENCODE[version](contents, carried);
}

type Contents = Omit<TransactionContents, 'version'>;

const encodeV4 = (contents: Contents): Uint8Array =>
  concatBytes(
    ...encodeVersion(4),
    encodeTransparentBundle(contents.inputs, contents.outputs),
    u32ToLeBytes(contents.lockTime),
    u32ToLeBytes(contents.expiryHeight),
    ...v4Sapling(contents.sapling),
  );

const asV5 =
  (version: DigestVersion) =>
  (contents: Contents, carried: readonly ActionPool[]): Uint8Array =>
    concatBytes(
      encodeV5Header({ ...contents, version }),
      encodeTransparentBundle(contents.inputs, contents.outputs),
      ...v5Sapling(contents.sapling),
      ...carried.flatMap((pool) => orchardComponent(contents[pool])),
    );

const ENCODE: Readonly<
  Record<TxVersion, (contents: Contents, carried: readonly ActionPool[]) => Uint8Array>
> = { 4: encodeV4, 5: asV5(5), 6: asV5(6) };

const encodeVersion = (version: TxVersion): Uint8Array[] => [
  u32ToLeBytes(OVERWINTERED_BIT + version),
  u32ToLeBytes(VERSION_GROUP_ID[version]),
];

export interface V5Header {
  readonly version: DigestVersion;
  readonly consensusBranchId: number;
  readonly lockTime: number;
  readonly expiryHeight: Height;
}

/** The first 20 bytes of transactions from v5 on. */
export const encodeV5Header = (header: V5Header): Uint8Array =>
  concatBytes(
    ...encodeVersion(header.version),
    u32ToLeBytes(header.consensusBranchId),
    u32ToLeBytes(header.lockTime),
    u32ToLeBytes(header.expiryHeight),
  );

const outputFields = (output: SaplingOutputContents): Uint8Array[] => [
  output.cv,
  output.cmu,
  output.ephemeralKey,
  output.encCiphertext,
  output.outCiphertext,
];

function v4Sapling(sapling: SaplingContents | undefined): Uint8Array[] {
  const spends = sapling?.spends ?? [];
  const outputs = sapling?.outputs ?? [];
  return [
    signedLeBytes(sapling?.valueBalance ?? 0n),
    encodeCompactSize(spends.length),
    ...spends.flatMap((s) => [s.cv, s.anchor, s.nullifier, s.rk, s.proof, s.spendAuthSig]),
    encodeCompactSize(outputs.length),
    ...outputs.flatMap((output) => [...outputFields(output), output.proof]),
    EMPTY_COMPONENT, // no JoinSplits
    ...(sapling && spends.length + outputs.length > 0 ? [sapling.bindingSig] : []),
  ];
}

function v5Sapling(sapling: SaplingContents | undefined): Uint8Array[] {
  if (!sapling || sapling.spends.length + sapling.outputs.length === 0)
    return [EMPTY_COMPONENT, EMPTY_COMPONENT];
  const { spends, outputs } = sapling;
  return [
    encodeCompactSize(spends.length),
    ...spends.flatMap((spend) => [spend.cv, spend.nullifier, spend.rk]),
    encodeCompactSize(outputs.length),
    ...outputs.flatMap(outputFields),
    signedLeBytes(sapling.valueBalance),
    ...spends.slice(0, 1).map((spend) => spend.anchor),
    ...spends.map((spend) => spend.proof),
    ...spends.map((spend) => spend.spendAuthSig),
    ...outputs.map((output) => output.proof),
    sapling.bindingSig,
  ];
}

function orchardComponent(orchard: OrchardContents | undefined): Uint8Array[] {
  if (!orchard || orchard.actions.length === 0) return [EMPTY_COMPONENT];
  return [
    encodeCompactSize(orchard.actions.length),
    ...orchard.actions.flatMap((action) => [
      action.cv,
      action.nullifier,
      action.rk,
      action.cmx,
      action.ephemeralKey,
      action.encCiphertext,
      action.outCiphertext,
    ]),
    Uint8Array.of(orchard.flags),
    signedLeBytes(orchard.valueBalance),
    orchard.anchor,
    encodeCompactSize(orchard.proof.length),
    orchard.proof,
    ...orchard.actions.map((action) => action.spendAuthSig),
    orchard.bindingSig,
  ];
}
