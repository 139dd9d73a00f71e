// A note in the list of what one transaction pays to the wallet, mined or not, and its memo (ZIP 302).

import { bytesToHex, wipe } from '@wallet-companion/base/bytes';
import { type Memo as MemoContent, parseMemo } from '@wallet-companion/zcash/notes';
import type { Output } from '../../../protocol/operations.ts';
import type { StoredSentOutput } from '../ports/noteDatabase.ts';
import type { Memo, StoredNote } from '../ports/storedNote.ts';

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

// A memo in the form that clients see (ZIP 302).

/** The first byte of binary memos, in hexadecimal. */
const BINARY = 'ff';

/** Text as text, the rest as bytes. */
export type MemoView = { text?: string; hex?: string };

/** Null: no memo, or not known yet. */
export const memoView = (stored: Memo | null): MemoView | null => stored && memoBytesView(stored.read());

/** The view of 512 bytes, which are wiped. */
export function memoBytesView(bytes: Uint8Array): MemoView | null {
  try {
    return contentView(parseMemo(bytes));
  } finally {
    wipe(bytes);
  }
}

/** The bytes of other content than text are wiped. */
export function contentView(memo: MemoContent): MemoView | null {
  if (memo.kind === 'none') return null;
  if (memo.kind === 'text') return { text: memo.text };
  const hex = bytesToHex(memo.bytes);
  wipe(memo.bytes);
  return { hex: memo.kind === 'binary' ? `${BINARY}${hex}` : hex };
}
