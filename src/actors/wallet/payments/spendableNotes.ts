// The notes of an account from which a payment is chosen, and whether the wallet knows them well enough: without the last
// blocks it may spend what is already spent.

import type { OwnNote } from '@wallet-companion/shielded/spending';
import type { Height, Zatoshi } from '@wallet-companion/shielded/values';
import { CompanionError } from '../../../protocol/errors.ts';
import { noteKey } from '../notes/noteBook.ts';
import type { NoteStore } from '../notes/noteStore.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { StoredNote } from '../ports/storage.ts';

/** So many blocks may have come since the last scan. */
const MAX_BEHIND = 3;

export interface WalletNote extends OwnNote {
  readonly note: StoredNote;
}

export interface SpendableNotes {
  readonly notes: readonly WalletNote[];
  /** For each payment, the value that it reserves in the account. */
  readonly reserved: ReadonlyMap<string, Zatoshi>;
  readonly spentUnmined: Zatoshi;
}

/** Notes that cannot be chosen, by their keys. */
export interface TakenNotes {
  readonly reserved: ReadonlyMap<string, StoredPayment>;
  /** Notes that an unmined transaction spends, the wallet's or another. */
  readonly spentUnmined: ReadonlyMap<string, unknown>;
}

export function spendableNotes(
  noteStore: Pick<NoteStore, 'notes'>,
  account: number,
  { reserved, spentUnmined }: TakenNotes,
): SpendableNotes {
  const notes: WalletNote[] = [];
  const byPayment = new Map<string, Zatoshi>();
  let unmined = 0;
  for (const note of noteStore.notes) {
    if (note.account !== account || note.spent !== null) continue;
    const key = noteKey(note);
    const payment = reserved.get(key);
    const isSpent = spentUnmined.has(key);
    if (payment !== undefined) byPayment.set(payment.id, (byPayment.get(payment.id) ?? 0) + note.value);
    else if (isSpent) unmined += note.value;
    notes.push({
      note,
      pool: note.pool,
      zatoshi: note.value,
      height: note.height,
      position: note.position,
      isChange: note.scope === 'internal',
      isReserved: payment !== undefined || isSpent,
    });
  }
  return { notes, reserved: byPayment, spentUnmined: unmined };
}

/** The highest scanned block. Throws `NODE_BEHIND`, and `INVALID_RANGE` where a sync has to come first. */
export function requireSynced(
  noteStore: Pick<NoteStore, 'scannedTop' | 'missing'>,
  account: number,
  tipHeight: Height,
): Height {
  const top = noteStore.scannedTop(account);
  const syncFirst = (why: string): CompanionError =>
    new CompanionError('INVALID_RANGE', `${why} Sync first, then try again.`);
  if (top === undefined) throw syncFirst('Nothing has been scanned yet.');
  if (tipHeight < top) {
    throw new CompanionError(
      'NODE_BEHIND',
      `The other side is at height ${tipHeight}, this wallet at ${top}. Wait until it has caught up, or use the other source.`,
    );
  }
  if (top < tipHeight - MAX_BEHIND) {
    throw syncFirst(
      `The wallet has scanned up to block ${top}, and the chain is at ${tipHeight}: what it would spend may be spent by now.`,
    );
  }
  if (noteStore.missing(account).length > 0) {
    throw syncFirst(
      'Blocks below were left out (missing_ranges of the balance): what the wallet would spend may be spent in them.',
    );
  }
  return top;
}
