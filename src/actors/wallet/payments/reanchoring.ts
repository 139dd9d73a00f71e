// Gives a payment another anchor after a reorganisation removed the one that it has: signatures do not cover it, so the payment
// needs new proofs and no new signature. Kept before it is proved, so that a signer's answer to the earlier version still counts.

import type { Source } from '@wallet-companion/chain/ports';
import { bytesToHex, concatBytes, equalBytes, FormatError } from '@wallet-companion/shielded/bytes';
import { decodePczt, encodePczt, type Pczt } from '@wallet-companion/shielded/pczt';
import { mayReanchor, reanchoring } from '@wallet-companion/shielded/pcztRoles';
import { POOLS } from '@wallet-companion/shielded/pools';
import { noteKey } from '../notes/noteBook.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { StoredNote } from '../ports/storage.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Witnesses, WitnessMaker } from '../witnesses/witnesses.ts';
import { witnessMismatch } from '../witnesses/witnessFailures.ts';
import { inSteps } from './inSteps.ts';
import { anchorIsSigned, chainMovedMeanwhile, notesNotFoundYet } from './paymentErrors.ts';
import { anchorState, combined } from './paymentState.ts';
import type { Payments } from './payments.ts';

/** Reorganisations that replace an anchor are rare, and a signer answers within a payment's time. */
const MOST_EARLIER_ROOTS = 12;

export interface Reanchoring {
  readonly payments: Payments;
  readonly sessions: Sessions;
  readonly witnesses: WitnessMaker;
}

/** The payment as it is kept now, unchanged where the chain has its anchor. */
export async function reanchored(
  context: Reanchoring,
  session: Session,
  id: string,
  source: Source,
): Promise<StoredPayment> {
  for (;;) {
    const { payment } = context.payments.asked('reprove', session, id);
    const state = anchorState(payment, session.noteStore);
    if (state === 'kept') return payment;
    const { pczt } = decodePczt(payment.pczt);
    if (!mayReanchor(pczt)) {
      if (state === 'unsure') return payment;
      throw anchorIsSigned();
    }
    const kept = await reanchorOnce(context, session, payment, pczt, source);
    if (kept !== undefined) return kept;
  }
}

/** Undefined where the payment was changed meanwhile. */
async function reanchorOnce(
  context: Reanchoring,
  session: Session,
  payment: StoredPayment,
  pczt: Pczt,
  source: Source,
): Promise<StoredPayment | undefined> {
  const { payments, sessions, witnesses } = context;
  const notes = notesOf(payment, session);
  const anchorHeight = witnesses.usualAnchor(session);
  const check = (): void => void payments.asked('reprove', session, payment.id);
  const attempt = async (afresh: boolean) => {
    const made = await witnesses.witnesses(session, notes, anchorHeight, { source }, { afresh });
    return { made, pczt: await inSteps(reanchoring(pczt, anchorsOf(made, notes)), check) };
  };
  const mismatch = (error: unknown): never => {
    if (!(error instanceof FormatError)) throw error;
    throw witnessMismatch(source, anchorHeight, error.message);
  };
  // Kept witness parts may be why a path does not begin at the note.
  const done = await attempt(false).catch((error: unknown) =>
    error instanceof FormatError ? attempt(true).catch(mismatch) : mismatch(error),
  );
  return sessions.exclusive(async () => {
    const { payment: now } = payments.asked('reprove', session, payment.id);
    if (now.pczt !== payment.pczt) return undefined;
    const block = session.noteStore.block(anchorHeight);
    const isThere = block !== undefined && equalBytes(block.hash, done.made.blockHash);
    if (!isThere || !isSameNotes(notes, notesOf(now, session))) throw chainMovedMeanwhile();
    return payments.put(session, {
      ...now,
      pczt: encodePczt(done.pczt, payment.encoding),
      anchorHeight,
      anchorBlock: { hash: bytesToHex(block.hash), treeSizes: block.treeSizes },
      earlierAnchors: [...rootsIn(pczt), ...(now.earlierAnchors ?? [])].slice(0, MOST_EARLIER_ROOTS),
      notes: now.notes.map((note, i) => ({
        ...note,
        height: notes[i]!.height,
        position: notes[i]!.position,
      })),
      state: combined(now.state),
    });
  });
}

/** The notes where they are now. Throws `INVALID_RANGE` while blocks are read again that may have one. */
const notesOf = ({ notes, account }: StoredPayment, { noteStore }: Session): StoredNote[] =>
  notes.map((note) => {
    const now = noteStore.note(noteKey({ ...note, account }));
    if (now === undefined) throw notesNotFoundYet();
    return now;
  });

const isSameNotes = (before: readonly StoredNote[], now: readonly StoredNote[]): boolean =>
  before.every((note, i) => note.position === now[i]!.position && note.height === now[i]!.height);

const anchorsOf = ({ roots, notes: found }: Witnesses, notes: readonly StoredNote[]) => ({
  roots,
  witnesses: new Map(
    notes.flatMap(({ nullifier, position }, i) =>
      nullifier === null
        ? []
        : [[nullifier as string, { position, path: concatBytes(...found[i]!.path.siblings) }] as const],
    ),
  ),
});

const rootsIn = (pczt: Pczt) =>
  POOLS.flatMap((pool) => {
    const { anchor } = pczt[pool];
    return anchor === undefined ? [] : [{ pool, root: bytesToHex(anchor) }];
  });
