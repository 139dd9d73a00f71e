// The one way by which a payment's PCZT leaves: with an anchor that the chain has. After a reorganisation removed the one that it
// has, it gets another one: signatures do not cover it, so the payment needs new proofs and no new signature. Kept before it
// leaves, so that a signer's answer to the earlier version still counts.

import { bytesToHex, concatBytes, equalBytes, FormatError } from '@wallet-companion/base/bytes';
import type { Source } from '@wallet-companion/chain/ports';
import { decodePczt, encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { anchoredPools, mayReanchor, reanchoring } from '@wallet-companion/pczt/pcztRoles';
import { type BlockHash, noteKey } from '@wallet-companion/zcash/identifiers';
import { POOLS } from '@wallet-companion/zcash/pools';
import type { StoredPayment } from '../ports/payment.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { blockSource } from '../source/blockSource.ts';
import type { Witnesses, WitnessMaker } from '../witnesses/witnesses.ts';
import { witnessMismatch } from '../witnesses/witnessFailures.ts';
import { inSteps } from './inSteps.ts';
import { anchorIsSigned, chainMovedMeanwhile, notesNotFoundYet } from './paymentErrors.ts';
import { anchorState, combine, type PaymentEvent } from './paymentState.ts';
import type { PaymentChange, Payments } from './payments.ts';

/** Reorganisations that replace an anchor are rare, and a signer answers within a payment's time. */
const MOST_EARLIER_ROOTS = 12;

export interface Reanchoring {
  readonly payments: Payments;
  readonly sessions: Sessions;
  readonly witnesses: WitnessMaker;
}

/** `copy`: for whoever asks for all of it. */
type Leaving = Extract<PaymentEvent, 'pczt' | 'copy' | 'reprove'>;

/**
 * The payment as it is kept now: unchanged where the chain has its anchor, or nothing of it is changed any more. Throws
 * `PAYMENT_STATE` where the event is refused, or a lost anchor is signed.
 */
export async function anchorAnew(
  context: Reanchoring,
  event: Leaving,
  session: Session,
  id: string,
  wanted?: Source,
): Promise<StoredPayment> {
  const { payments } = context;
  const { payment: given } = await payments.change(session, id, event, async ({ payment, reaction }) => {
    const state = reaction === 'same' ? 'kept' : anchorState(payment, session.noteStore);
    if (state === 'kept') return { payment };
    const source = await blockSource(payments.environment, wanted);
    const { pczt } = decodePczt(payment.pczt);
    const found = state === 'unsure' ? await foundAgain(context, session, payment, pczt, source) : undefined;
    if (found === undefined && !mayReanchor(pczt)) throw anchorIsSigned();
    const changed = found ?? (await withAnother(context, event, session, payment, pczt, source));
    return changedTo(session, payment, changed);
  });
  return given;
}

/** What changes in a payment; `anchorHeight` is that of the block. */
interface Changed extends Pick<StoredPayment, 'anchorHeight'> {
  readonly blockHash: BlockHash;
  readonly notes: readonly StoredNote[];
  /** Undefined: it stays. */
  readonly pczt?: Pczt;
}

/** Undefined where the block that replaced the anchor's has other trees. */
async function foundAgain(
  { witnesses }: Reanchoring,
  session: Session,
  payment: StoredPayment,
  pczt: Pczt,
  source: Source,
): Promise<Changed | undefined> {
  const { anchorHeight } = payment;
  const { roots, blockHash } = await witnesses.witnesses(session, [], anchorHeight, { source });
  const isSame = anchoredPools(pczt).every((pool) => equalBytes(roots[pool], pczt[pool].anchor!));
  return isSame ? { anchorHeight, blockHash, notes: notesOf(payment, session) } : undefined;
}

async function withAnother(
  { payments, witnesses }: Reanchoring,
  event: Leaving,
  session: Session,
  payment: StoredPayment,
  pczt: Pczt,
  source: Source,
): Promise<Changed> {
  const notes = notesOf(payment, session);
  const anchorHeight = witnesses.usualAnchor(session);
  const check = (): void => void payments.request(session, payment.id, event);
  const attempt = async (afresh: boolean): Promise<Changed> => {
    const made = await witnesses.witnesses(session, notes, anchorHeight, { source }, { afresh });
    const { blockHash } = made;
    const changed = await inSteps(reanchoring(pczt, anchorsOf(made, notes)), check);
    return { anchorHeight, blockHash, notes, pczt: changed };
  };
  const mismatch = (error: unknown): never => {
    if (!(error instanceof FormatError)) throw error;
    throw witnessMismatch(source, anchorHeight, error.message);
  };
  // Kept witness parts may be why a path does not begin at the note.
  return attempt(false).catch((error: unknown) =>
    error instanceof FormatError ? attempt(true).catch(mismatch) : mismatch(error),
  );
}

function changedTo(
  session: Session,
  payment: StoredPayment,
  { anchorHeight, blockHash, notes, pczt }: Changed,
): PaymentChange {
  const block = session.noteStore.block(anchorHeight);
  if (block === undefined) throw chainMovedMeanwhile();
  const check = (): void => {
    const hash = session.noteStore.block(anchorHeight)?.hash;
    const isThere = hash !== undefined && equalBytes(hash, blockHash);
    if (!isThere || !isSameNotes(notes, notesOf(payment, session))) throw chainMovedMeanwhile();
  };
  const anchorBlock = { hash: bytesToHex(blockHash), treeSizes: block.treeSizes };
  if (pczt === undefined) return { payment: { ...payment, anchorBlock }, check };
  const earlier = [...rootsIn(decodePczt(payment.pczt).pczt), ...(payment.earlierAnchors ?? [])];
  return {
    payment: {
      ...payment,
      pczt: encodePczt(pczt, payment.encoding),
      anchorHeight,
      anchorBlock,
      earlierAnchors: earlier.slice(0, MOST_EARLIER_ROOTS),
      notes: payment.notes.map((note, i) => ({
        ...note,
        height: notes[i]!.height,
        position: notes[i]!.position,
      })),
      state: combine(payment.state),
    },
    check,
  };
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
