// Decides how transparent funds of an account are shielded: which of its outputs, and the fee. What is left after the fee
// becomes one note at the account's address for change, in the newest pool.
import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { isActionPool, POOL, type Pool, type ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { type ExpirySituation, expiryTerms } from './expiry.ts';
import { DEFAULT_CONFIRMATIONS, isDust, total } from './funds.ts';
import type { OwnOutput } from './ownOutput.ts';
import { balancesOf, formOf, type Plan } from './plan.ts';
import type { Proposal } from './proposal.ts';
import { refuseSpending } from './refusal.ts';
import { rulesAt, type SpendingRules } from './rules.ts';

export interface ShieldingRequest extends ExpirySituation {
  readonly params: NetworkParameters;
  /** The transaction's block: one above the tip. */
  readonly targetHeight: Height;
  /** The height up to which the wallet knows its notes. */
  readonly scannedHeight: Height;
  /** Unspent outputs of the account that can be spent in the transaction's block, and that nothing else has reserved. */
  readonly outputs: readonly OwnOutput[];
  /** Zatoshi in outputs of the account that cannot be spent yet, by height, and in reserved ones. */
  readonly waiting: readonly { readonly zatoshi: Zatoshi; readonly height: Height }[];
  readonly reserved: Zatoshi;
  /** Protocols for which the account has a full viewing key. */
  readonly protocols: readonly ShieldedProtocol[];
  /** Takes from several addresses, which shows that they belong together; else from the one that has the most. */
  readonly joinAddresses: boolean;
  readonly maxInputs: number;
  readonly expiryHeight?: Height | undefined;
  /** Zatoshi; the usual fee by default, and never above it. */
  readonly feePerAction?: Zatoshi;
}

/** Chooses the outputs of one transaction. SpendingRefusal where they are worth no more than their fee. */
export function proposeShielding(request: ShieldingRequest): Proposal<never> {
  const { params, targetHeight, scannedHeight, outputs, protocols, waiting, reserved } = request;
  const rules = rulesAt(params, targetHeight, request.feePerAction);
  const pool = newestPool(rules, protocols);
  const worth = outputs.filter(({ zatoshi }) => !isDust(zatoshi, rules));
  const funds = {
    spendable: total(worth),
    dust: total(outputs) - total(worth),
    waiting,
    reserved,
  };
  const batches = batchesOf(worth, request);
  const afterFee = (batch: readonly OwnOutput[]): Zatoshi => total(batch) - feeFor(batch, pool, rules);
  const [inputs, ...others] = batches.filter((batch) => afterFee(batch) > 0);
  if (inputs === undefined) {
    const [nearest = []] = batches.toSorted((a, b) => afterFee(b) - afterFee(a));
    return refuseSpending({ kind: 'notEnough', needed: feeFor(nearest, pool, rules) + 1, funds });
  }
  const fee = feeFor(inputs, pool, rules);
  const zatoshi = total(inputs) - fee;
  const parts = { spends: [], inputs, payments: [], change: { pool, zatoshi, notes: 1 } };
  const plan: Plan<never> = { ...parts, fee, disclosures: disclosuresOf(inputs) };
  return {
    ...plan,
    ...expiryTerms(request, request.expiryHeight),
    targetHeight,
    anchorHeight: Math.min(targetHeight - DEFAULT_CONFIRMATIONS.change, scannedHeight),
    valueBalances: balancesOf(plan),
    funds,
    feePerAction: rules.feePerAction,
    left: others.length === 0 ? undefined : { zatoshi: total(others.flat()), payments: others.length },
  };
}

function newestPool({ payable }: SpendingRules, protocols: readonly ShieldedProtocol[]): Pool {
  const known = payable.filter((pool) => protocols.includes(POOL[pool].protocol));
  return known.findLast(isActionPool) ?? known.at(-1) ?? refuseSpending({ kind: 'noSource' });
}

const feeFor = (inputs: readonly OwnOutput[], pool: Pool, rules: SpendingRules): Zatoshi =>
  rules.conventionalFee(formOf([], [], { pool, notes: 1 }, inputs));

/** The outputs of this transaction, and of those that would follow. */
function batchesOf(
  outputs: readonly OwnOutput[],
  { joinAddresses, maxInputs }: Pick<ShieldingRequest, 'joinAddresses' | 'maxInputs'>,
): OwnOutput[][] {
  const groups = joinAddresses ? [outputs] : byAddress(outputs);
  return groups.flatMap((group) => {
    const sorted = group.toSorted((a, b) => b.zatoshi - a.zatoshi);
    const batches: OwnOutput[][] = [];
    for (let i = 0; i < sorted.length; i += maxInputs) batches.push(sorted.slice(i, i + maxInputs));
    return batches;
  });
}

/** The address with the most first. */
function byAddress(outputs: readonly OwnOutput[]): OwnOutput[][] {
  const groups = new Map<string, OwnOutput[]>();
  for (const output of outputs)
    groups.set(output.at.address, [...(groups.get(output.at.address) ?? []), output]);
  return [...groups.values()].sort((a, b) => total(b) - total(a));
}

function disclosuresOf(inputs: readonly OwnOutput[]): Plan<never>['disclosures'] {
  return byAddress(inputs).map((group) => ({
    consent: 'transparent_senders',
    address: group[0]!.at.address,
    zatoshi: total(group),
  }));
}
