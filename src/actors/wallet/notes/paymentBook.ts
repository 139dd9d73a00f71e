// The prepared payments of an open session, in memory from when they are first asked for. Nothing here says what became of
// one (payments/paymentStanding.ts). Changes are made between other changes of state (`Sessions.exclusive`), so that none falls into
// a change of password, which copies what is kept.

import { wipe } from '@wallet-companion/shielded/bytes';
import { CompanionError } from '../../../protocol/errors.ts';
import type { PaymentStore, StoredPayment } from '../ports/payment.ts';
import { noteKey } from './noteBook.ts';

export class PaymentBook {
  readonly #store: () => PaymentStore;
  #kept: Map<string, StoredPayment> | undefined;
  #holders: ReadonlyMap<string, StoredPayment> | undefined;

  constructor(store: () => PaymentStore) {
    this.#store = store;
  }

  /** In no order. Errors: those of the store. */
  all(): StoredPayment[] {
    return [...this.#payments().values()];
  }

  /** By the key of a note, the newest payment that spends it. */
  get holders(): ReadonlyMap<string, StoredPayment> {
    this.#holders ??= new Map(
      this.all()
        .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        .flatMap((payment) => noteKeysOf(payment).map((key) => [key, payment] as const)),
    );
    return this.#holders;
  }

  /** Throws `NOT_FOUND`. */
  get(id: string): StoredPayment {
    const payment = this.#payments().get(id);
    if (payment === undefined) {
      throw new CompanionError('NOT_FOUND', 'The wallet has no such payment. GET /api/payments lists them.');
    }
    return payment;
  }

  /** Durable when it returns. */
  put(payment: StoredPayment): void {
    this.#write(payment.id, (store) => store.putPayment(payment), payment);
  }

  /** From what it is at this moment, whatever it was when the caller first looked. */
  update(id: string, change: (payment: StoredPayment) => StoredPayment): StoredPayment {
    const changed = change(this.get(id));
    this.put(changed);
    return changed;
  }

  delete(id: string): void {
    this.#write(id, (store) => store.deletePayment(id));
  }

  /** The session is over. */
  forget(): void {
    for (const { pczt } of this.#kept?.values() ?? []) wipe(pczt);
    this.#kept = undefined;
    this.#holders = undefined;
  }

  #payments(): Map<string, StoredPayment> {
    if (this.#kept === undefined) {
      const store = this.#store();
      this.#kept = new Map(store.hasPayments ? store.payments().map((one) => [one.id, one]) : []);
    }
    return this.#kept;
  }

  /** Where it fails, what the disk has is not known, and is read again at the next need. */
  #write(id: string, write: (store: PaymentStore) => void, payment?: StoredPayment): void {
    const kept = this.#payments();
    this.#holders = undefined;
    try {
      write(this.#store());
    } catch (error) {
      this.#kept = undefined;
      throw error;
    }
    if (payment === undefined) kept.delete(id);
    else kept.set(id, payment);
  }
}

/** Of the notes that a payment spends. */
export const noteKeysOf = ({ account, notes }: Pick<StoredPayment, 'account' | 'notes'>): string[] =>
  notes.map((note) => noteKey({ ...note, account }));
