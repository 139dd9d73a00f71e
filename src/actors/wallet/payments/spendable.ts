// What payments could spend now, for the balance: the notes that a payment would choose from, by its own rule.

import { canCreatePczt, spendableFunds } from '@wallet-companion/pczt/spending';
import { PROTOCOLS } from '@wallet-companion/zcash/pools';
import type { Output } from '../../../protocol/operations.ts';
import { spentUnmined } from '../mempool/mempoolView.ts';
import { isOf } from '../noteViews/scanReach.ts';
import type { Session } from '../session/session.ts';
import type { SpendingContext } from './proposalContext.ts';
import { spendableNotes, type TakenNotes } from './spendableNotes.ts';

export const takenNotes = ({ payments, mempool }: SpendingContext, session: Session): TakenNotes => ({
  reserved: payments.reserved(session),
  spentUnmined: spentUnmined(session, mempool.state(session).book.unmined),
});

type SpendableNow = Pick<Output<'balance.get'>, 'spendable_zatoshi' | 'payments_at_once'>;

/**
 * Null where no payment would be prepared: blocks or payments are missing, spends are not seen, or the scan is still below
 * the heights whose transactions can be made.
 */
export function spendableNow(
  context: SpendingContext,
  session: Session,
  account: number | undefined,
): SpendableNow {
  const { params, environment } = context;
  const { noteStore, payments } = session;
  const taken = takenNotes(context, session);
  const now = { spendable_zatoshi: 0, payments_at_once: 0 };
  for (const { index, keys } of session.accounts) {
    if (!isOf(account, { account: index })) continue;
    const top = noteStore.scannedTop(index);
    const isKnown = top !== undefined && noteStore.missing(index).length === 0 && !noteStore.isUncertain;
    const canPay = isKnown && canCreatePczt(params, top + 1);
    if (!canPay || keys.kind !== 'full' || payments.missingUntil !== undefined)
      return { spendable_zatoshi: null, payments_at_once: null };
    const funds = spendableFunds({
      params,
      targetHeight: top + 1,
      notes: spendableNotes(noteStore, index, taken).notes,
      protocols: PROTOCOLS.filter((protocol) => keys[protocol] !== undefined),
      options: { feePerAction: environment.configFile.get().fee_per_action },
    });
    now.spendable_zatoshi += funds.spendable;
    now.payments_at_once += funds.payments;
  }
  return now;
}
