// What a request to pay is to become: its notes, fee and change.

import { blockSecondsAt } from '@wallet-companion/shielded/blockTimes';
import { PROTOCOLS } from '@wallet-companion/shielded/pools';
import { proposingPayment, SpendingRefusal } from '@wallet-companion/shielded/spending';
import type { Input } from '../../../protocol/operations.ts';
import type { WalletContext } from '../walletContext.ts';
import type { Ground, Proposal } from './ground.ts';
import { inSteps } from './inSteps.ts';
import { optionsOf, type Requested } from './request.ts';
import { takenNotes } from './spendable.ts';
import { spendableNotes } from './spendableNotes.ts';
import { spendingError } from './spendingErrors.ts';

/** Throws `INSUFFICIENT_FUNDS`, `CONSENT_NEEDED` and `INVALID_REQUEST`. */
export async function paymentProposal(
  context: WalletContext,
  requested: Requested,
  input: Input<'payments.prepare'>,
  { session, account, keys, tip, scannedHeight, check }: Ground,
): Promise<Proposal> {
  const { environment, params } = context;
  const options = optionsOf(input);
  const { notes, ...found } = spendableNotes(session.noteStore, account, takenNotes(context, session));
  const steps = proposingPayment({
    params,
    targetHeight: tip.height + 1,
    now: Math.floor(environment.clock.now() / 1000),
    scannedHeight,
    unknownUpgrade: tip.unknownUpgrade,
    notes,
    protocols: PROTOCOLS.filter((protocol) => keys[protocol] !== undefined),
    ownKeys: session.scanKeys.incoming,
    payments: requested.payments,
    options: { ...options, feePerAction: environment.configFile.get().fee_per_action },
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
