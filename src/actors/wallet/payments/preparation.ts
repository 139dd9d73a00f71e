// From a request to a PCZT for an external signer, with what it spends reserved: all or nothing. One at a time, so that two
// never choose the same notes; a change meanwhile (a block, a lock, another key) is noticed before anything is kept.

import { setImmediate as otherWork } from 'node:timers/promises';
import { ShortQueue } from '@wallet-companion/base/async';
import { bytesToHex, equalBytes, wipe } from '@wallet-companion/base/bytes';
import { toBase64 } from '@wallet-companion/base/memory';
import { agreesWith } from '@wallet-companion/base/values';
import {
  type BuiltPczt,
  buildingPczt,
  DEFAULT_CONFIRMATIONS,
  type NoteOpening,
  type SeedAccount,
  SpendingRefusal,
} from '@wallet-companion/pczt/spending';
import { noteKey, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { CompanionError } from '../../../protocol/errors.ts';
import type { CallingGrant } from '../../../protocol/grants.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import { scannedTime } from '../noteViews/views.ts';
import type { PaymentInput, StoredPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import { seedAccountFor } from '../session/signerFacts.ts';
import { blockSource } from '../source/blockSource.ts';
import type { Witnesses } from '../witnesses/witnesses.ts';
import { witnessMismatch } from '../witnesses/witnessFailures.ts';
import { outputKey, spentKeysOf } from './book/paymentBook.ts';
import { daysFromNow, keptOf, requireLimits } from './grantLimits.ts';
import { inSteps } from './inSteps.ts';
import { checkDevice, checkProver, recipientWarnings } from './paymentChecks.ts';
import { paymentProposal, refuseWrongInput } from './paymentProposal.ts';
import { UNSENT } from './paymentState.ts';
import { makeRoom } from './payments.ts';
import type { Proposal, ProposalContext, SpendingContext } from './proposalContext.ts';
import { optionsOf, type Refunding, requestedPayments } from './request.ts';
import { shieldingProposal } from './shielding.ts';
import { takenNotes } from './spendable.ts';
import { openedNote, requireSynced } from './spendableNotes.ts';

/** A caller does not wait for many. */
const MAX_WAITING = 8;
const ID_SIZE = 16;

type Prepared = Output<'payments.prepare'>;
/** What both kinds of request say about the signer and the server. */
type SignerInput = Pick<
  Input<'payments.prepare'>,
  'account' | 'account_index' | 'seed_fingerprint' | 'try_anyway' | 'source'
>;

/** Something changed during the preparation. */
class StaleState extends Error {
  override readonly name = 'StaleState';
}

/** The idempotency key of a call that pays, and the digest of what it asks for. */
export interface RequestKey {
  readonly key: string;
  readonly digest: string;
}

/** Kept in the write that keeps the payment. */
interface Purpose {
  readonly key?: RequestKey | undefined;
  readonly refunding?: Refunding | undefined;
}

/** What is to be prepared. */
interface PreparationRequest extends Purpose {
  readonly input: SignerInput;
  readonly grant: CallingGrant | undefined;
  readonly changeConfirmations: number;
  /** Refuses what is wrong whatever the chain has. */
  readonly refuseWrong?: (
    context: Omit<ProposalContext, 'upstream' | 'tip' | 'scannedHeight'>,
  ) => Promise<void>;
  readonly propose: (context: ProposalContext) => Promise<Proposal>;
}

/** One try. */
interface Try extends Omit<ProposalContext, 'tip' | 'scannedHeight'>, PreparationRequest {
  readonly seedAccount: SeedAccount | undefined;
}

export class Preparation {
  readonly #context: SpendingContext;
  readonly #turns = new ShortQueue(MAX_WAITING);

  constructor(context: SpendingContext) {
    this.#context = context;
  }

  async prepare(
    input: Input<'payments.prepare'>,
    grant?: CallingGrant,
    { key, refunding }: Purpose = {},
  ): Promise<Prepared> {
    const { params, sessions } = this.#context;
    const requested = requestedPayments(
      input,
      params,
      (contact, path) => sessions.use(input.account).addressBook.named(contact, path).address,
    );
    const request: PreparationRequest = {
      input,
      grant,
      key,
      refunding,
      changeConfirmations: optionsOf(input).confirmations.change,
      refuseWrong: async (context) => {
        refunding?.check();
        await refuseWrongInput(this.#context, requested, input, context);
      },
      propose: (context) => paymentProposal(this.#context, requested, input, context),
    };
    return this.#inTurn(request).finally(() => wipe(...requested.payments.map(({ memo }) => memo)));
  }

  /** Moves transparent funds of the account to a shielded pool. */
  async shield(input: Input<'payments.shield'>, grant?: CallingGrant): Promise<Prepared> {
    return this.#inTurn({
      input,
      grant,
      changeConfirmations: DEFAULT_CONFIRMATIONS.change,
      propose: (context) => shieldingProposal(this.#context, input, context),
    });
  }

  async #inTurn(request: PreparationRequest): Promise<Prepared> {
    this.#context.sessions.use(request.input.account);
    if (this.#turns.isFull)
      throw new CompanionError('BUSY', 'Other payments are being prepared; try again in a moment.');
    return this.#turns.run(() => this.#prepare(request));
  }

  async #prepare(request: PreparationRequest): Promise<Prepared> {
    for (let left = 2; left > 0; left--) {
      try {
        return await this.#tryOnce(await this.#begin(request));
      } catch (error) {
        if (!(error instanceof StaleState)) throw error;
      }
    }
    throw new CompanionError('BUSY', 'The wallet changed while the payment was prepared. Try again.');
  }

  async #begin(request: PreparationRequest): Promise<Try> {
    const { sessions } = this.#context;
    const { input } = request;
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
    const seedAccount = seedAccountFor(book, record, header.watchOnly, input);
    const check = (): void => {
      if (sessions.current !== session) sessions.use();
      if (sessions.current !== session || session.scanKeys !== scanKeys) throw new StaleState();
    };
    await request.refuseWrong?.({ session, account, keys, check });
    const source = await blockSource(this.#context.environment, input.source);
    return { ...request, session, account, keys, seedAccount, upstream: { source }, check };
  }

  async #tryOnce(context: Try): Promise<Prepared> {
    const proposal = await this.#proposal(context);
    const { session, seedAccount, input, grant } = context;
    try {
      if (grant !== undefined) await this.#mendDays(context);
      requireLimits(grant, proposal.payments, session.payments.all(), this.#context.environment.clock.now());
      const { device } = session.book;
      const tryAnyway = input.try_anyway ?? false;
      const about = { device, hasPath: seedAccount !== undefined, tryAnyway };
      const doubts = [
        ...checkDevice(proposal, this.#context.params, about),
        ...(await checkProver(proposal, this.#context.environment.prover, tryAnyway)),
      ];
      return await this.#carriedOut(context, proposal, doubts);
    } catch (error) {
      context.check();
      // Notes that moved have other witnesses, and notes that are gone have none.
      if (!areThere(session, proposal)) throw new StaleState();
      throw error;
    } finally {
      wipe(...proposal.payments.map(({ memo }) => memo));
    }
  }

  /** A right clock alone may tell: one that is behind would end days too early. */
  async #mendDays({ session, check }: Try): Promise<void> {
    const { environment, payments, sessions } = this.#context;
    const now = environment.clock.now();
    const mended = () => daysFromNow(session.payments.all(), now);
    if (mended().length === 0 || !agreesWith(scannedTime(session.noteStore), now)) return;
    await sessions.exclusive(async () => {
      check();
      for (const payment of mended()) await payments.put(session, payment);
    });
  }

  async #proposal(context: Try): Promise<Proposal> {
    const { session, account, upstream, check } = context;
    const tip = await this.#context.environment.chain.tip(upstream);
    check();
    if (tip.offline !== undefined) throw CompanionError.fromRecord(tip.offline.reason);
    const scannedHeight = requireSynced(session.noteStore, account, tip.height);
    return context.propose({ ...context, tip, scannedHeight });
  }

  async #carriedOut(context: Try, proposal: Proposal, doubts: readonly string[]): Promise<Prepared> {
    const { session, upstream, check } = context;
    // Kept witness parts may be why a note does not open.
    const [witnesses, openings] =
      (await this.#opened(context, proposal, false)) ?? (await this.#opened(context, proposal, true)) ?? [];
    if (witnesses === undefined || openings === undefined) {
      const why = 'an output is not the note that was found in it';
      throw witnessMismatch(upstream.source, proposal.anchorHeight, why);
    }
    try {
      const built = await this.#built(context, proposal, witnesses, openings);
      const kept = await this.#keep(context, proposal, built, witnesses);
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
    { session, upstream, check }: Try,
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
    { keys, seedAccount, upstream, check }: Try,
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

  /** A refund that its invoice does not know without it. */
  #isNeeded(session: Session, payment: StoredPayment): boolean {
    return payment.refundOf !== undefined && !this.#context.invoices.isRecorded(session, payment);
  }

  /** Keeps nothing if the notes or the anchor of the payment have changed. */
  #keep(
    { session, account, changeConfirmations, grant, key, refunding, check }: Try,
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
      const spent = [
        ...proposal.spends.map(({ note }) => noteKey(note)),
        ...inputsOf(proposal).map(outputKey),
      ];
      const isTaken = spent.some((key) => taken.reserved.has(key) || taken.spentUnmined.has(key));
      const block = session.noteStore.block(proposal.anchorHeight);
      const isAnchor = block !== undefined && equalBytes(block.hash, blockHash);
      if (isTaken || !areThere(session, proposal) || !isAnchor) throw new StaleState();
      refunding?.check();
      makeRoom(session.payments, payments.context(session), (kept) => this.#isNeeded(session, kept));
      const payment = storedPayment(proposal, built, {
        id,
        account,
        createdAt,
        changeConfirmations,
        ...keptOf(grant, createdAt),
        ...(key === undefined ? {} : { idempotencyKey: key.key }),
        ...(refunding && { refundOf: refunding.invoiceId }),
        anchorBlock: { hash: bytesToHex(blockHash), treeSizes: block.treeSizes },
      });
      // The payment created last has the note, and clocks go back.
      const others = spentKeysOf(payment).flatMap(
        (key) => session.payments.holders.get(key)?.createdAt ?? [],
      );
      const latest = Math.max(createdAt, ...others.map((other) => other + 1));
      return payments.put(session, { ...payment, createdAt: latest }, key?.digest);
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
  given: Pick<
    StoredPayment,
    | 'id'
    | 'account'
    | 'createdAt'
    | 'changeConfirmations'
    | 'anchorBlock'
    | 'grant'
    | 'countsUntil'
    | 'idempotencyKey'
    | 'refundOf'
  >,
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
    inputs: inputsOf(proposal),
    state: UNSENT,
  };
}

const inputsOf = ({ inputs }: Proposal): PaymentInput[] =>
  inputs.map(({ at, txid, index, zatoshi }) => ({
    txid: txIdToHex(txid),
    outputIndex: index,
    address: at.address,
    zatoshi,
  }));
