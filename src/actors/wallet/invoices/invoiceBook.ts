// The invoices of the open wallet in memory, with what finds the few that a block, a look at the mempool or the clock can
// change: of ten thousand open invoices the others are not looked at.

import { setImmediate as otherWork } from 'node:timers/promises';
import { CompanionError } from '../../../protocol/errors.ts';
import { type Order, sortKey } from '../noteStore/book/chainOrder.ts';
import { GroupIndex, IndexedMap, SortedIndex } from '../noteStore/book/indexedMap.ts';
import { invoiceKey } from '../noteStore/book/noteTables.ts';
import type { InvoiceStore, StoredDay, StoredInvoice } from '../ports/invoice.ts';
import type { InvoiceState } from './invoiceState.ts';

/** The latest first. */
export const INVOICE_ORDER: Order<StoredInvoice> = {
  compare: (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
  keyOf: ({ createdAt, id }) => sortKey(Math.floor(createdAt / 1000), createdAt % 1000, id),
};

const REFUNDED = 'refunded';

/** Something happens to it at a height or a time. */
interface Due {
  readonly id: string;
  readonly at: number;
}

class DueInvoices extends IndexedMap<Due> {
  readonly #sorted: SortedIndex<Due>;

  constructor() {
    const sorted = new SortedIndex<Due>((a, b) => a.at - b.at);
    super([sorted]);
    this.#sorted = sorted;
  }

  get first(): number | undefined {
    return this.#sorted.values[0]?.at;
  }

  *upTo(at: number): IterableIterator<string> {
    for (const due of this.#sorted.values) {
      if (due.at > at) return;
      yield due.id;
    }
  }
}

export const noInvoice = (): CompanionError =>
  new CompanionError('NOT_FOUND', 'This wallet has no such invoice; GET /api/invoices lists them.');

export const addressKey = ({
  account,
  diversifierIndex,
}: Pick<StoredInvoice, 'account' | 'diversifierIndex'>): string => `${account}:${diversifierIndex}`;

export class InvoiceBook {
  readonly #store: InvoiceStore;
  readonly #rows: IndexedMap<StoredInvoice>;
  readonly #created = new SortedIndex(INVOICE_ORDER.compare);
  readonly #changed = new SortedIndex<StoredInvoice>((a, b) => a.announced.sequence - b.announced.sequence);
  readonly #references = new GroupIndex<StoredInvoice>(({ reference }) => reference ?? undefined);
  readonly #grants = new GroupIndex<StoredInvoice>(({ grant }) => grant);
  readonly #refunded = new GroupIndex<StoredInvoice>(({ refunds }) =>
    refunds === undefined ? undefined : REFUNDED,
  );
  readonly #addresses = new GroupIndex<StoredInvoice>(addressKey);
  readonly #expiring = new DueInvoices();
  readonly #maturing = new DueInvoices();
  /** Ids of those to look at each time: a change is held back, or something is unmined. */
  readonly #unsettled = new Set<string>();

  private constructor(store: InvoiceStore) {
    this.#store = store;
    this.#rows = new IndexedMap([
      this.#created,
      this.#changed,
      this.#references,
      this.#grants,
      this.#refunded,
      this.#addresses,
    ]);
  }

  /** Takes the store over. */
  static async open(store: InvoiceStore): Promise<InvoiceBook> {
    try {
      const book = new InvoiceBook(store);
      for (const rows of store.load()) {
        for (const row of rows) book.#rows.set(row.id, row);
        await otherWork();
      }
      return book;
    } catch (error) {
      store.close();
      throw error;
    }
  }

  get sequence(): number {
    return this.#store.sequence;
  }

  get series(): string | null {
    return this.#store.series;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The latest first. */
  get rows(): readonly StoredInvoice[] {
    return this.#created.values;
  }

  find(id: string): StoredInvoice | undefined {
    return this.#rows.get(id);
  }

  /** Throws `NOT_FOUND`. */
  get(id: string): StoredInvoice {
    const row = this.find(id);
    if (row !== undefined) return row;
    throw noInvoice();
  }

  /** By number, from 1 on without gaps. */
  get days(): readonly StoredDay[] {
    return this.#store.days();
  }

  get openDay(): StoredDay | undefined {
    const last = this.days.at(-1);
    return last?.closedAt === null ? last : undefined;
  }

  /** Those with refunds. */
  get refunded(): readonly StoredInvoice[] {
    return this.#refunded.of(REFUNDED);
  }

  /** One of each that numbers invoices: the owner, and grants. */
  withReference(reference: string): readonly StoredInvoice[] {
    return this.#references.of(reference);
  }

  /** How many it has made. */
  ofGrant(id: string): number {
    return this.#grants.of(id).length;
  }

  withAddress(key: string): StoredInvoice | undefined {
    return this.#addresses.of(key)[0];
  }

  /** The invoice at whose address a note is. */
  payableBy(note: Parameters<typeof invoiceKey>[0]): StoredInvoice | undefined {
    const key = invoiceKey(note);
    return key === undefined ? undefined : this.withAddress(key);
  }

  /** Those whose last change has a higher number, in its order. */
  changedAfter(sequence: number): readonly StoredInvoice[] {
    const rows = this.#changed.values;
    const first = rows.findLastIndex(({ announced }) => announced.sequence <= sequence) + 1;
    return rows.slice(first);
  }

  /** Those that this height or time can change, and the unsettled ones. */
  due(top: number, now: number): StoredInvoice[] {
    const ids = [...this.#maturing.upTo(top), ...this.#expiring.upTo(now), ...this.#unsettled];
    return ids.flatMap((id) => this.#rows.get(id) ?? []);
  }

  get nextExpiry(): number | undefined {
    return this.#expiring.first;
  }

  /** Durable when it returns. */
  put(rows: readonly StoredInvoice[], sequence: number, day?: StoredDay): void {
    this.#store.put(rows, sequence, day);
    for (const row of rows) this.#rows.set(row.id, row);
  }

  /** Notes what can change the invoice next. */
  watch(
    { id, expiresAt }: StoredInvoice,
    { state, confirmedFrom, lacksMark }: InvoiceState,
    isSettled: boolean,
  ): void {
    if ((state === 'new' || state === 'seen') && !lacksMark) this.#expiring.set(id, { id, at: expiresAt });
    else this.#expiring.delete(id);
    if (state === 'paid' && confirmedFrom !== null) this.#maturing.set(id, { id, at: confirmedFrom });
    else this.#maturing.delete(id);
    if (isSettled) this.#unsettled.delete(id);
    else this.#unsettled.add(id);
  }

  close(): void {
    this.#store.close();
  }
}
