// The notes of an account from which a payment is chosen, whether the wallet knows them well enough (without the last blocks it
// may spend what is already spent), and what has to be read of those that were chosen.

import { bytesToHex, concatBytes, equalBytes, wipe } from '@wallet-companion/base/bytes';
import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { NoteOpening, OwnNote } from '@wallet-companion/pczt/spending';
import { decodeInteger32 } from '@wallet-companion/zcash/curves';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import { allowedLeadBytes, NOTE_SCHEMES, tryDecryptNote } from '@wallet-companion/zcash/notes';
import { POOL } from '@wallet-companion/zcash/pools';
import { CompanionError } from '../../../protocol/errors.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { Session } from '../session/session.ts';
import type { NoteWitness } from '../witnesses/witnesses.ts';

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
  { notes: own }: NoteStore,
  account: number,
  { reserved, spentUnmined }: TakenNotes,
): SpendableNotes {
  const notes: WalletNote[] = [];
  const byPayment = new Map<string, Zatoshi>();
  let unmined = 0;
  for (const note of own) {
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
export function requireSynced(noteStore: NoteStore, account: number, tipHeight: Height): Height {
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

/**
 * Opens a note once more: the note store has neither its seed nor the inputs of its nullifier, so they are read from the output
 * of its leaf. Undefined where that is not this note as it was found. The caller wipes the seed.
 */
export function openedNote(
  note: StoredNote,
  witness: NoteWitness,
  keys: Session['scanKeys'],
): NoteOpening | undefined {
  const { pool, account, scope, height, position } = note;
  const { leaf, output, path } = witness;
  const { protocol } = POOL[pool];
  const key = keys.incoming.find(
    (one) => one.protocol === protocol && one.account === account && one.scope === scope,
  );
  if (output === undefined || key?.nk === undefined || !equalBytes(output.commitment, leaf)) return undefined;
  const scheme = NOTE_SCHEMES[pool];
  const ivk = scheme.prepareScalar(decodeInteger32(key.ivk));
  const opened = tryDecryptNote(scheme, output, ivk, allowedLeadBytes(pool, height, keys.heights));
  if (opened === undefined) return undefined;
  const { plaintext, transmissionKey } = opened;
  const { leadByte, diversifier, value } = plaintext;
  try {
    const isIt =
      value === BigInt(note.value) && bytesToHex(opened.nullifier(key.nk, position)) === note.nullifier;
    if (!isIt) return undefined;
    const recipient = concatBytes(diversifier, transmissionKey);
    return { leadByte, recipient, rseed: plaintext.rseed.slice(), rho: output.rho, path };
  } finally {
    wipe(plaintext.rseed, diversifier, opened.encryptionKey);
  }
}
