// Each spend and output of a PCZT as a person should see it, with what is wrong about it.
import { encodeReceiver } from '../address/receiver.ts';
import { encodeTransparentAddress, transparentReceiverOf } from '../address/transparentScript.ts';
import { bytesToHex } from '../bytes.ts';
import type { NetworkParameters, Scope } from '../network.ts';
import { parseMemo } from '../notes/memo.ts';
import { ACTION_POOLS, type ActionPool, type Pool } from '../pools.ts';
import type { InspectedOutput, InspectedSpend, Place, WarningCode } from './inspection.ts';
import type { ActionSpend, SaplingSpend, TransparentInput, TransparentOutput } from './layout.ts';
import {
  checkActionOutput,
  checkActionValue,
  checkSaplingOutput,
  type OutputFindings,
} from './outputChecks.ts';
import { type OwnerKey, ownerKeysOf, ownerOf, rememberedKeys, walletSpendKey } from './owners.ts';
import type { Pczt } from './pczt.ts';
import {
  checkActionSpend,
  checkSaplingSpend,
  checkSaplingValue,
  type Finding,
  type SpendFindings,
  type SpendKeys,
  saplingKey,
} from './spendChecks.ts';
import { addressHolds } from './userAddress.ts';

export interface ItemContext {
  readonly params: NetworkParameters;
  /** Of the wallet; undefined where nobody knows. */
  readonly ownKeys: readonly OwnerKey[] | undefined;
  warn(code: WarningCode, field: string, text: string): void;
}

export interface InspectedItems {
  readonly spends: readonly InspectedSpend[];
  readonly outputs: readonly InspectedOutput[];
}

/** `pczt` has its compact fields. */
export function inspectItems(pczt: Pczt, context: ItemContext): InspectedItems {
  const spends: InspectedSpend[] = pczt.transparent.inputs.map((input, i) => inspectInput(input, i, context));
  const found: OwnerKey[] = [];
  const keys: SpendKeys = {
    ofFvk: rememberedKeys(),
    ofWallet: (pool, recipient) => walletSpendKey(pool, recipient, context.ownKeys ?? []),
  };
  pczt.sapling.spends.forEach((spend, index) => {
    const field = `sapling.spends[${index}]`;
    const findings = checkSaplingSpend(spend, keys);
    warnOf(context, field, { ...findings, cv: checkSaplingValue(spend) });
    spends.push(shieldedSpend('sapling', index, field, spend, findings, context));
    const { proofGenerationKey } = spend;
    if (!provesOwner(spend, findings) || proofGenerationKey === undefined) return;
    for (const ivk of saplingKey(proofGenerationKey).ivks)
      found.push({ protocol: 'sapling', scope: 'external', ivk });
  });
  const owners = new Set<string>();
  forEachAction(pczt, (pool, index, field) => {
    const action = pczt[pool].actions[index]!;
    const { spend } = action;
    const findings = checkActionSpend(pool, spend, keys);
    warnOf(context, `${field}.spend`, { ...findings });
    warnOf(context, field, { cvNet: checkActionValue(pool, action) });
    spends.push(shieldedSpend(pool, index, `${field}.spend`, spend, findings, context));
    if (!provesOwner(spend, findings) || spend.fvk === undefined) return;
    const name = bytesToHex(spend.fvk);
    if (owners.has(name)) return;
    owners.add(name);
    found.push(...ownerKeysOf(spend.fvk));
  });
  const withKeys = { ...context, ownKeys: context.ownKeys ?? found };
  return { spends, outputs: inspectOutputs(pczt, withKeys) };
}

type OutputContext = ItemContext & { readonly ownKeys: readonly OwnerKey[] };

function inspectOutputs(pczt: Pczt, context: OutputContext): InspectedOutput[] {
  const outputs: InspectedOutput[] = pczt.transparent.outputs.map((output, i) =>
    inspectTransparentOutput(output, i, context),
  );
  pczt.sapling.outputs.forEach((output, index) => {
    const field = `sapling.outputs[${index}]`;
    warnOf(context, field, { cv: checkSaplingValue(output) });
    outputs.push(shieldedOutput('sapling', index, field, output, checkSaplingOutput(output), context));
  });
  forEachAction(pczt, (pool, index, field) => {
    const action = pczt[pool].actions[index]!;
    const findings = checkActionOutput(pool, action);
    outputs.push(shieldedOutput(pool, index, `${field}.output`, action.output, findings, context));
  });
  return outputs;
}

function forEachAction(pczt: Pczt, visit: (pool: ActionPool, index: number, field: string) => void): void {
  for (const pool of ACTION_POOLS)
    for (const index of pczt[pool].actions.keys()) visit(pool, index, `${pool}.actions[${index}]`);
}

/** A made-up note of value 0 belongs to nobody. */
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

/** The value of a transparent input is signed (ZIP 244). */
const inspectInput = (input: TransparentInput, index: number, context: ItemContext): InspectedSpend => ({
  place: 'transparent',
  index,
  address: transparentAddress(input.scriptPubkey, context),
  amount: input.value,
  isPadding: false,
  owner: undefined,
  isSigned: input.scriptSig !== undefined || input.partialSignatures.size > 0,
  isVerified: true,
});

function shieldedSpend(
  pool: Pool,
  index: number,
  field: string,
  spend: ActionSpend | SaplingSpend,
  { nullifier }: SpendFindings,
  { params, ownKeys, warn }: ItemContext,
): InspectedSpend {
  const dummyKey = 'dummySk' in spend ? spend.dummySk : spend.dummyAsk;
  if (dummyKey !== undefined) warn('dummyKeyInside', field, 'the key of a dummy is still inside');
  return {
    place: pool,
    index,
    address: spend.recipient && encodeReceiver(pool, spend.recipient, params),
    amount: spend.value,
    isPadding: spend.value === 0n,
    owner: spend.recipient && ownKeys && ownerOf(pool, spend.recipient, ownKeys),
    isSigned: spend.spendAuthSig !== undefined,
    isVerified: nullifier === 'right',
  };
}

function inspectTransparentOutput(
  output: TransparentOutput,
  index: number,
  context: OutputContext,
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
  context: OutputContext,
): InspectedOutput {
  // A randomised ciphertext hides that nothing is paid; it must not hide that something is.
  const isUnreadable = findings.ciphertext === 'wrong' && value === 0n && findings.commitment === 'right';
  warnOf(context, field, isUnreadable ? { ...findings, ciphertext: 'right' } : findings);
  if (findings.commitment === 'unknown')
    context.warn('unverified', field, 'its recipient and amount cannot be checked');
  const owner = recipient && ownerOf(pool, recipient, context.ownKeys);
  const typed = typedAddress(pool, field, userAddress, recipient, context);
  const isSilent = memo === undefined || isEmptyMemo(memo);
  return {
    place: pool,
    index,
    role: roleOf(value, owner, userAddress !== undefined || !isSilent),
    address: recipient && encodeReceiver(pool, recipient, context.params),
    userAddress: typed,
    amount: value,
    memo: memo && parseMemo(memo),
    owner,
    isVerified: findings.commitment === 'right' && (findings.ciphertext === 'right' || isUnreadable),
  };
}

function isEmptyMemo(memo: Uint8Array): boolean {
  const parsed = parseMemo(memo);
  return parsed.kind === 'none' || (parsed.kind === 'text' && parsed.text === '');
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

/** Only an address that holds the receiver is shown as what was typed. */
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
