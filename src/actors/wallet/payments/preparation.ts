// From a request to a PCZT for an external signer, with its notes reserved: all or nothing. One at a time, so that two
// never choose the same notes; a change meanwhile (a block, a lock, another key) is noticed before anything is kept.

import { setImmediate as otherWork } from 'node:timers/promises';
import { blockSecondsAt } from '@wallet-companion/shielded/blockTimes';
import { bytesToHex, equalBytes, hexToBytes, wipe } from '@wallet-companion/shielded/bytes';
import type { FullViewingKeys } from '@wallet-companion/shielded/keys';
import { PROTOCOLS } from '@wallet-companion/shielded/pools';
import {
  type BuiltPczt,
  buildingPczt,
  type NoteOpening,
  type Proposal,
  proposingPayment,
  SpendingRefusal,
} from '@wallet-companion/shielded/spending';
import { inSteps } from '../../../async/inSteps.ts';
import { ShortQueue } from '../../../async/shortQueue.ts';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { Upstream } from '../../chain/ports/types.ts';
import { spentUnmined } from '../mempool/mempoolView.ts';
import { noteKey } from '../notes/noteBook.ts';
import { noteKeysOf } from '../notes/paymentBook.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import type { WalletContext } from '../walletContext.ts';
import type { Witnesses } from '../witnesses/witnesses.ts';
import { witnessMismatch } from '../witnesses/witnessFailures.ts';
import { openedNote } from './openings.ts';
import { makeRoom } from './paymentLimit.ts';
import { confirmationsOf, fingerprintFor, maxActionsOf, optionsOf, storedPayment } from './preparedParts.ts';
import { type Requested, requestedPayments } from './requestedPayments.ts';
import { requireSynced, spendableNotes, type TakenNotes, type WalletNote } from './spendableNotes.ts';
import { spendingError } from './spendingErrors.ts';

/** A caller does not wait for many. */
const MAX_WAITING = 8;
const ID_SIZE = 16;

type PrepareInput = Input<'payments.prepare'>;

/** Something changed during the preparation. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** One try. */
interface Attempt {
  readonly session: Session;
  readonly input: PrepareInput;
  readonly account: number;
  readonly keys: FullViewingKeys;
  readonly seedFingerprint: Uint8Array | undefined;
  readonly upstream: Upstream;
  /** Throws where the session's keys have changed. */
  readonly check: () => void;
}

export class Preparation {
  readonly #context: WalletContext;
  readonly #turns = new ShortQueue(MAX_WAITING);

  constructor(context: WalletContext) {
    this.#context = context;
  }

  async prepare(input: PrepareInput): Promise<Output<'payments.prepare'>> {
    const { params, sessions } = this.#context;
    const requested = requestedPayments(input, params);
    sessions.use(input.account);
    if (this.#turns.isFull)
      throw new CompanionError('BUSY', 'Other payments are being prepared; try again in a moment.');
    return this.#turns
      .run(() => this.#prepare(input, requested))
      .finally(() => wipe(...requested.payments.map(({ memo }) => memo)));
  }

  async #prepare(input: PrepareInput, requested: Requested): Promise<Output<'payments.prepare'>> {
    try {
      return await this.#attempt(this.#begin(input), requested);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
    try {
      return await this.#attempt(this.#begin(input), requested);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      throw new CompanionError('BUSY', 'The wallet changed while the payment was prepared. Try again.');
    }
  }

  #begin(input: PrepareInput): Attempt {
    const { sessions } = this.#context;
    const account = input.account ?? 0;
    const session = sessions.use(account);
    const { keys } = session.account(account);
    if (keys.kind !== 'full') {
      throw new CompanionError(
        'INVALID_REQUEST',
        'This wallet was made from an incoming viewing key, which does not see what is spent. Payments are prepared by one with a full viewing key.',
      );
    }
    session.payments.requireNewest();
    const fingerprint = fingerprintFor(session.book, input);
    const seedFingerprint = fingerprint === undefined ? undefined : hexToBytes(fingerprint);
    const { scanKeys } = session;
    const check = (): void => {
      if (sessions.current !== session) sessions.use();
      if (sessions.current !== session || session.scanKeys !== scanKeys) throw new Overtaken();
    };
    const upstream: Upstream = { source: input.source ?? 'node' };
    return { session, input, account, keys, seedFingerprint, upstream, check };
  }

  async #attempt(attempt: Attempt, requested: Requested): Promise<Output<'payments.prepare'>> {
    const proposal = await this.#proposal(attempt, requested);
    try {
      return await this.#carriedOut(attempt, proposal);
    } catch (error) {
      attempt.check();
      // Notes that moved have other witnesses, and notes that are gone have none.
      if (!areThere(attempt.session, proposal)) throw new Overtaken();
      throw error;
    }
  }

  async #carriedOut(attempt: Attempt, proposal: Proposal<WalletNote>): Promise<Output<'payments.prepare'>> {
    const { session, check, upstream } = attempt;
    const notes = proposal.spends.map(({ note }) => note);
    const read = (afresh: boolean) =>
      this.#context.witnesses.witnesses(session, notes, proposal.anchorHeight, upstream, { afresh });
    let witnesses = await read(false);
    let openings = await this.#opened(attempt, proposal, witnesses);
    if (openings === undefined) {
      // Kept witness parts may be the cause.
      witnesses = await read(true);
      openings = await this.#opened(attempt, proposal, witnesses);
    }
    if (openings === undefined) {
      const why = 'an output is not the note that was found in it';
      throw witnessMismatch(upstream.source, proposal.anchorHeight, why);
    }
    try {
      const built = await this.#built(attempt, proposal, witnesses, openings);
      const { environment } = this.#context;
      const payment = storedPayment(
        {
          id: bytesToHex(environment.randomBytes(ID_SIZE)),
          account: attempt.account,
          createdAt: environment.clock.now(),
          changeConfirmations: confirmationsOf(attempt.input).change,
        },
        proposal,
        built,
      );
      const keptPayment = await this.#keep(attempt, payment, proposal, witnesses);
      check();
      const { pczt, encoding } = keptPayment;
      const { payments } = this.#context;
      return {
        ...payments.view(session, keptPayment),
        pczt: Buffer.from(pczt.buffer, pczt.byteOffset, pczt.byteLength).toString('base64'),
        encoding,
        left: proposal.left ?? null,
      };
    } finally {
      wipe(...openings.map(({ rseed }) => rseed));
    }
  }

  async #proposal(
    { session, input, account, keys, upstream, check }: Attempt,
    requested: Requested,
  ): Promise<Proposal<WalletNote>> {
    const { environment, params } = this.#context;
    const tip = await environment.chain.tip(upstream);
    check();
    if (tip.offline !== undefined) throw CompanionError.fromRecord(tip.offline.reason);
    const scannedHeight = requireSynced(session.noteStore, account, tip.height);
    const found = spendableNotes(session.noteStore, account, this.#taken(session));
    const steps = proposingPayment({
      params,
      targetHeight: tip.height + 1,
      now: Math.floor(environment.clock.now() / 1000),
      scannedHeight,
      unknownUpgrade: tip.unknownUpgrade,
      notes: found.notes,
      protocols: PROTOCOLS.filter((protocol) => keys[protocol] !== undefined),
      ownKeys: session.scanKeys.incoming,
      payments: requested.payments,
      options: {
        ...optionsOf(input),
        feePerAction: environment.configFile.get().fee_per_action,
      },
    });
    try {
      return await inSteps(steps, check);
    } catch (error) {
      if (!(error instanceof SpendingRefusal)) throw error;
      throw spendingError(error, {
        requested,
        tipHeight: tip.height,
        blockSeconds: blockSecondsAt(params.activation, tip.height + 1),
        reserved: found.reserved,
        spentUnmined: found.spentUnmined,
        maxActions: maxActionsOf(input),
      });
    }
  }

  /** One for each spend; undefined where one of them is not the note. */
  async #opened(
    { session, check }: Attempt,
    { spends }: Proposal<WalletNote>,
    { notes }: Witnesses,
  ): Promise<NoteOpening[] | undefined> {
    const openings: NoteOpening[] = [];
    for (const [i, { note }] of spends.entries()) {
      check();
      const opening = openedNote(note, notes[i]!, session.scanKeys);
      if (opening === undefined) {
        wipe(...openings.map(({ rseed }) => rseed));
        return undefined;
      }
      openings.push(opening);
      await otherWork();
    }
    check();
    return openings;
  }

  async #built(
    { account, keys, seedFingerprint, upstream, check }: Attempt,
    proposal: Proposal<WalletNote>,
    { roots }: Witnesses,
    openings: readonly NoteOpening[],
  ): Promise<BuiltPczt> {
    const { environment, params } = this.#context;
    const steps = buildingPczt({
      params,
      proposal,
      openings,
      anchors: roots,
      keys,
      account,
      seedFingerprint,
      randomBytes: environment.randomBytes,
    });
    try {
      return await inSteps(steps, check);
    } catch (error) {
      if (!(error instanceof SpendingRefusal) || error.problem.kind !== 'note') throw error;
      const why = `a note does not fit its ${error.problem.fault}`;
      throw witnessMismatch(upstream.source, proposal.anchorHeight, why);
    }
  }

  /** Keeps nothing if the notes or the anchor of the payment have changed. */
  #keep(
    { session, check }: Attempt,
    payment: StoredPayment,
    proposal: Proposal<WalletNote>,
    { blockHash }: Witnesses,
  ): Promise<StoredPayment> {
    const { payments, sessions } = this.#context;
    return sessions.exclusive(async () => {
      check();
      const { reserved, spentUnmined: unmined } = this.#taken(session);
      const isTaken = proposal.spends.some(({ note }) => {
        const key = noteKey(note);
        return reserved.has(key) || unmined.has(key);
      });
      const block = session.noteStore.block(proposal.anchorHeight);
      if (
        isTaken ||
        !areThere(session, proposal) ||
        block === undefined ||
        !equalBytes(block.hash, blockHash)
      )
        throw new Overtaken();
      makeRoom(session.payments, payments.context(session));
      const newest = newerThanOthers(session, payment);
      await session.payments.put(newest);
      return newest;
    });
  }

  #taken(session: Session): TakenNotes {
    const { payments, mempool } = this.#context;
    return {
      reserved: payments.reserved(session),
      spentUnmined: spentUnmined(session, mempool.state(session).book.unmined),
    };
  }
}

/** The payment created last has the note, and clocks go back. */
function newerThanOthers({ payments }: Session, payment: StoredPayment): StoredPayment {
  const others = noteKeysOf(payment).flatMap((key) => payments.holders.get(key)?.createdAt ?? []);
  return { ...payment, createdAt: Math.max(payment.createdAt, ...others.map((createdAt) => createdAt + 1)) };
}

/** Unspent, and at the same place. */
const areThere = ({ noteStore }: Session, { spends }: Proposal<WalletNote>): boolean =>
  spends.every(({ note }) => {
    const now = noteStore.note(noteKey(note));
    return now?.spent === null && now.position === note.position && now.height === note.height;
  });
