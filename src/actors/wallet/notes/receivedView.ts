// A note in the list of what one transaction pays to the wallet, mined or not.

import type { Output } from '../../../protocol/operations.ts';
import type { StoredSentOutput } from '../ports/noteDatabase.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import { memoView } from './memoView.ts';

type PaidTo = Pick<StoredNote, 'account' | 'scope' | 'diversifierIndex'>;

/** The user's name for the address that was paid to. */
export type LabelOf = (paid: PaidTo) => string | null;

/** Which notes and sent outputs were paid to an address that the user named. */
export interface PaidAt {
  readonly isNote: (note: PaidTo) => boolean;
  readonly isOutput: (output: Pick<StoredSentOutput, 'recipient'>) => boolean;
}

type Received = PaidTo & Pick<StoredNote, 'pool' | 'outputIndex' | 'value' | 'memo'>;

export const receivedView = (
  note: Received,
  labelOf: LabelOf,
): Output<'transactions.list'>['transactions'][number]['received_outputs'][number] => ({
  account: note.account,
  pool: note.pool,
  scope: note.scope,
  output_index: note.outputIndex,
  value_zatoshi: note.value,
  diversifier_index: note.diversifierIndex,
  label: labelOf(note),
  memo: memoView(note.memo),
});
