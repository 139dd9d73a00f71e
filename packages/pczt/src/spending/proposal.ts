// Decides how a payment is made before any secret is used: notes, pools, change, fee, and what becomes public. A plan that
// reveals nothing is preferred; a plan that reveals something without consent is refused.
import type { Height, Zatoshi } from '@wallet-companion/base/values';
import { MOST_SHIELDED_ITEMS } from '@wallet-companion/zcash/blocks';
import { blocksIn } from '@wallet-companion/zcash/blockTimes';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { noMemo, padMemo } from '@wallet-companion/zcash/notes';
import { POOL, type Pool, type ShieldedProtocol } from '@wallet-companion/zcash/pools';
import type { RequestedPayment } from '@wallet-companion/zcash/zip321';
import { finish, type Steps } from '../pczt/steps.ts';
import type { ChangePolicy } from './changePool.ts';
import { type Consent, consentsFor } from './disclosure.ts';
import { planEverything } from './everything.ts';
import { type ExpiryTerms, earliestExpiry, expiryTerms } from './expiry.ts';
import {
  type Confirmations,
  checkConfirmations,
  DEFAULT_CONFIRMATIONS,
  type OwnNote,
  type SortedFunds,
  sortFunds,
  total,
} from './funds.ts';
import { isAmount, type OwnKey, type Payee, payeesOf, type Receiver, refuseFaulty } from './payees.ts';
import { balancesOf, formOf, type Plan, type PlannedPayment } from './plan.ts';
import { type Funds, refuseSpending } from './refusal.ts';
import { batchesOf } from './room.ts';
import { rulesAt, type SpendingRules } from './rules.ts';
import {
  type NotesToTry,
  type Selection,
  type SelectionContext,
  selectNotes,
  sourceSets,
  worthTrying,
} from './selection.ts';
import { usefulNotes } from './splitChange.ts';

/** Limit of the anchor's depth, for any number of confirmations: the wallet surely still knows this block. */
const DEEPEST_ANCHOR = 100;
/** The most actions of a pool that hardware signers have space for. */
const DEFAULT_MAX_ACTIONS = 32;
const MAX_TRANSPARENT_OUTPUTS = 32;
const NO_SCRIPT = new Uint8Array(0);

export interface ProposalRequest<Note extends OwnNote> {
  readonly params: NetworkParameters;
  /** The transaction's block: one above the tip. */
  readonly targetHeight: Height;
  /** Seconds since 1970, for addresses with an expiry time. */
  readonly now: number;
  /** The height up to which the wallet knows its notes. */
  readonly scannedHeight: Height;
  /** The unspent notes of one account. */
  readonly notes: readonly Note[];
  /** Protocols for which the account has a full viewing key. */
  readonly protocols: readonly ShieldedProtocol[];
  /** Keys of all accounts. */
  readonly ownKeys: readonly OwnKey[];
  readonly payments: readonly RequestedPayment[];
  /** The announced first block under rules that this program does not know. */
  readonly unknownUpgrade?: Height | undefined;
  readonly options?: ProposalOptions;
}

export interface ProposalOptions {
  readonly confirmations?: Confirmations;
  readonly expiryHeight?: Height | undefined;
  /** What the payment may reveal; nothing by default. */
  readonly consents?: readonly Consent[] | undefined;
  /** By default `kept`, except Sapling's where the payment crosses pools anyway. */
  readonly changePolicy?: ChangePolicy | undefined;
  /** Splits change until the account has so many notes of at least 0.1 ZEC; 1, the default, splits none. */
  readonly changeNotes?: number;
  /** Spends only notes of these pools. */
  readonly sources?: readonly Pool[] | undefined;
  /** Sends all funds to the one recipient, whose amount is absent. */
  readonly everything?: boolean | undefined;
  /** Limit of actions in a pool, with padding. */
  readonly maxActions?: number;
  /** Zatoshi; the usual fee by default, and never above it. */
  readonly feePerAction?: Zatoshi;
}

export interface Proposal<Note extends OwnNote> extends Plan<Note>, ExpiryTerms {
  readonly targetHeight: Height;
  /** For all pools: anchors and witnesses belong to the trees after this block. */
  readonly anchorHeight: Height;
  /** The amount that leaves each used pool; negative where it enters. All of it becomes public. */
  readonly valueBalances: Partial<Readonly<Record<Pool, Zatoshi>>>;
  /** The funds before this payment. */
  readonly funds: Funds;
  /** When everything is sent: the notes that did not fit, and how many further payments they need. */
  readonly left: Left | undefined;
  readonly feePerAction: Zatoshi;
}

export interface Left {
  readonly zatoshi: Zatoshi;
  readonly payments: number;
}

/** The fields that decide which notes may be spent. */
export type FundsRequest<Note extends OwnNote> = Pick<
  ProposalRequest<Note>,
  'params' | 'targetHeight' | 'notes' | 'protocols' | 'options'
>;

function sourcesFor({ params, targetHeight, protocols, options = {} }: FundsRequest<OwnNote>) {
  const rules = rulesAt(params, targetHeight, options.feePerAction);
  const hasKey = (pool: Pool): boolean => protocols.includes(POOL[pool].protocol);
  const sources = rules.spendable.filter(
    (pool) => hasKey(pool) && (options.sources === undefined || options.sources.includes(pool)),
  );
  return { rules, sources, hasKey };
}

const fundsIn = <Note extends OwnNote>(
  { notes, targetHeight, options = {} }: FundsRequest<Note>,
  sources: readonly Pool[],
  rules: SpendingRules,
): SortedFunds<Note> =>
  sortFunds(
    notes.filter(({ pool }) => sources.includes(pool)),
    targetHeight,
    options.confirmations ?? DEFAULT_CONFIRMATIONS,
    rules,
  );

/** What an account could pay with now. */
export interface SpendableFunds extends Funds {
  /** Payments that could be made at once: each takes a note of its own that is worth more than the fee. */
  readonly payments: number;
}

/** The funds that a payment of the account could spend, by the rule by which `proposePayment` chooses its notes. */
export function spendableFunds<Note extends OwnNote>(request: FundsRequest<Note>): SpendableFunds {
  const { rules, sources } = sourcesFor(request);
  const { funds, notes } = fundsIn(request, sources, rules);
  const pays = (note: Note): boolean => {
    const place = rules.payable.includes(note.pool) ? note.pool : rules.payable.at(-1)!;
    const form = formOf([note], [{ place, receiver: NO_SCRIPT }], undefined);
    return note.zatoshi > rules.conventionalFee(form);
  };
  return { ...funds, payments: notes.filter(pays).length };
}

/**
 * Chooses notes, pools, fee and change for a payment, and says what it makes public. SpendingRefusal gives the reason
 * when it cannot be made.
 */
export const proposePayment = <Note extends OwnNote>(request: ProposalRequest<Note>): Proposal<Note> =>
  finish(proposingPayment(request));

/** The fields that say whom to pay, and how. */
export type PayeesRequest = Pick<
  ProposalRequest<OwnNote>,
  'params' | 'targetHeight' | 'protocols' | 'ownKeys' | 'payments' | 'options'
>;

/** Refuses what no funds and no chain can mend: a caller can check a request before it asks a server for the height. */
export function* checkingPayees(request: PayeesRequest): Steps<Payee[]> {
  const { params, ownKeys, options = {} } = request;
  checkConfirmations(options.confirmations ?? DEFAULT_CONFIRMATIONS);
  const { rules, sources } = sourcesFor({ ...request, notes: [] });
  if (sources.length === 0) refuseSpending({ kind: 'noSource' });
  const payees = yield* payeesOf(request.payments, rules, params, ownKeys);
  checkPayees(payees, options.everything ?? false, options.maxActions ?? DEFAULT_MAX_ACTIONS);
  return payees;
}

/** The same in steps. */
export function* proposingPayment<Note extends OwnNote>(
  request: ProposalRequest<Note>,
): Steps<Proposal<Note>> {
  const { targetHeight, scannedHeight, options = {} } = request;
  const confirmations = options.confirmations ?? DEFAULT_CONFIRMATIONS;
  const maxActions = options.maxActions ?? DEFAULT_MAX_ACTIONS;
  const payees = yield* checkingPayees(request);
  const { rules, sources, hasKey } = sourcesFor(request);
  const terms = expiryTerms(request, options.expiryHeight, latestExpiry(payees, request));
  const all = fundsIn(request, sources, rules);
  const paid = total(payees.map(({ zatoshi = 0 }) => ({ zatoshi })));
  const sorted = worthTrying(all, { pools: sources, paid, maxActions });
  const context: SelectionContext = {
    rules,
    maxActions,
    changePolicy: options.changePolicy,
    hasKey,
    changeNotes: { wanted: options.changeNotes ?? 1, useful: usefulNotes(request.notes) },
  };
  const plans = options.everything
    ? everythingPlans(sorted, payees[0]!, sources, context)
    : paymentPlans(sorted, payees, sources, context, all);
  const plan = choose(plans, options.consents ?? []);
  return {
    ...plan,
    payments: plan.payments.map(withWholeMemo),
    ...terms,
    targetHeight,
    anchorHeight: Math.min(
      targetHeight - Math.min(confirmations.change, confirmations.received, DEEPEST_ANCHOR),
      scannedHeight,
    ),
    valueBalances: balancesOf(plan),
    funds: sorted.funds,
    feePerAction: rules.feePerAction,
    left: options.everything ? leftAfter(plan, all, context) : undefined,
  };
}

/** The only copies of memos, made when nothing can fail any more: the caller wipes those of the proposal. */
const withWholeMemo = (payment: PlannedPayment): PlannedPayment => ({
  ...payment,
  memo: payment.place === 'transparent' ? undefined : wholeMemo(payment.memo),
});

const wholeMemo = (memo: Uint8Array | undefined): Uint8Array =>
  memo === undefined || memo.length === 0 ? noMemo() : padMemo(memo);

function checkPayees(payees: readonly Payee[], everything: boolean, maxActions: number): void {
  const [first] = payees;
  if (first === undefined) refuseSpending({ kind: 'recipients', fault: 'none' });
  if (everything) {
    if (payees.length > 1) refuseSpending({ kind: 'recipients', fault: 'everythingTakesOne' });
    if (first.zatoshi !== undefined) refuseSpending({ kind: 'recipients', fault: 'everythingHasAmount' });
    return;
  }
  refuseFaulty(payees, ({ zatoshi }) => (zatoshi === undefined ? 'amountMissing' : undefined));
  const transparent = payees.filter(({ receivers }) => receivers[0]!.place === 'transparent').length;
  // Change takes an action too.
  if (transparent > MAX_TRANSPARENT_OUTPUTS || payees.length - transparent >= maxActions)
    refuseSpending({ kind: 'recipients', fault: 'tooMany' });
  if (!isAmount(payees.reduce((sum, { zatoshi = 0 }) => sum + zatoshi, 0)))
    refuseSpending({ kind: 'recipients', fault: 'totalRange' });
}

/** ZIP 316: a payment to an address with an expiry time must be mined at most a day later. */
const GRACE_SECONDS = 86_400;

/** The height after which some address must not be paid. */
function latestExpiry(
  payees: readonly Payee[],
  { params, targetHeight, now }: Pick<ProposalRequest<OwnNote>, 'params' | 'targetHeight' | 'now'>,
): Height {
  const earliest = earliestExpiry(targetHeight);
  refuseFaulty(payees, ({ lastHeight = earliest, lastTime = now }) =>
    lastHeight < earliest || lastTime < now ? 'expired' : undefined,
  );
  let latest = Number.POSITIVE_INFINITY;
  for (const { lastHeight = latest, lastTime } of payees) {
    latest = Math.min(latest, lastHeight);
    if (lastTime !== undefined)
      latest = Math.min(latest, targetHeight + blocksIn(GRACE_SECONDS, params.activation, targetHeight));
  }
  return latest;
}

/** Which receiver of each address is paid: the best of each, or those of one pool wherever offered. */
function assignments(payees: readonly Payee[], { payable }: SpendingRules): Receiver[][] {
  const preferring = (pool: Pool | undefined): Receiver[] =>
    payees.map(({ receivers }) => receivers.find(({ place }) => place === pool) ?? receivers[0]!);
  const found: Receiver[][] = [];
  for (const pool of [undefined, ...payable.toReversed()]) {
    const receivers = preferring(pool);
    if (!found.some((other) => other.every((receiver, i) => receiver === receivers[i])))
      found.push(receivers);
  }
  return found;
}

const inOrder = <Note extends OwnNote>({ notes, dust }: SortedFunds<Note>, pools: readonly Pool[]): Note[] =>
  [notes, dust].flatMap((group) => pools.flatMap((pool) => group.filter((note) => note.pool === pool)));

/** The plans, best first. */
function paymentPlans<Note extends OwnNote>(
  sorted: NotesToTry<Note>,
  payees: readonly Payee[],
  sources: readonly Pool[],
  context: SelectionContext,
  all: SortedFunds<Note>,
): Plan<Note>[] {
  const plans: Plan<Note>[] = [];
  let best: Exclude<Selection<Note>, { readonly plan: unknown }> | undefined;
  let bestPayments: readonly PlannedPayment[] = [];
  const paid = total(payees.map(({ zatoshi = 0 }) => ({ zatoshi })));
  let atMost = 0;
  for (const receivers of assignments(payees, context.rules)) {
    const payments = payees.map(
      ({ address, zatoshi = 0, memo }, i): PlannedPayment => ({
        place: receivers[i]!.place,
        receiver: receivers[i]!.bytes,
        address,
        zatoshi,
        memo,
      }),
    );
    for (const pools of sourceSets(sources, receivers, context.rules)) {
      const found = selectNotes(inOrder(sorted, pools), payments, context);
      if ('plan' in found) {
        plans.push(found.plan);
        continue;
      }
      atMost = Math.max(atMost, found.reached - (found.needed - paid));
      if (best === undefined || found.reached > best.reached) {
        best = found;
        bestPayments = payments;
      }
    }
  }
  if (plans.length > 0) return plans;
  const needed = best?.needed ?? paid;
  const { funds } = sorted;
  if (best !== undefined && (best.full !== undefined || sorted.isCut) && funds.spendable >= needed)
    return refuseSpending({
      kind: 'tooManyNotes',
      needed,
      atMost,
      full: best.full ?? (context.maxActions < MOST_SHIELDED_ITEMS ? 'signer' : 'block'),
      payments: paymentsFor(paid, all.notes, bestPayments, context),
      funds,
    });
  return refuseSpending({ kind: 'notEnough', needed, funds });
}

/** What a payment of this form sends that spends these notes. */
const afterFee = (
  notes: readonly OwnNote[],
  payments: readonly PlannedPayment[],
  { rules }: SelectionContext,
): Zatoshi => total(notes) - rules.conventionalFee(formOf(notes, payments, undefined));

/** How many payments of this form the amount needs, each as full as possible. */
function paymentsFor(
  paid: Zatoshi,
  notes: readonly OwnNote[],
  payments: readonly PlannedPayment[],
  context: SelectionContext,
): number | undefined {
  let count = 0;
  let sent = 0;
  for (const batch of batchesOf(notes, formOf([], payments, undefined), context)) {
    count++;
    sent += afterFee(batch, payments, context);
    if (sent >= paid) return count;
  }
  return undefined;
}

/** Notes that did not fit, in further payments that are worth more than their fee. */
function leftAfter<Note extends OwnNote>(
  { spends, payments }: Plan<Note>,
  { notes }: SortedFunds<Note>,
  context: SelectionContext,
): Left {
  const taken = new Set(spends);
  const left = notes.filter((note) => !taken.has(note));
  const form = formOf([], payments, undefined);
  const batches = [...batchesOf(left, form, context)].filter(
    (batch) => afterFee(batch, payments, context) > 0,
  );
  return { zatoshi: total(batches.flat()), payments: batches.length };
}

/** The plan that sends the most, for each receiver of the address. */
function everythingPlans<Note extends OwnNote>(
  sorted: SortedFunds<Note>,
  payee: Payee,
  sources: readonly Pool[],
  context: SelectionContext,
): Plan<Note>[] {
  const amountOf = (plan: Plan<Note> | undefined): Zatoshi => plan?.payments[0]?.zatoshi ?? 0;
  const notes = inOrder(sorted, sources);
  // The last set has all pools: what is refused for want of funds takes more than all of them hold.
  let short: Exclude<ReturnType<typeof planEverything>, Plan<OwnNote>> | undefined;
  const plans = payee.receivers.flatMap((receiver) => {
    let most: Plan<Note> | undefined;
    for (const pools of sourceSets(sources, [receiver], context.rules)) {
      const plan = planEverything(notes, payee, receiver, pools, context);
      if ('needed' in plan) short = plan;
      else if (amountOf(plan) > amountOf(most)) most = plan;
    }
    return most ?? [];
  });
  const { funds } = sorted;
  if (plans.length > 0) return plans;
  const { needed = 0, full } = short ?? {};
  if (full === undefined || funds.spendable < needed)
    return refuseSpending({ kind: 'notEnough', needed, funds });
  return refuseSpending({ kind: 'tooManyNotes', needed, atMost: 0, full, payments: undefined, funds });
}

/** Chooses a plan that reveals nothing, else the first that reveals only what the user consented to. */
function choose<Note extends OwnNote>(
  plans: readonly Plan<Note>[],
  consents: readonly Consent[],
): Plan<Note> {
  const missing = ({ disclosures }: Plan<Note>): Consent[] =>
    consentsFor(disclosures).filter((consent) => !consents.includes(consent));
  const chosen =
    plans.find(({ disclosures }) => disclosures.length === 0) ??
    plans.find((plan) => missing(plan).length === 0);
  if (chosen !== undefined) return chosen;
  const nearest = plans.reduce((best, plan) => (missing(plan).length < missing(best).length ? plan : best));
  return refuseSpending({
    kind: 'consentNeeded',
    consents: missing(nearest),
    disclosures: nearest.disclosures,
  });
}
