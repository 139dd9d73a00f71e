// The contents of the note store in memory, each with the indexes that its lists need.

import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { StoredSentOutput, StoredTransaction } from '../../ports/noteDatabase.ts';
import type { StoredNote } from '../../ports/storedNote.ts';
import { NOTE_ORDER, TRANSACTION_ORDER } from './chainOrder.ts';
import { GroupIndex, IndexedMap, SortedIndex } from './indexedMap.ts';

/** Indexes from here on (27 digits) are drawn at random for invoices; `POST /api/address` counts from 0 and never gets there. */
export const INVOICE_INDEX = 1n << 87n;
const INVOICE_INDEX_TEXT = INVOICE_INDEX.toString();

/** What an invoice is found by; undefined for a note to any other address. */
export const invoiceKey = ({
  account,
  scope,
  diversifierIndex: index,
}: Pick<StoredNote, 'account' | 'scope' | 'diversifierIndex'>): string | undefined =>
  scope === 'external' && index.length === INVOICE_INDEX_TEXT.length && index >= INVOICE_INDEX_TEXT
    ? `${account}:${index}`
    : undefined;

export class NoteTable extends IndexedMap<StoredNote> {
  readonly #sorted: SortedIndex<StoredNote>;
  readonly #invoiced: GroupIndex<StoredNote>;
  readonly #made: GroupIndex<StoredNote>;
  readonly #spent: GroupIndex<StoredNote>;

  constructor() {
    const sorted = new SortedIndex(NOTE_ORDER.compare);
    const made = new GroupIndex<StoredNote>((note) => note.txid);
    const spent = new GroupIndex<StoredNote>((note) => note.spent?.txid);
    const invoiced = new GroupIndex<StoredNote>(invoiceKey);
    super([sorted, made, spent, invoiced]);
    this.#sorted = sorted;
    this.#invoiced = invoiced;
    this.#made = made;
    this.#spent = spent;
  }

  /** Newest first. */
  get sorted(): readonly StoredNote[] {
    return this.#sorted.values;
  }

  madeIn(txid: TxIdHex): readonly StoredNote[] {
    return this.#made.of(txid);
  }

  spentIn(txid: TxIdHex): readonly StoredNote[] {
    return this.#spent.of(txid);
  }

  /** The notes to the address of an invoice. */
  paidTo(invoiceKey: string): readonly StoredNote[] {
    return this.#invoiced.of(invoiceKey);
  }
}

export class SentOutputTable extends IndexedMap<StoredSentOutput> {
  readonly #sent: GroupIndex<StoredSentOutput>;

  constructor() {
    const sent = new GroupIndex<StoredSentOutput>((output) => output.txid);
    super([sent]);
    this.#sent = sent;
  }

  sentIn(txid: TxIdHex): readonly StoredSentOutput[] {
    return this.#sent.of(txid);
  }
}

export class TransactionTable extends IndexedMap<StoredTransaction> {
  readonly #sorted: SortedIndex<StoredTransaction>;

  constructor() {
    const sorted = new SortedIndex(TRANSACTION_ORDER.compare);
    super([sorted]);
    this.#sorted = sorted;
  }

  /** Newest first. */
  get sorted(): readonly StoredTransaction[] {
    return this.#sorted.values;
  }
}

/** Read only. */
export interface NoteTables {
  readonly notes: Pick<NoteTable, 'sorted' | 'madeIn' | 'spentIn' | 'paidTo'>;
  readonly sentOutputs: Pick<SentOutputTable, 'sentIn'>;
  readonly transactions: Pick<TransactionTable, 'sorted'>;
}
