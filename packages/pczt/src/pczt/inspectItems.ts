// Shows each spend and output of a PCZT as a person should see it, with its faults.

import { bytesToHex, equalBytes, FormatError, wipe } from '@wallet-companion/base/bytes';
import {
  encodeReceiver,
  encodeTransparentAddress,
  payableReceivers,
  scriptOf,
  transparentReceiverOf,
} from '@wallet-companion/zcash/addresses';
import type { NetworkParameters, Scope } from '@wallet-companion/zcash/network';
import { parseMemo } from '@wallet-companion/zcash/notes';
import { ACTION_POOLS, type ActionPool, POOL, type Pool } from '@wallet-companion/zcash/pools';
import { cryptographyOf, type TransactionEffects } from '@wallet-companion/zcash/signing';
import { hasWrongSignature } from './inputSignatures.ts';
import type { InspectedOutput, InspectedSpend, Place, WarningCode } from './inspection.ts';
import type { ActionSpend, SaplingSpend, TransparentInput, TransparentOutput } from './layout.ts';
import {
  checkActionOutput,
  checkActionValue,
  checkSaplingOutput,
  type OutputFindings,
} from './outputChecks.ts';
import { type OwnerKey, Owners, ownerKeysOf, rememberedKeys, spendKeyOf } from './owners.ts';
import type { Pczt } from './pczt.ts';
import {
  checkActionSpend,
  checkSaplingSpend,
  checkSaplingValue,
  type Finding,
  type SpendFindings,
  saplingKey,
} from './spendChecks.ts';
import type { Steps } from './steps.ts';

export interface ItemContext {
  readonly params: NetworkParameters;
  /** Keys of the wallet; undefined where they are unknown. */
  readonly ownKeys: readonly OwnerKey[] | undefined;
  /** What signatures cover, and the hash of it for shielded spends; undefined where it is not known yet. */
  readonly effects: TransactionEffects | undefined;
  readonly sighash: Uint8Array | undefined;
  warn(code: WarningCode, field: string, text: string): void;
}

export interface InspectedItems {
  readonly spends: readonly InspectedSpend[];
  readonly outputs: readonly InspectedOutput[];
}

/** The keys of at most this many owners are tried on each output. Wallets spend the notes of one. */
const MAX_OWNERS = 4;

/** `pczt` has its compact fields. */
export function* inspectItems(pczt: Pczt, context: ItemContext): Steps<InspectedItems> {
  const spends: InspectedSpend[] = [];
  for (const [i, input] of pczt.transparent.inputs.entries()) {
    spends.push(inspectInput(input, i, context));
    yield;
  }
  const found: OwnerKey[] = [];
  const own = context.ownKeys && new Owners(context.ownKeys);
  const ofFvk = rememberedKeys();
  for (const [index, spend] of pczt.sapling.spends.entries()) {
    const field = `sapling.spends[${index}]`;
    const owner = own && spend.recipient && (yield* own.find('sapling', spend.recipient));
    const findings = checkSaplingSpend(spend, { ofFvk, ofWallet: spendKeyOf(owner) });
    yield;
    warnOf(context, field, { ...findings, cv: checkSaplingValue(spend) });
    yield;
    spends.push(shieldedSpend('sapling', index, field, spend, findings, owner, context));
    yield;
    const { proofGenerationKey } = spend;
    if (!provesOwner(spend, findings) || proofGenerationKey === undefined) continue;
    const [ivk] = saplingKey(proofGenerationKey).ivks;
    if (ivk !== undefined && found.every((key) => !equalBytes(key.ivk, ivk)))
      found.push({ protocol: 'sapling', scope: 'external', ivk });
  }
  const owners = new Set<string>();
  for (const { pool, index, field } of actionsOf(pczt)) {
    const action = pczt[pool].actions[index]!;
    const { spend } = action;
    const owner = own && spend.recipient && (yield* own.find(pool, spend.recipient));
    const findings = checkActionSpend(pool, spend, { ofFvk, ofWallet: spendKeyOf(owner) });
    yield;
    warnOf(context, `${field}.spend`, { ...findings });
    warnOf(context, field, { cvNet: checkActionValue(pool, action) });
    yield;
    spends.push(shieldedSpend(pool, index, `${field}.spend`, spend, findings, owner, context));
    yield;
    if (!provesOwner(spend, findings) || spend.fvk === undefined) continue;
    const name = bytesToHex(spend.fvk);
    if (owners.has(name)) continue;
    owners.add(name);
    found.push(...ownerKeysOf(spend.fvk));
  }
  const withKeys = own ?? new Owners(checkedOwners(found, context));
  return { spends, outputs: yield* inspectOutputs(pczt, withKeys, context) };
}

/** Each owner has keys of two scopes. */
function checkedOwners(found: readonly OwnerKey[], { warn }: ItemContext): readonly OwnerKey[] {
  if (found.length <= 2 * MAX_OWNERS) return found;
  warn(
    'manyOwners',
    '',
    `notes of more than ${MAX_OWNERS} owners are spent: change is not told from payments`,
  );
  return [];
}

function* inspectOutputs(pczt: Pczt, owners: Owners, context: ItemContext): Steps<InspectedOutput[]> {
  const outputs: InspectedOutput[] = [];
  for (const [i, output] of pczt.transparent.outputs.entries()) {
    outputs.push(inspectTransparentOutput(output, i, context));
    yield;
  }
  for (const [index, output] of pczt.sapling.outputs.entries()) {
    const field = `sapling.outputs[${index}]`;
    warnOf(context, field, { cv: checkSaplingValue(output) });
    yield;
    const findings = checkSaplingOutput(output);
    yield;
    const owner = output.recipient && (yield* owners.find('sapling', output.recipient));
    outputs.push(shieldedOutput('sapling', index, field, output, findings, owner, context));
  }
  for (const { pool, index, field } of actionsOf(pczt)) {
    const action = pczt[pool].actions[index]!;
    const findings = checkActionOutput(pool, action);
    yield;
    const owner = action.output.recipient && (yield* owners.find(pool, action.output.recipient));
    outputs.push(shieldedOutput(pool, index, `${field}.output`, action.output, findings, owner, context));
  }
  return outputs;
}

const actionsOf = (
  pczt: Pczt,
): { readonly pool: ActionPool; readonly index: number; readonly field: string }[] =>
  ACTION_POOLS.flatMap((pool) =>
    pczt[pool].actions.map((_, index) => ({ pool, index, field: `${pool}.actions[${index}]` })),
  );

/** A made-up note of value 0 proves no owner. */
const provesOwner = (
  { value }: { readonly value: bigint | undefined },
  { nullifier }: SpendFindings,
): boolean => value !== undefined && value > 0n && nullifier === 'right';

function warnOf({ warn }: ItemContext, field: string, findings: Readonly<Record<string, Finding>>): void {
  for (const [name, found] of Object.entries(findings))
    if (found === 'wrong') warn('mismatch', `${field}.${name}`, 'it is not what the other fields say');
}

function transparentAddress(script: Uint8Array, { params }: ItemContext): string | undefined {
  const receiver = transparentReceiverOf(script);
  return receiver && encodeTransparentAddress(receiver, params.network);
}

/** Signatures cover the value of a transparent input (ZIP 244). */
function inspectInput(input: TransparentInput, index: number, context: ItemContext): InspectedSpend {
  const isThere = input.scriptSig !== undefined || input.partialSignatures.size > 0;
  const { effects } = context;
  const isSigned = isThere && effects !== undefined && !hasWrongSignature(effects, index, input);
  if (isThere && effects !== undefined && !isSigned) {
    const field = `transparent.inputs[${index}]`;
    context.warn('signatureInvalid', field, 'its signature is not one of this transaction');
  }
  return {
    place: 'transparent',
    index,
    address: transparentAddress(input.scriptPubkey, context),
    amount: input.value,
    isPadding: false,
    owner: undefined,
    account: undefined,
    isSigned,
    isVerified: true,
    nullifier: undefined,
  };
}

function shieldedSpend(
  pool: Pool,
  index: number,
  field: string,
  spend: ActionSpend | SaplingSpend,
  { nullifier }: SpendFindings,
  owner: OwnerKey | undefined,
  { params, sighash, warn }: ItemContext,
): InspectedSpend {
  const dummyKey = 'dummySk' in spend ? spend.dummySk : spend.dummyAsk;
  if (dummyKey !== undefined) warn('dummyKeyInside', field, 'the key of a dummy is still inside');
  const { rk, spendAuthSig } = spend;
  const isSigned =
    spendAuthSig !== undefined &&
    sighash !== undefined &&
    cryptographyOf(pool).spendAuth.verify(rk, sighash, spendAuthSig);
  if (spendAuthSig !== undefined && sighash !== undefined && !isSigned)
    warn('signatureInvalid', field, 'its signature is not one of this transaction');
  return {
    place: pool,
    index,
    address: spend.recipient && encodeReceiver(pool, spend.recipient, params),
    amount: spend.value,
    isPadding: spend.value === 0n,
    owner: owner?.scope,
    account: owner?.account,
    isSigned,
    isVerified: nullifier === 'right',
    nullifier: spend.nullifier,
  };
}

function inspectTransparentOutput(
  output: TransparentOutput,
  index: number,
  context: ItemContext,
): InspectedOutput {
  const field = `transparent.outputs[${index}]`;
  return {
    place: 'transparent',
    index,
    role: 'payment',
    address: transparentAddress(output.scriptPubkey, context),
    userAddress: typedAddress('transparent', field, output.userAddress, output.scriptPubkey, context),
    amount: output.value,
    memo: undefined,
    owner: undefined,
    account: undefined,
    isVerified: true,
  };
}

interface OutputFields {
  readonly recipient: Uint8Array | undefined;
  readonly value: bigint | undefined;
  readonly userAddress: string | undefined;
}

function shieldedOutput(
  pool: Pool,
  index: number,
  field: string,
  { recipient, value, userAddress }: OutputFields,
  { memo, ...findings }: OutputFindings,
  owner: OwnerKey | undefined,
  context: ItemContext,
): InspectedOutput {
  // A randomised ciphertext hides that nothing is paid; it must not hide a payment.
  const isUnreadable = findings.ciphertext === 'wrong' && value === 0n && findings.commitment === 'right';
  warnOf(context, field, isUnreadable ? { ...findings, ciphertext: 'right' } : findings);
  if (findings.commitment === 'unknown')
    context.warn('unverified', field, 'its recipient and amount cannot be checked');
  const typed = typedAddress(pool, field, userAddress, recipient, context);
  const content = memo && parseMemo(memo);
  // In other kinds `said` is a view.
  if (content?.kind === 'text') wipe(memo!);
  const isSilent =
    content === undefined || content.kind === 'none' || (content.kind === 'text' && content.text === '');
  return {
    place: pool,
    index,
    role: roleOf(value, owner?.scope, userAddress !== undefined || !isSilent),
    address: recipient && encodeReceiver(pool, recipient, context.params),
    userAddress: typed,
    amount: value,
    memo: content,
    owner: owner?.scope,
    account: owner?.account,
    isVerified: findings.commitment === 'right' && (findings.ciphertext === 'right' || isUnreadable),
  };
}

function roleOf(
  value: bigint | undefined,
  owner: Scope | undefined,
  isMeant: boolean,
): InspectedOutput['role'] {
  if (isMeant) return owner === 'internal' ? 'change' : 'payment';
  if (value === 0n) return 'padding';
  return owner === undefined ? 'payment' : 'change';
}

/** The typed address is shown only if it has the receiver. */
function typedAddress(
  place: Place,
  field: string,
  userAddress: string | undefined,
  receiver: Uint8Array | undefined,
  { params, warn }: ItemContext,
): string | undefined {
  if (userAddress === undefined) return undefined;
  if (receiver !== undefined && addressHolds(userAddress, place, receiver, params)) return userAddress;
  warn('addressMismatch', field, 'the address that is shown for it is not the one that is paid');
  return undefined;
}

// Compares the address that a person typed with the receiver that is really paid.

/** Whether the address belongs to this network and has the receiver: 43 bytes of a pool, or a script. */
export function addressHolds(
  address: string,
  pool: Pool | 'transparent',
  receiver: Uint8Array,
  params: NetworkParameters,
): boolean {
  try {
    const { transparent, ...shielded } = payableReceivers(address, params);
    if (pool === 'transparent')
      return transparent !== undefined && equalBytes(scriptOf(transparent), receiver);
    const held = shielded[POOL[pool].protocol];
    return held !== undefined && equalBytes(held, receiver);
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
