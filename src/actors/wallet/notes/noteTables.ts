// The contents of the note store in memory, each with the indexes that its lists need.

import type { TxIdHex } from '@wallet-companion/shielded/identifiers';
import type { StoredNote, StoredSentOutput, StoredTransaction } from '../ports/storage.ts';
import { NOTE_ORDER, TRANSACTION_ORDER } from './chainOrder.ts';
import { GroupIndex, IndexedMap, SortedIndex } from './indexedMap.ts';

export class NoteTable extends IndexedMap<StoredNote> {
  readonly #sorted: SortedIndex<StoredNote>;
  readonly #made: GroupIndex<StoredNote>;
  readonly #spent: GroupIndex<StoredNote>;

  constructor() {
    const sorted = new SortedIndex(NOTE_ORDER.compare);
    const made = new GroupIndex<StoredNote>((note) => note.txid);
    const spent = new GroupIndex<StoredNote>((note) => note.spent?.txid);
    super([sorted, made, spent]);
    this.#sorted = sorted;
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
  readonly notes: Pick<NoteTable, 'sorted' | 'madeIn' | 'spentIn'>;
  readonly sentOutputs: Pick<SentOutputTable, 'sentIn'>;
  readonly transactions: Pick<TransactionTable, 'sorted'>;
}
