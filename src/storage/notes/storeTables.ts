// The tables of a note store under one master key: each with its own keys. The sealed state vouches for all of them.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import {
  EMPTY_ROW_SUM,
  type RowSum,
  type RowSumValue,
  SealedTable,
  SUMMED_ROW,
  Summaries,
} from '@wallet-companion/disk/rows';
import { deriveSubkey, type RandomBytes, RowPrf } from '@wallet-companion/disk/sealing';
import { ColumnError, type Database } from '@wallet-companion/disk/sqlite';
import type { NoteStoreState } from '../../actors/wallet/ports/noteDatabase.ts';
import { JOURNAL_TABLE, Journal, type JournalHead } from './journal.ts';
import { KeptProofs } from './keptProofs.ts';
import { decodeRecord, encodeRecord } from './noteRecords.ts';
import { KEPT_SUMS_TABLE, NullifierMap } from './nullifierMap.ts';
import { Payments } from './payments.ts';
import { ScannedBlocks } from './scannedBlocks.ts';
import { WitnessParts } from './witnessParts.ts';

/** Tables whose rows the state vouches for. */
export const RECORD_TABLES = ['notes', 'sent_outputs', 'transactions'] as const;
export type RecordTable = (typeof RECORD_TABLES)[number];
/** The journal's statements about blocks that were forgotten, in sealed pages. */
export const RESCAN_TABLE = 'rescan_entries';
export const STATE_TABLE = 'state';
const STATE_KEY = 'state';

export class StoreTables {
  readonly records: Readonly<Record<RecordTable, SealedTable>>;
  readonly blocks: ScannedBlocks;
  readonly kept: NullifierMap;
  readonly summaries: Summaries;
  readonly journal: Journal;
  readonly rescanEntries: SealedTable;
  readonly witnessParts: WitnessParts;
  readonly payments: Payments;
  readonly #state: SealedTable;
  /** All that the state vouches for, by table. */
  readonly #rowSums: Readonly<Record<string, RowSum>>;
  readonly #keys: readonly Uint8Array[];
  readonly #keyed: { wipe(): void }[] = [];

  /** Throws ColumnError where the state does not open. */
  constructor(
    database: Database,
    masterKey: Uint8Array,
    randomBytes: RandomBytes,
    { keptEntries }: { readonly keptEntries?: number | undefined } = {},
  ) {
    const sealing = deriveSubkey(masterKey, 'ledger/seal/1');
    const naming = deriveSubkey(masterKey, 'ledger/name/1');
    const proof = deriveSubkey(masterKey, 'ledger/blocks/1');
    this.#keys = [sealing, naming, proof];
    const prf = (table: string): RowPrf => {
      const made = new RowPrf(deriveSubkey(masterKey, `ledger/row_sum/1/${table}`), SUMMED_ROW);
      this.#keyed.push(made);
      return made;
    };
    const table = (name: string): SealedTable =>
      new SealedTable(database, name, { sealing, naming, rowSum: prf(name) }, randomBytes);
    this.records = {
      notes: table('notes'),
      sent_outputs: table('sent_outputs'),
      transactions: table('transactions'),
    };
    this.#state = table(STATE_TABLE);
    this.blocks = new ScannedBlocks(database, proof, prf('blocks'));
    const keptProofs = new KeptProofs(masterKey);
    this.#keyed.push(keptProofs);
    this.kept = new NullifierMap(database, table(KEPT_SUMS_TABLE), keptProofs, randomBytes);
    const journal = table(JOURNAL_TABLE);
    this.rescanEntries = table(RESCAN_TABLE);
    this.witnessParts = new WitnessParts(database, { sealing, naming }, randomBytes);
    this.payments = new Payments(database, { sealing, naming, rowSum: prf }, randomBytes);
    this.#rowSums = {
      notes: this.records.notes.rowSum,
      sent_outputs: this.records.sent_outputs.rowSum,
      transactions: this.records.transactions.rowSum,
      blocks: this.blocks.rowSum,
      [KEPT_SUMS_TABLE]: this.kept.table.rowSum,
      [JOURNAL_TABLE]: journal.rowSum,
      [RESCAN_TABLE]: this.rescanEntries.rowSum,
    };
    this.summaries = new Summaries(database, sealing, randomBytes);
    const sealedState = this.readState();
    for (const [name, rowSum] of Object.entries(this.#rowSums)) rowSum.reset(rowSumIn(sealedState, name));
    this.journal = new Journal(journal, sealedState?.journal, randomBytes, keptEntries);
  }

  readState(): VouchedState | undefined {
    const [row] = this.#state.rowsFrom(0);
    if (row === undefined) return undefined;
    const plain = this.#state.open(row);
    if (plain === undefined) throw new ColumnError('the state does not open');
    return decodeRecord<VouchedState>(plain);
  }

  /** Vouches for all changes; runs in the transaction that makes them. */
  seal(state: NoteStoreState): void {
    this.kept.seal();
    this.#state.put(STATE_KEY, encodeRecord(vouch(state, this.#rowSums, this.journal.head)));
  }

  /** Keeps journal and rescan entries: clients have read the entries; and payments: signers may have them, and no block gives one back. */
  clear(): void {
    for (const name of RECORD_TABLES) this.records[name].clear();
    this.#state.clear();
    this.summaries.clear();
    this.witnessParts.clear();
    this.blocks.deleteAbove(-1);
    this.kept.clear();
  }

  /** Functions that undo the changes in memory when a transaction fails. */
  save(): (() => void)[] {
    return [
      this.kept.save(),
      this.journal.save(),
      ...Object.values(this.#rowSums).map((rowSum) => rowSum.save()),
    ];
  }

  wipe(): void {
    for (const key of this.#keys) key.fill(0);
    for (const keyed of this.#keyed) keyed.wipe();
  }
}

// The state as it is sealed: with the row sums of all other tables and the head of the journal.
export interface VouchedState {
  readonly state: NoteStoreState;
  /** By table. */
  readonly rowSums: Readonly<Record<string, { readonly count: number; readonly sum: string }>>;
  readonly journal: JournalHead;
}

const vouch = (
  state: NoteStoreState,
  rowSums: Readonly<Record<string, RowSum>>,
  journal: JournalHead,
): VouchedState => ({
  state,
  journal,
  rowSums: Object.fromEntries(
    Object.entries(rowSums).map(([name, rowSum]) => {
      const { count, sum } = rowSum.value();
      return [name, { count, sum: bytesToHex(sum) }];
    }),
  ),
});

/** A store that was never written to has no state, and no rows. */
export function rowSumIn(sealedState: VouchedState | undefined, table: string): RowSumValue {
  const found = sealedState?.rowSums[table];
  return found === undefined ? EMPTY_ROW_SUM : { count: found.count, sum: hexToBytes(found.sum) };
}
