// From a request to a PCZT for an external signer, with its notes reserved: all or nothing. One at a time, so that two
// never choose the same notes; a change meanwhile (a block, a lock, another key) is noticed before anything is kept.

import { setImmediate as otherWork } from 'node:timers/promises';
import type { Upstream } from '@wallet-companion/chain/ports';
import { ShortQueue } from '@wallet-companion/shielded/async';
import { blockSecondsAt } from '@wallet-companion/shielded/blockTimes';
import { bytesToHex, equalBytes, wipe } from '@wallet-companion/shielded/bytes';
import { txIdToHex } from '@wallet-companion/shielded/identifiers';
import type { FullViewingKeys } from '@wallet-companion/shielded/keys';
import { toBase64 } from '@wallet-companion/shielded/memory';
import { PROTOCOLS } from '@wallet-companion/shielded/pools';
import {
  type BuiltPczt,
  buildingPczt,
  type NoteOpening,
  type Proposal as ProposalOf,
  proposingPayment,
  type SeedAccount,
  SpendingRefusal,
} from '@wallet-companion/shielded/spending';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import { noteKey } from '../notes/noteBook.ts';
import { noteKeysOf } from '../notes/paymentBook.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import { seedAccountFor } from '../session/signerFacts.ts';
import type { WalletContext } from '../walletContext.ts';
import type { Witnesses } from '../witnesses/witnesses.ts';
import { witnessMismatch } from '../witnesses/witnessFailures.ts';
import { checkDevice } from './deviceCheck.ts';
import { inSteps } from './inSteps.ts';
import { UNSENT } from './paymentState.ts';
import { makeRoom } from './payments.ts';
import { recipientWarnings } from './recipientWarnings.ts';
import { optionsOf, type Requested, requestedPayments } from './request.ts';
import { takenNotes } from './spendable.ts';
import { openedNote, requireSynced, spendableNotes, type WalletNote } from './spendableNotes.ts';
import { spendingError } from './spendingErrors.ts';

/** A caller does not wait for many. */
const MAX_WAITING = 8;
const ID_SIZE = 16;

type Prepared = Output<'payments.prepare'>;
type Proposal = ProposalOf<WalletNote>;

/** Something changed during the preparation. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** One try. */
interface Attempt {
  readonly session: Session;
  readonly requested: Requested;
  readonly options: ReturnType<typeof optionsOf>;
  readonly account: number;
  readonly keys: FullViewingKeys;
  readonly seedAccount: SeedAccount | undefined;
  readonly tryAnyway: boolean;
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

  async prepare(input: Input<'payments.prepare'>): Promise<Prepared> {
    const { params, sessions } = this.#context;
    const requested = requestedPayments(
      input,
      params,
      (contact, path) => sessions.use(input.account).addressBook.named(contact, path).address,
    );
    sessions.use(input.account);
    if (this.#turns.isFull)
      throw new CompanionError('BUSY', 'Other payments are being prepared; try again in a moment.');
    return this.#turns
      .run(() => this.#prepare(input, requested))
      .finally(() => wipe(...requested.payments.map(({ memo }) => memo)));
  }

  async #prepare(input: Input<'payments.prepare'>, requested: Requested): Promise<Prepared> {
    for (let left = 2; left > 0; left--) {
      try {
        return await this.#attempt(this.#begin(input, requested));
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
      }
    }
    throw new CompanionError('BUSY', 'The wallet changed while the payment was prepared. Try again.');
  }

  #begin(input: Input<'payments.prepare'>, requested: Requested): Attempt {
    const { sessions } = this.#context;
    const account = input.account ?? 0;
    const session = sessions.use(account);
    const { keys, ...record } = session.account(account);
    if (keys.kind !== 'full') {
      throw new CompanionError(
        'INVALID_REQUEST',
        'This wallet was made from an incoming viewing key, which does not see what is spent. Payments are prepared by one with a full viewing key.',
      );
    }
    session.payments.requireNewest();
    const { scanKeys, book, header } = session;
    return {
      session,
      requested,
      options: optionsOf(input),
      account,
      keys,
      seedAccount: seedAccountFor(book, record, header.watchOnly, input),
      tryAnyway: input.try_anyway ?? false,
      upstream: { source: input.source ?? 'node' },
      check: () => {
        if (sessions.current !== session) sessions.use();
        if (sessions.current !== session || session.scanKeys !== scanKeys) throw new Overtaken();
      },
    };
  }

  async #attempt(attempt: Attempt): Promise<Prepared> {
    const proposal = await this.#proposal(attempt);
    const { session, seedAccount, tryAnyway } = attempt;
    const { device } = session.book;
    const about = { device, hasPath: seedAccount !== undefined, tryAnyway };
    const doubts = checkDevice(proposal, this.#context.params, about);
    try {
      return await this.#carriedOut(attempt, proposal, doubts);
    } catch (error) {
      attempt.check();
      // Notes that moved have other witnesses, and notes that are gone have none.
      if (!areThere(session, proposal)) throw new Overtaken();
      throw error;
    } finally {
      wipe(...proposal.payments.map(({ memo }) => memo));
    }
  }

  async #proposal({
    session,
    requested,
    options,
    account,
    keys,
    upstream,
    check,
  }: Attempt): Promise<Proposal> {
    const { environment, params } = this.#context;
    const tip = await environment.chain.tip(upstream);
    check();
    if (tip.offline !== undefined) throw CompanionError.fromRecord(tip.offline.reason);
    const scannedHeight = requireSynced(session.noteStore, account, tip.height);
    const { notes, ...found } = spendableNotes(
      session.noteStore,
      account,
      takenNotes(this.#context, session),
    );
    const steps = proposingPayment({
      params,
      targetHeight: tip.height + 1,
      now: Math.floor(environment.clock.now() / 1000),
      scannedHeight,
      unknownUpgrade: tip.unknownUpgrade,
      notes,
      protocols: PROTOCOLS.filter((protocol) => keys[protocol] !== undefined),
      ownKeys: session.scanKeys.incoming,
      payments: requested.payments,
      options: { ...options, feePerAction: environment.configFile.get().fee_per_action },
    });
    try {
      return await inSteps(steps, check);
    } catch (error) {
      if (!(error instanceof SpendingRefusal)) throw error;
      throw spendingError(error, {
        ...found,
        pathOf: requested.pathOf,
        tipHeight: tip.height,
        blockSeconds: blockSecondsAt(params.activation, tip.height + 1),
        maxActions: options.maxActions,
      });
    }
  }

  async #carriedOut(attempt: Attempt, proposal: Proposal, doubts: readonly string[]): Promise<Prepared> {
    const { session, upstream, check } = attempt;
    // Kept witness parts may be why a note does not open.
    const [witnesses, openings] =
      (await this.#opened(attempt, proposal, false)) ?? (await this.#opened(attempt, proposal, true)) ?? [];
    if (witnesses === undefined || openings === undefined) {
      const why = 'an output is not the note that was found in it';
      throw witnessMismatch(upstream.source, proposal.anchorHeight, why);
    }
    try {
      const built = await this.#built(attempt, proposal, witnesses, openings);
      const kept = await this.#keep(attempt, proposal, built, witnesses);
      check();
      return {
        ...this.#context.payments.view(session, kept),
        pczt: toBase64(kept.pczt),
        encoding: kept.encoding,
        left: proposal.left ?? null,
        warnings: [
          ...recipientWarnings(session, kept, this.#context.params),
          ...doubts.map((text) => ({ address: null, text })),
        ],
      };
    } finally {
      wipe(...openings.map(({ rseed }) => rseed));
    }
  }

  /** One opening for each spend; undefined where one of them is not the note. `afresh`: nothing kept is used. */
  async #opened(
    { session, upstream, check }: Attempt,
    { spends, anchorHeight }: Proposal,
    afresh: boolean,
  ): Promise<readonly [Witnesses, NoteOpening[]] | undefined> {
    const notes = spends.map(({ note }) => note);
    const witnesses = await this.#context.witnesses.witnesses(session, notes, anchorHeight, upstream, {
      afresh,
    });
    const openings: NoteOpening[] = [];
    for (const [i, note] of notes.entries()) {
      check();
      const opening = openedNote(note, witnesses.notes[i]!, session.scanKeys);
      if (opening === undefined) {
        wipe(...openings.map(({ rseed }) => rseed));
        return undefined;
      }
      openings.push(opening);
      await otherWork();
    }
    check();
    return [witnesses, openings];
  }

  async #built(
    { keys, seedAccount, upstream, check }: Attempt,
    proposal: Proposal,
    { roots: anchors }: Witnesses,
    openings: readonly NoteOpening[],
  ): Promise<BuiltPczt> {
    const { params, environment } = this.#context;
    const { randomBytes } = environment;
    try {
      return await inSteps(
        buildingPczt({ params, proposal, openings, anchors, keys, seedAccount, randomBytes }),
        check,
      );
    } catch (error) {
      if (!(error instanceof SpendingRefusal) || error.problem.kind !== 'note') throw error;
      const why = `a note does not fit its ${error.problem.fault}`;
      throw witnessMismatch(upstream.source, proposal.anchorHeight, why);
    }
  }

  /** Keeps nothing if the notes or the anchor of the payment have changed. */
  #keep(
    { session, account, options, check }: Attempt,
    proposal: Proposal,
    built: BuiltPczt,
    { blockHash }: Witnesses,
  ): Promise<StoredPayment> {
    const { environment, payments, sessions } = this.#context;
    const id = bytesToHex(environment.randomBytes(ID_SIZE));
    const createdAt = environment.clock.now();
    return sessions.exclusive(async () => {
      check();
      const taken = takenNotes(this.#context, session);
      const isTaken = proposal.spends.some(({ note }) => {
        const key = noteKey(note);
        return taken.reserved.has(key) || taken.spentUnmined.has(key);
      });
      const block = session.noteStore.block(proposal.anchorHeight);
      const isAnchor = block !== undefined && equalBytes(block.hash, blockHash);
      if (isTaken || !areThere(session, proposal) || !isAnchor) throw new Overtaken();
      makeRoom(session.payments, payments.context(session));
      const changeConfirmations = options.confirmations.change;
      const payment = storedPayment(proposal, built, {
        id,
        account,
        createdAt,
        changeConfirmations,
        anchorBlock: { hash: bytesToHex(blockHash), treeSizes: block.treeSizes },
      });
      // The payment created last has the note, and clocks go back.
      const others = noteKeysOf(payment).flatMap((key) => session.payments.holders.get(key)?.createdAt ?? []);
      const latest = Math.max(createdAt, ...others.map((other) => other + 1));
      return payments.put(session, { ...payment, createdAt: latest });
    });
  }
}

/** Unspent, and at the same place. */
const areThere = ({ noteStore }: Session, { spends }: Proposal): boolean =>
  spends.every(({ note }) => {
    const now = noteStore.note(noteKey(note));
    return now?.spent === null && now.position === note.position && now.height === note.height;
  });

function storedPayment(
  proposal: Proposal,
  built: BuiltPczt,
  given: Pick<StoredPayment, 'id' | 'account' | 'createdAt' | 'changeConfirmations' | 'anchorBlock'>,
): StoredPayment {
  const { targetHeight, anchorHeight, expiryHeight, lastHeight, fee, disclosures } = proposal;
  return {
    ...given,
    targetHeight,
    anchorHeight,
    expiryHeight,
    lastHeight,
    fee,
    disclosures,
    txid: txIdToHex(built.txid),
    pczt: built.bytes,
    encoding: built.encoding,
    payments: proposal.payments.map(({ place, address, zatoshi, memo }) => ({
      place,
      address,
      zatoshi,
      memo: memo === undefined ? null : bytesToHex(memo),
    })),
    change: proposal.change ?? null,
    notes: proposal.spends.map(({ note: { pool, txid, outputIndex, value, height, position } }) => ({
      pool,
      txid,
      outputIndex,
      zatoshi: value,
      height,
      position,
    })),
    state: UNSENT,
  };
}
