// What a request to pay is to become: its notes, fee and change.

import {
  checkingPayees,
  proposingPayment,
  type RecipientFault,
  SpendingRefusal,
} from '@wallet-companion/pczt/spending';
import { blockSecondsAt } from '@wallet-companion/zcash/blockTimes';
import { PROTOCOLS } from '@wallet-companion/zcash/pools';
import type { Input } from '../../../protocol/operations.ts';
import type { Config } from '../ports/configFile.ts';
import type { Session } from '../session/session.ts';
import { mostChangeNotes } from './deviceLimits.ts';
import { inSteps } from './inSteps.ts';
import type { Proposal, ProposalContext, SpendingContext } from './proposalContext.ts';
import { optionsOf, type Requested } from './request.ts';
import { takenNotes } from './spendable.ts';
import { spendableNotes } from './spendableNotes.ts';
import { spendingError } from './spendingErrors.ts';

/** Throws `INSUFFICIENT_FUNDS`, `CONSENT_NEEDED` and `INVALID_REQUEST`. */
export async function paymentProposal(
  context: SpendingContext,
  requested: Requested,
  input: Input<'payments.prepare'>,
  { session, account, keys, tip, scannedHeight, check }: ProposalContext,
): Promise<Proposal> {
  const { environment, params } = context;
  const options = optionsOf(input);
  const { notes, ...found } = spendableNotes(session.noteStore, account, takenNotes(context, session));
  const steps = proposingPayment({
    ...payeesRequest(context, requested, input, { session, keys }),
    targetHeight: tip.height + 1,
    now: Math.floor(environment.clock.now() / 1000),
    scannedHeight,
    unknownUpgrade: tip.unknownUpgrade,
    notes,
  });
  try {
    return await inSteps(steps, check);
  } catch (error) {
    if (!(error instanceof SpendingRefusal)) throw error;
    throw spendingError(error, {
      ...found,
      pathOf: requested.pathOf,
      tipHeight: tip.height,
      blockSeconds: blockSecondsAt(params.activation, tip.height + 1),
      maxActions: options.maxActions,
    });
  }
}

const payeesRequest = (
  { environment, params }: SpendingContext,
  { payments }: Requested,
  input: Input<'payments.prepare'>,
  { session, keys }: Pick<ProposalContext, 'session' | 'keys'>,
) => ({
  params,
  protocols: PROTOCOLS.filter((protocol) => keys[protocol] !== undefined),
  ownKeys: session.scanKeys.incoming,
  payments,
  options: { ...optionsOf(input), ...settingsOf(environment.configFile.get(), session.book) },
});

const settingsOf = (
  { fee_per_action: feePerAction, change_notes }: Config,
  { device }: Pick<Session['book'], 'device'>,
) => ({ feePerAction, changeNotes: Math.min(change_notes, mostChangeNotes(device)) });

/** What is wrong at every height of the chain. */
const WRONG_ANYWHERE: ReadonlySet<RecipientFault> = new Set([
  'address',
  'tex',
  'internalAddress',
  'memoTooLong',
  'amountMissing',
  'amountRange',
]);

/** Wrong input is refused before a server is asked: its failure would hide what a person can correct. */
export async function refuseWrongInput(
  context: SpendingContext,
  requested: Requested,
  input: Input<'payments.prepare'>,
  { session, account, keys, check }: Pick<ProposalContext, 'session' | 'account' | 'keys' | 'check'>,
): Promise<void> {
  const tipHeight = session.noteStore.scannedTop(account) ?? session.header.birthdayHeight;
  const request = payeesRequest(context, requested, input, { session, keys });
  try {
    await inSteps(checkingPayees({ ...request, targetHeight: tipHeight + 1 }), check);
  } catch (error) {
    if (!(error instanceof SpendingRefusal)) throw error;
    const { problem } = error;
    const isWrong =
      problem.kind === 'recipient'
        ? problem.faults.some(({ fault }) => WRONG_ANYWHERE.has(fault))
        : problem.kind === 'recipients' || problem.kind === 'confirmations';
    if (!isWrong) return;
    throw spendingError(error, {
      pathOf: requested.pathOf,
      tipHeight,
      blockSeconds: blockSecondsAt(context.params.activation, tipHeight + 1),
      reserved: new Map(),
      spentUnmined: 0,
      maxActions: request.options.maxActions,
    });
  }
}
