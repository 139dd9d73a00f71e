// Shows what a PCZT does before it is signed: who is paid, how much, what becomes public and what is unusual. Only
// signed fields are trusted; a field that explains them is shown where it fits them.

import { FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { MOST_SHIELDED_ITEMS } from '@wallet-companion/zcash/blocks';
import { MAX_MONEY, type NetworkParameters } from '@wallet-companion/zcash/network';
import { ACTION_POOLS, isActionPool, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { TransactionEffects } from '@wallet-companion/zcash/signing';
import { shieldedSighash, txidOfEffects } from '@wallet-companion/zcash/signing';
import { feePerAction, LEAST_FEE_PER_ACTION } from '@wallet-companion/zcash/zip317';
import { hasCompactFields, resolvingCompactFields } from './compactFields.ts';
import { mayCrossAddresses } from './crossAddress.ts';
import { feeOf, logicalActionsOf } from './fee.ts';
import { inspectItems } from './inspectItems.ts';
import type { Inspection, PcztWarning, Place, WarningCode } from './inspection.ts';
import { lockTimeOf } from './lockTime.ts';
import { ALL_MODIFIABLE, isOpen } from './modifiable.ts';
import type { OwnerKey } from './owners.ts';
import type { Pczt } from './pczt.ts';
import { PcztRefusal, refuse } from './refusal.ts';
import { finish, type Steps } from './steps.ts';
import { effectsOfPczt } from './transactionParts.ts';
import { branchAt, lastHeightUnder, upgradeOfBranch } from './upgrades.ts';

/** Each takes little time, but there may be many. */
const MAX_TRANSPARENT_ITEMS = 5000;
/** A higher excess over the conventional fee is more than careless software leaves. */
const HIGH_FEE_EXCESS = 100_000n;
/** A person can hardly sign and send within so few blocks. */
const SOON = 4;

export interface InspectionOptions {
  readonly params: NetworkParameters;
  /** The chain's height; without it, checks that need it are skipped. */
  readonly tipHeight?: Height;
  /** Keys of the wallet, to recognise its change. */
  readonly ownKeys?: readonly OwnerKey[];
  /** Key prefixes of proprietary entries that the caller knows. */
  readonly knownProprietaryPrefixes?: readonly string[];
}

/**
 * What the PCZT would do if it were signed as it is: amounts in zatoshi, fee, recipients, what is shown to whom, and
 * what is missing. Nothing in it is believed that can be computed. Throws `PcztRefusal`.
 */
export const inspectPczt = (pczt: Pczt, options: InspectionOptions): Inspection =>
  finish(inspectingPczt(pczt, options));

/** The same in steps, for threads that also serve other requests. */
export function* inspectingPczt(original: Pczt, options: InspectionOptions): Steps<Inspection> {
  const items = shieldedItems(original);
  if (items > MOST_SHIELDED_ITEMS)
    refuse(
      'unsupported',
      '',
      `at most ${MOST_SHIELDED_ITEMS} spends and outputs are looked into, not ${items}`,
    );
  const { inputs, outputs: paid } = original.transparent;
  if (inputs.length + paid.length > MAX_TRANSPARENT_ITEMS)
    refuse(
      'unsupported',
      '',
      `at most ${MAX_TRANSPARENT_ITEMS} transparent inputs and outputs are looked into`,
    );
  for (const side of [inputs, paid]) {
    if (side.reduce((sum, { value }) => sum + value, 0n) > MAX_MONEY)
      refuse('inconsistent', 'transparent', 'its amounts add up to more than 21,000,000 ZEC');
  }
  const pczt = hasCompactFields(original) ? yield* resolvingCompactFields(original) : original;
  const warnings: PcztWarning[] = [];
  const warn = (code: WarningCode, field: string, text: string): void => {
    warnings.push({ code, field, text });
  };
  const { params, ownKeys } = options;
  const effects = knownEffects(pczt, warn);
  const sighash = effects && shieldedSighash(effects);
  yield;
  const { spends, outputs } = yield* inspectItems(pczt, { params, ownKeys, effects, sighash, warn });
  const { global, transparent } = pczt;
  warnOfGlobal(pczt, options, warn);
  const conventionalFee = conventionalFeeOf(pczt, options);
  warnOfFee(pczt, conventionalFee, warn);
  warnOfProprietary(pczt, options.knownProprietaryPrefixes ?? [], warn);
  return {
    txid: effects && txidOfEffects(effects),
    txVersion: global.txVersion,
    upgrade: upgradeOfBranch(global.consensusBranchId)!,
    expiryHeight: global.expiryHeight,
    lastHeight: lastHeightOf(pczt, params),
    lockTime: knownLockTime(pczt, warn),
    spends,
    outputs,
    fee: feeOf(pczt),
    conventionalFee,
    becomesPublic: {
      valueBalances: usedPools(pczt).map((pool) => ({ pool, amount: pczt[pool].valueSum })),
      transparentInputs: transparent.inputs.length,
      transparentOutputs: transparent.outputs.length,
    },
    missing: {
      signatures: countByPlace(spends.filter(({ isSigned }) => !isSigned)),
      proofs: usedPools(pczt).filter((pool) => isUnproved(pczt, pool)),
      bindingKeys: usedPools(pczt).filter((pool) => pczt[pool].bsk === undefined),
    },
    warnings,
  };
}

/** Undefined where the PCZT cannot be signed yet: a version 5 anchor is missing, or its lock times conflict. */
function knownEffects(pczt: Pczt, warn: Warn): TransactionEffects | undefined {
  try {
    const effects = effectsOfPczt(pczt);
    txidOfEffects(effects);
    return effects;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const { field, text } = error instanceof PcztRefusal ? error : { field: '', text: error.message };
    warn('notSignable', field, text);
    return undefined;
  }
}

function countByPlace(items: readonly { readonly place: Place }[]): Map<Place, number> {
  const counts = new Map<Place, number>();
  for (const { place } of items) counts.set(place, (counts.get(place) ?? 0) + 1);
  return counts;
}

type Warn = (code: WarningCode, field: string, text: string) => void;

const itemsOf = (pczt: Pczt, pool: Pool): number =>
  isActionPool(pool) ? pczt[pool].actions.length : pczt.sapling.spends.length + pczt.sapling.outputs.length;

const shieldedItems = (pczt: Pczt): number => POOLS.reduce((sum, pool) => sum + itemsOf(pczt, pool), 0);

const usedPools = (pczt: Pczt): Pool[] => POOLS.filter((pool) => itemsOf(pczt, pool) > 0);

const isUnproved = (pczt: Pczt, pool: Pool): boolean =>
  isActionPool(pool)
    ? pczt[pool].zkproof === undefined
    : [...pczt.sapling.spends, ...pczt.sapling.outputs].some(({ zkproof }) => zkproof === undefined);

function warnOfGlobal(pczt: Pczt, { params, tipHeight }: InspectionOptions, warn: Warn): void {
  const { coinType, consensusBranchId, expiryHeight } = pczt.global;
  if (coinType !== params.coinType) warn('otherNetwork', 'global.coinType', 'it is of another network');
  if (isOpen(pczt, ALL_MODIFIABLE))
    warn('stillOpen', 'global.txModifiable', 'inputs or outputs can still be added');
  for (const pool of ACTION_POOLS) {
    if (mayCrossAddresses(pczt, pool)) continue;
    pczt[pool].actions.forEach(({ spend, output }, i) => {
      const known = spend.recipient !== undefined && output.recipient !== undefined;
      if (known && spend.recipient.some((byte, at) => byte !== output.recipient![at]))
        warn(
          'crossesAddresses',
          `${pool}.actions[${i}]`,
          'nodes will refuse a payment to another address here',
        );
    });
  }
  if (expiryHeight === 0)
    warn(
      'neverExpires',
      'global.expiryHeight',
      'it has no expiry: it can be mined until the next network upgrade',
    );
  if (tipHeight === undefined) return;
  if (consensusBranchId !== branchAt(tipHeight + 1, params))
    warn('otherUpgrade', 'global.consensusBranchId', 'the next block is under another network upgrade');
  const last = lastHeightOf(pczt, params) ?? Number.POSITIVE_INFINITY;
  const blocksLeft = last - tipHeight;
  if (expiryHeight > 0 && expiryHeight <= tipHeight)
    warn('expired', 'global.expiryHeight', 'it can no longer be mined');
  else if (blocksLeft > 0 && blocksLeft < SOON) {
    const field = last === expiryHeight ? 'global.expiryHeight' : 'global.consensusBranchId';
    warn('expiresSoon', field, `it can be mined for ${blocksLeft} blocks`);
  }
}

/** Heights of upgrades count on their own network alone. */
function lastHeightOf({ global }: Pczt, params: NetworkParameters): Height | undefined {
  const ofUpgrade =
    global.coinType === params.coinType
      ? lastHeightUnder(global.consensusBranchId, params)
      : Number.POSITIVE_INFINITY;
  const last = Math.min(global.expiryHeight || Number.POSITIVE_INFINITY, ofUpgrade);
  return Number.isFinite(last) ? last : undefined;
}

/** Of the next block; where the chain's height is not known, of the last block that can have it. */
function conventionalFeeOf(pczt: Pczt, { params, tipHeight }: InspectionOptions): bigint {
  const height =
    tipHeight === undefined ? (lastHeightOf(pczt, params) ?? Number.POSITIVE_INFINITY) : tipHeight + 1;
  return BigInt(logicalActionsOf(pczt) * feePerAction(params, height));
}

function warnOfFee(pczt: Pczt, conventional: bigint, warn: Warn): void {
  const fee = feeOf(pczt);
  const least = BigInt(logicalActionsOf(pczt) * LEAST_FEE_PER_ACTION);
  if (fee < 0n) warn('feeNegative', '', 'it pays more than it spends');
  else if (fee < least) warn('feeLow', '', `nodes take nothing below ${least} zatoshi`);
  else if (fee > conventional + HIGH_FEE_EXCESS) warn('feeHigh', '', `${conventional} zatoshi are usual`);
}

function knownLockTime(pczt: Pczt, warn: Warn): number | undefined {
  try {
    const lockTime = lockTimeOf(pczt);
    if (lockTime !== 0) warn('lockedUntil', 'global.fallbackLockTime', `it is locked until ${lockTime}`);
    return lockTime;
  } catch (error) {
    if (!(error instanceof PcztRefusal)) throw error;
    warn('lockedUntil', error.field, error.text);
    return undefined;
  }
}

/** The entries' texts come from other software and are not repeated. */
function warnOfProprietary(pczt: Pczt, known: readonly string[], warn: Warn): void {
  const look = (field: string, { proprietary }: { proprietary: ReadonlyMap<string, unknown> }): void => {
    const unknown = [...proprietary.keys()].filter((key) => !known.some((prefix) => key.startsWith(prefix)));
    if (unknown.length > 0)
      warn('unknownProprietary', `${field}.proprietary`, `${unknown.length} entries of other software`);
  };
  const lookAll = (field: string, all: readonly { proprietary: ReadonlyMap<string, unknown> }[]): void =>
    all.forEach((item, i) => {
      look(`${field}[${i}]`, item);
    });
  look('global', pczt.global);
  lookAll('transparent.inputs', pczt.transparent.inputs);
  lookAll('transparent.outputs', pczt.transparent.outputs);
  lookAll('sapling.spends', pczt.sapling.spends);
  lookAll('sapling.outputs', pczt.sapling.outputs);
  for (const pool of ACTION_POOLS) {
    pczt[pool].actions.forEach(({ spend, output }, i) => {
      look(`${pool}.actions[${i}].spend`, spend);
      look(`${pool}.actions[${i}].output`, output);
    });
  }
}
