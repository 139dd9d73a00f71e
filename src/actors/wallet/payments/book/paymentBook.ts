// The prepared payments of an open session, in memory from the first use on. Their status is not kept here
// (payments/paymentState.ts). Changes are made between other changes of state (`Sessions.exclusive`), so that none falls into
// a change of password, which copies what is kept.
//
// Each write is counted here and then apart from the store: a store behind that count is an older copy, and payments that it
// lacks may be on their way. Until no block can contain them, nothing is changed and no note is given to another payment.

import { wipe } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import { CompanionError } from '../../../../protocol/errors.ts';
import type {
  FinalStatus,
  KeyChange,
  KeyedPayment,
  PaymentInput,
  PaymentStore,
  PaymentWrites,
  StoredPayment,
} from '../../ports/payment.ts';

/** The second count of writes, apart from the store. */
export interface WritesBeside {
  /** Null: none. */
  readonly counted: () => PaymentWrites | null;
  readonly count: (writes: PaymentWrites) => Promise<void>;
  readonly scannedTop: () => Height | undefined;
}

const NOWHERE: WritesBeside = {
  counted: () => null,
  count: async () => undefined,
  scannedTop: () => undefined,
};

export class PaymentBook {
  readonly #store: () => PaymentStore;
  #beside = NOWHERE;
  #writes = 0;
  #kept: Map<string, StoredPayment> | undefined;
  #holders: ReadonlyMap<string, StoredPayment> | undefined;

  constructor(store: () => PaymentStore) {
    this.#store = store;
  }

  /** Call it before the first payment is read. Counts a write that an ended process did not count. */
  async countBeside(beside: WritesBeside): Promise<void> {
    this.#beside = beside;
    this.#payments();
    if (this.#writes > (beside.counted()?.count ?? 0)) await this.#count();
  }

  /** The last block that can contain a missing payment; undefined where none is missing, or no block can contain it any more. */
  get missingUntil(): Height | undefined {
    this.#payments();
    const { count, until } = this.#beside.counted() ?? { count: 0, until: 0 };
    const isOver = count <= this.#writes || (this.#beside.scannedTop() ?? -1) >= until;
    return isOver ? undefined : until;
  }

  /** Throws `WALLET_CORRUPT` while a payment that is missing may be mined. */
  requireNewest(): void {
    const until = this.missingUntil;
    if (until === undefined) return;
    throw new CompanionError(
      'WALLET_CORRUPT',
      `${paymentsMissing(until)} Until then nothing is prepared, changed or sent.`,
    );
  }

  /** Unordered. Errors: those of the store. */
  all(): StoredPayment[] {
    return [...this.#payments().values()];
  }

  /** For each key of a note or a transparent output, the newest payment that spends it. */
  get holders(): ReadonlyMap<string, StoredPayment> {
    this.#holders ??= new Map(
      this.all()
        .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        .flatMap((payment) => spentKeysOf(payment).map((key) => [key, payment] as const)),
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

  /** The payment that an idempotency key has, or had. Errors: those of the store. */
  keyed(key: string): KeyedPayment | undefined {
    return this.#store().keyedPayment(key);
  }

  /**
   * Durable when it returns, counted when it resolves: hand out or send nothing before. A new one that is not counted is gone.
   * `digest`: of what was asked for, with a new payment that has an idempotency key.
   */
  async put(payment: StoredPayment, digest?: string): Promise<void> {
    const isNew = !this.#payments().has(payment.id);
    const key = digest === undefined ? undefined : keyChange(payment, rowOf(payment, digest));
    this.#write(payment.id, (store, writes) => store.putPayment(payment, writes, key), payment);
    try {
      await this.#count();
    } catch (error) {
      if (isNew) this.#takeBack(payment);
      throw error;
    }
  }

  /** Nobody knows of it, and its notes would stay reserved. Its key is free again. */
  #takeBack(payment: StoredPayment): void {
    try {
      const key = keyChange(payment, null);
      this.#write(payment.id, (store, writes) => store.deletePayment(payment.id, writes, key));
    } catch {
      // A disk that refuses this as well: it is listed as prepared.
    }
  }

  /** Applies `change` to the present payment, which may differ from the one that the caller read. */
  async update(id: string, change: (payment: StoredPayment) => StoredPayment): Promise<StoredPayment> {
    const changed = change(this.get(id));
    await this.put(changed);
    return changed;
  }

  /** Counted with the next `put`. `last`: how it stands, which its idempotency key keeps. */
  delete(id: string, last: FinalStatus): void {
    const payment = this.get(id);
    const keyed = payment.idempotencyKey === undefined ? undefined : this.keyed(payment.idempotencyKey);
    const key = keyed && keyChange(payment, { ...keyed, last });
    this.#write(id, (store, writes) => store.deletePayment(id, writes, key));
  }

  /** Called at the end of the session. */
  forget(): void {
    for (const { pczt } of this.#kept?.values() ?? []) wipe(pczt);
    this.#kept = undefined;
    this.#holders = undefined;
  }

  #payments(): Map<string, StoredPayment> {
    if (this.#kept === undefined) {
      const store = this.#store();
      this.#kept = new Map(store.payments().map((one) => [one.id, one]));
      this.#writes = store.paymentWrites;
    }
    return this.#kept;
  }

  /** After a failure the disk's content is unknown, and is read again at the next use. */
  #write(id: string, write: (store: PaymentStore, writes: number) => void, payment?: StoredPayment): void {
    const kept = this.#payments();
    this.requireNewest();
    // Above every earlier count, also where an older copy was used meanwhile.
    const writes = Math.max(this.#writes, this.#beside.counted()?.count ?? 0) + 1;
    this.#holders = undefined;
    try {
      write(this.#store(), writes);
      this.#writes = writes;
    } catch (error) {
      this.#kept = undefined;
      throw error;
    }
    if (payment === undefined) kept.delete(id);
    else kept.set(id, payment);
  }

  #count(): Promise<void> {
    const until = Math.max(0, ...this.all().map(({ lastHeight }) => lastHeight));
    return this.#beside.count({ count: this.#writes, until });
  }
}

const keyChange = (
  { idempotencyKey: key }: StoredPayment,
  row: KeyedPayment | null,
): KeyChange | undefined => (key === undefined ? undefined : { key, row });

const rowOf = (
  { id, account, createdAt, txid, fee, changeConfirmations, grant }: StoredPayment,
  digest: string,
): KeyedPayment => ({
  digest,
  payment: {
    id,
    account,
    createdAt,
    txid,
    fee,
    changeConfirmations,
    ...(grant === undefined ? {} : { grant }),
  },
  last: null,
});

/** For the balance and for attempts to pay. */
export const paymentsMissing = (until: Height): string =>
  `Payments are missing: ledger.db was lost, or an older copy of it was put back. A holder of one of them can still send it, until block ${until}. Put back the newest ledger.db, or sync until that block is scanned.`;

/** Keys of the notes and transparent outputs that a payment spends. */
export const spentKeysOf = ({ account, notes, inputs = [] }: StoredPayment): string[] => [
  ...notes.map((note) => noteKey({ ...note, account })),
  ...inputs.map(outputKey),
];

export const outputKey = ({ txid, outputIndex }: Pick<PaymentInput, 'txid' | 'outputIndex'>): string =>
  `${txid}:transparent:${outputIndex}`;
