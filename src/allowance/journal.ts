// What an allowance signer has signed, and what waits: from this the allowance that is left is counted. A change is stored before it
// counts here, and so before a signature leaves.

import * as z from 'zod';
import { CompanionError } from '../protocol/errors.ts';
import * as field from '../protocol/fields.ts';
import { DAY_MS, MONTH_MS, type Spent } from './policy.ts';

/** Of 30 days. Each change writes them all. */
const MAX_SIGNED = 20_000;
/** Of all payments: what is longer is not read again, and nothing is signed any more. */
const MAX_RECIPIENTS = 200_000;
/** A person is asked about each, or may look at it. */
const MAX_WAITING = 32;
const MAX_CANCELLED = 100;
const MAX_REFUSALS = 100;

const milliseconds = field.count;

const payment = z.strictObject({
  txid: field.txid,
  account: field.account,
  payments: z.array(z.strictObject({ address: z.string(), zatoshi: field.zatoshi })),
  fee: field.zatoshi,
  total: field.zatoshi,
  state: z.enum(['waiting', 'confirmed', 'cancelled', 'signed']),
  /** When it came into this state; a confirmed one keeps the time from which its delay counts. */
  at: milliseconds,
});

export const journalSchema = z.strictObject({
  /** Counts the changes, and attempts at one. */
  sequence: field.count,
  /** Of the last change. */
  at: milliseconds,
  payments: z.array(payment),
  /** The latest ones, for the owner. */
  refusals: z.array(z.strictObject({ at: milliseconds, why: z.string() })),
});

export type JournalState = z.output<typeof journalSchema>;
export type JournalPayment = z.output<typeof payment>;

export const EMPTY_JOURNAL: JournalState = { sequence: 0, at: 0, payments: [], refusals: [] };

/** Durable when it resolves. */
export type StoreJournal = (state: JournalState) => Promise<void>;

export class Journal {
  readonly #store: StoreJournal;
  #state: JournalState;
  /** Of the last attempt: two files with one number could be exchanged unnoticed. */
  #sequence: number;

  constructor(state: JournalState, store: StoreJournal) {
    this.#state = state;
    this.#sequence = state.sequence;
    this.#store = store;
  }

  get state(): JournalState {
    return this.#state;
  }

  find(txid: string): JournalPayment | undefined {
    return this.#state.payments.find((one) => one.txid === txid);
  }

  spent(now: number): Spent {
    const since = (ms: number): number =>
      this.#state.payments.reduce(
        (sum, { state, at, total }) => (state === 'signed' && at > now - ms ? sum + total : sum),
        0,
      );
    return { day: since(DAY_MS), month: since(MONTH_MS) };
  }

  /** Why no further one can be stored in this state; undefined where it can. */
  fullness(state: 'waiting' | 'signed', now: number): string | undefined {
    const [most, words] = state === 'signed' ? [MAX_SIGNED, 'were signed in 30 days'] : [MAX_WAITING, 'wait'];
    const payments = kept(this.#state.payments, now);
    if (payments.reduce((sum, one) => sum + one.payments.length, 0) >= MAX_RECIPIENTS)
      return `${MAX_RECIPIENTS} recipients are in the payments of 30 days, and that is the most`;
    const count = payments.filter((one) => one.state === state).length;
    return count < most ? undefined : `${most} payments ${words}, and that is the most`;
  }

  /** Adds a payment, or changes its state. Rejects with `STORAGE_FAILED`, and then nothing has changed. */
  async put(payment: JournalPayment, now: number): Promise<void> {
    const others = this.#state.payments.filter(({ txid }) => txid !== payment.txid);
    this.#sequence += 1;
    const next = {
      ...this.#state,
      sequence: this.#sequence,
      at: now,
      payments: kept([...others, payment], now),
    };
    await this.#store(next);
    // Refusals may have come meanwhile.
    this.#state = { ...next, refusals: this.#state.refusals };
  }

  /** Stored with the next payment: a caller that is refused makes no writes. */
  noteRefusal(why: string, at: number): void {
    const refusals = [...this.#state.refusals, { at, why }].slice(-MAX_REFUSALS);
    this.#state = { ...this.#state, refusals };
  }
}

/** Of those that count no more, none is needed. */
function kept(payments: readonly JournalPayment[], now: number): JournalPayment[] {
  const recent = payments.filter(({ at }) => at > now - MONTH_MS);
  const cancelled = recent.filter(({ state }) => state === 'cancelled');
  const dropped = new Set(cancelled.slice(0, -MAX_CANCELLED));
  return recent.filter((one) => !dropped.has(one));
}

export const noSuchPayment = (): CompanionError =>
  new CompanionError('NOT_FOUND', 'No payment with this txid waits at the signer.');
