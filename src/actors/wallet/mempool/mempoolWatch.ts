// Looks at the mempool while a session is open: the chain thread fetches, the pool decrypts, and the wallet's
// transactions are in memory until they are mined or vanish. They are never written to disk, and dropped by a lock.

import type { Height } from '@wallet-companion/base/values';
import type { MempoolLook, OfferedMempool, Source } from '@wallet-companion/chain/ports';
import type { TxId } from '@wallet-companion/zcash/identifiers';
import type { ReadUnmined, ScannedBlock } from '@wallet-companion/zcash/scan';
import { CompanionError, type ErrorRecord, toErrorRecord } from '../../../protocol/errors.ts';
import type { EventBody } from '../../../protocol/events.ts';
import type { AppliedBlocks } from '../noteStore/noteStore.ts';
import type { ScanKeys } from '../ports/scanPool.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import { notesSpentBy, type UnminedTransaction, type VanishReason } from './unmined.ts';
import { UNMINED_LIMITS, UnminedBook, type UnminedLimits, type Vanished } from './unminedBook.ts';

/** One look makes at most so many calls when the chain thread cannot return all at once; the next look continues. */
const CALLS_PER_LOOK = 8;
/** Deriving an address takes milliseconds: a flood of notes does not wait for all. */
const NEW_ADDRESSES_PER_LOOK = 16;

/** How its end is called in events. */
const ENDS = { conflicted: 'replaced', expired: 'expired', dropped: 'dropped' } as const satisfies Record<
  VanishReason,
  string
>;

export interface ReportedVanished extends Vanished {
  readonly at: number;
}

/** Why the result is missing or incomplete. */
export type MempoolTrouble = ErrorRecord | Exclude<MempoolLook, { readonly offered: true }>['reason'];

export interface MempoolState {
  readonly book: UnminedBook;
  readonly source: Source | null;
  /** Milliseconds since 1970; null before the first successful look of this session. */
  readonly lookedAt: number | null;
  /** All transactions were read, and all of the wallet's fit within the limits. */
  readonly isComplete: boolean;
  readonly trouble: MempoolTrouble | null;
  /** The latest first. */
  readonly vanished: readonly ReportedVanished[];
}

/** Notes that were not known before; or blocks are to be scanned again; or the chain has others above the fork. */
export type Found = readonly StoredNote[] | 'forgotten' | { readonly forkHeight: Height };

interface State {
  readonly session: Session;
  readonly keys: ScanKeys;
  readonly book: UnminedBook;
  source: Source | null;
  lookedAt: number | null;
  isWhole: boolean;
  trouble: MempoolTrouble | null;
  vanished: ReportedVanished[];
  /** The scan was below the server's tip: the wallet may not have known notes that an unmined transaction spends. */
  wasBehind: boolean;
}

export class MempoolWatch {
  readonly #environment: WalletEnvironment;
  readonly #current: () => Session | undefined;
  readonly #limits: UnminedLimits;
  #state: State | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;
  #changed: (session: Session, found: Found) => void = () => undefined;

  constructor(
    environment: WalletEnvironment,
    current: () => Session | undefined,
    limits: UnminedLimits = UNMINED_LIMITS,
  ) {
    this.#environment = environment;
    this.#current = current;
    this.#limits = limits;
  }

  /** `changed`: called after every look, and when blocks were scanned or undone; the content is that of this moment. */
  listen(changed: (session: Session, found: Found) => void): void {
    this.#changed = changed;
  }

  state(session: Session): MempoolState {
    const { book, source, lookedAt, isWhole, trouble, vanished } = this.#stateOf(session);
    return { book, source, lookedAt, isComplete: isWhole && !book.isOverfull, trouble, vanished };
  }

  /** Called at the end of the session. */
  forget(): void {
    this.#state = undefined;
  }

  /** A look on request. Rejects with the server's failure. */
  async look(source: Source): Promise<void> {
    while (this.#isLooking) await this.#looking.catch(() => undefined);
    await this.#begin(source);
  }

  /** A look without a request, unless one is already running. Never rejects. */
  async lookQuietly(source: Source): Promise<void> {
    if (this.#isLooking) return;
    await this.#begin(source).catch((error: unknown) => {
      if (!(error instanceof CompanionError)) this.#environment.logFault('wallet.mempool', error);
    });
  }

  /** The compact server reported it during a wait for a block. */
  notOffered(): void {
    const session = this.#current();
    if (session !== undefined) this.#stateOf(session).trouble = 'not offered';
  }

  /** These blocks were scanned and committed. */
  scanned(session: Session, blocks: readonly ScannedBlock[], { received }: AppliedBlocks): void {
    const state = this.#stateOf(session);
    if (received.length > 0 && state.wasBehind) state.book.forgetOthers();
    this.#reportVanished(state, [...state.book.conflicting(blocks), ...state.book.settle()]);
    this.#changed(session, received);
  }

  /** Transactions that could not be mined on the old branch may be possible again. */
  rewound(session: Session, forkHeight: Height): void {
    this.#stateOf(session).book.forgetOthers();
    this.#changed(session, { forkHeight });
  }

  /** Other keys find other notes. */
  #stateOf(session: Session): State {
    const known = this.#state;
    if (known?.session === session && known.keys === session.scanKeys) return known;
    const state: State = {
      session,
      keys: session.scanKeys,
      book: new UnminedBook(session.noteStore, this.#limits),
      source: null,
      lookedAt: null,
      isWhole: false,
      trouble: null,
      vanished: [],
      wasBehind: false,
    };
    this.#state = state;
    return state;
  }

  async #begin(source: Source): Promise<void> {
    const session = this.#current();
    if (session === undefined) return;
    const state = this.#stateOf(session);
    this.#isLooking = true;
    this.#looking = this.#lookFor(state, source).finally(() => {
      this.#isLooking = false;
    });
    try {
      await this.#looking;
    } catch (error) {
      state.trouble = toErrorRecord(error);
      // It fails because the session has ended.
      if (this.#isCurrent(state)) throw error;
    }
  }

  #isCurrent(state: State): boolean {
    return this.#current() === state.session && this.#stateOf(state.session) === state;
  }

  async #lookFor(state: State, source: Source): Promise<void> {
    const addresses = { left: NEW_ADDRESSES_PER_LOOK };
    for (let call = 0; call < CALLS_PER_LOOK; call++) {
      const known = state.book.known;
      const packed = packedTxids(known);
      const { room } = state.book;
      const query = { source, known: packed, room, goesOn: call > 0 };
      const look = await this.#environment.chain.mempool(query);
      if (!this.#isCurrent(state)) return;
      if (!look.offered) {
        state.trouble = look.reason;
        return;
      }
      state.book.listed(known, new Set(look.gone), look.tipHeight);
      const read = await this.#read(state, look);
      if (read === undefined) return;
      for (const seen of this.#keep(state, look, read)) this.#reportSeen(state.session, seen, addresses);
      const { clock } = this.#environment;
      state.source = source;
      state.lookedAt = clock.now();
      state.trouble = null;
      state.isWhole = !look.more;
      state.wasBehind ||= (state.session.noteStore.scannedTop() ?? -1) < look.tipHeight;
      if (!look.more || look.fresh.length === 0) break;
    }
    this.#reportVanished(state, state.book.settle());
    this.#changed(state.session, []);
  }

  /** Undefined after the end of the session. */
  async #read(state: State, look: OfferedMempool): Promise<Map<TxId, ReadUnmined> | undefined> {
    const whole = look.fresh.filter(({ length }) => length > 0);
    if (whole.length === 0) return new Map();
    const { buffer, tipHeight } = look;
    const task = { buffer, transactions: whole, height: tipHeight + 1 };
    const answers = await state.session.pool.readUnmined(task, state.keys);
    const read = new Map<TxId, ReadUnmined>();
    whole.forEach(({ txid }, i) => {
      const answer = answers[i];
      if (answer !== null && answer !== undefined) read.set(txid, answer);
    });
    if (this.#isCurrent(state)) return read;
    wipeMemos(read.values());
    return undefined;
  }

  #keep(state: State, { fresh, tipHeight }: OfferedMempool, read: Map<TxId, ReadUnmined>) {
    const now = this.#environment.clock.now();
    try {
      return fresh.flatMap(({ txid }) => {
        const seen = state.book.add(txid, read.get(txid) ?? null, now, tipHeight);
        return seen === undefined ? [] : [seen];
      });
    } finally {
      wipeMemos(read.values());
    }
  }

  #reportSeen(session: Session, seen: UnminedTransaction, room: { left: number }): void {
    const { txid, notes, expiryHeight } = seen;
    const spent = notesSpentBy(session.noteStore, seen);
    this.#reportUnmined('seen', seen, boundedSum(spent.map(({ value }) => value)));
    for (const note of notes) {
      const hasAddress = session.knowsAddress(note) || room.left-- > 0;
      this.#environment.emit({
        event: 'note.seen',
        data: {
          account: note.account,
          pool: note.pool,
          txid,
          output_index: note.outputIndex,
          expiry_height: expiryOf(expiryHeight),
          value_zatoshi: note.value,
          diversifier_index: note.diversifierIndex,
          ...(hasAddress && { address: session.addressOf(note) }),
        },
      });
    }
  }

  #reportUnmined(
    state: EventBody<'transaction.unmined'>['state'],
    { txid, notes }: UnminedTransaction,
    spent: number,
  ): void {
    const received = boundedSum(notes.map(({ value }) => value));
    this.#environment.emit({
      event: 'transaction.unmined',
      data: { txid, state, received_zatoshi: received, spent_zatoshi: spent },
    });
  }

  #reportVanished(state: State, vanished: readonly Vanished[]): void {
    const at = this.#environment.clock.now();
    for (const one of vanished) {
      const { txid, notes } = one.transaction;
      this.#reportUnmined(ENDS[one.reason], one.transaction, one.spent);
      state.vanished = [{ ...one, at }, ...state.vanished].slice(0, this.#limits.vanished);
      this.#environment.emit({
        event: 'transaction.vanished',
        data: {
          txid,
          reason: one.reason,
          received_zatoshi: boundedSum(notes.map(({ value }) => value)),
          spent_zatoshi: one.spent,
        },
      });
    }
  }
}

export const expiryOf = (height: Height): Height | null => (height === 0 ? null : height);

/** 21 million coins: an unmined payment does not prove that the sender has the funds. */
const MAX_SUM = 2_100_000_000_000_000;

export const boundedSum = (values: readonly number[]): number =>
  values.reduce((sum, value) => Math.min(MAX_SUM, sum + value), 0);

function packedTxids(txids: readonly TxId[]): Uint8Array {
  const packed = new Uint8Array(txids.length * 32);
  txids.forEach((txid, i) => {
    packed.set(txid, i * 32);
  });
  return packed;
}

function wipeMemos(read: Iterable<ReadUnmined>): void {
  for (const { notes } of read) for (const { memo } of notes) memo?.fill(0);
}
