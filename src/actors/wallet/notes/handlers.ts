// Notes of an open wallet, and the transactions that made and spent them.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import { spentUnmined } from '../mempool/mempoolView.ts';
import type { WalletContext } from '../walletContext.ts';
import { refuseOtherCursor } from './chainOrder.ts';
import { noteKey } from './noteBook.ts';
import { notesView, transactionsView } from './views.ts';

export const noteHandlers = ({
  params,
  sessions,
  mempool,
  payments,
}: WalletContext): FeatureHandlers<'notes'> => ({
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
    );
  },
  'transactions.list': (input) => {
    refuseOtherCursor(input);
    const session = sessions.use(input.account);
    return transactionsView(session.noteStore, input, params, (note) => session.labelOf(note));
  },
});
