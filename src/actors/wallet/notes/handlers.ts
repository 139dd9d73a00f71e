// Notes of an open wallet, and the transactions that made and spent them.

import { noteKey } from '@wallet-companion/zcash/identifiers';
import type { FeatureHandlers } from '../../../protocol/operations.ts';
import { spentUnmined } from '../mempool/mempoolView.ts';
import { refuseOtherCursor } from '../noteStore/book/chainOrder.ts';
import { notesView, transactionsView } from '../noteViews/views.ts';
import { refusing } from '../payments/request.ts';
import { paidAt } from '../session/paidAt.ts';
import type { Session } from '../session/session.ts';
import type { WalletContext } from '../wallet/walletContext.ts';

export const noteHandlers = ({
  params,
  sessions,
  mempool,
  payments,
}: WalletContext): FeatureHandlers<'notes'> => {
  const placeOf = (session: Session, { address }: { readonly address?: string | undefined }) =>
    address === undefined ? undefined : refusing('address', () => paidAt(session, address, params));
  return {
    'notes.list': (input) => {
      refuseOtherCursor(input);
      const session = sessions.use(input.account);
      const spends = spentUnmined(session, mempool.state(session).book.unmined);
      return notesView(
        session.noteStore,
        input,
        (note) => session.labelOf(note),
        (note) => spends.get(noteKey(note))?.txid,
        payments.reservedBy(session),
        placeOf(session, input),
      );
    },
    'transactions.list': (input) => {
      refuseOtherCursor(input);
      const session = sessions.use(input.account);
      return transactionsView(
        session.noteStore,
        input,
        params,
        (note) => session.labelOf(note),
        placeOf(session, input),
      );
    },
  };
};
