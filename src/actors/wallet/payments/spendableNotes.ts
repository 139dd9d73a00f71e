// The notes of an account as a payment is chosen from them, and whether the wallet knows them well enough: who has not seen
// the last blocks may spend what is spent.

import type { OwnNote } from '@wallet-companion/shielded/spending';
import type { Height, Zatoshi } from '@wallet-companion/shielded/values';
import { CompanionError } from '../../../protocol/errors.ts';
import { noteKey } from '../notes/noteBook.ts';
import type { NoteStore } from '../notes/noteStore.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { StoredNote } from '../ports/storage.ts';

/** Blocks that may have come since the wallet looked. */
const MAX_BEHIND = 3;

export interface WalletNote extends OwnNote {
  readonly note: StoredNote;
}

export interface SpendableNotes {
  readonly notes: readonly WalletNote[];
  /** By payment, what it has of the account. */
  readonly reserved: ReadonlyMap<string, Zatoshi>;
  readonly spentUnmined: Zatoshi;
}

/** What takes notes out of the choice, by their keys. */
export interface TakenNotes {
  readonly reserved: ReadonlyMap<string, StoredPayment>;
  /** By a transaction that is not mined, whoever's it is. */
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

/** The highest block that was scanned. Throws `NODE_BEHIND`, and `INVALID_RANGE` where a sync has to come first. */
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
