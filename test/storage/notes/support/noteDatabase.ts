import { createHash, randomBytes } from 'node:crypto';
import {
  asBlockHash,
  asNullifier,
  asNullifierHex,
  asTxId,
  asTxIdHex,
} from '@wallet-companion/zcash/identifiers';
import { PackedMemo } from '@wallet-companion/zcash/notes';
import { POOLS } from '@wallet-companion/zcash/pools';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import type { JournalEntry, RescanEntry } from '../../../../src/actors/wallet/ports/journal.ts';
import type {
  NoteDatabase,
  NoteDatabases,
  NoteStoreChange,
  NoteStoreState,
  NullifierSighting,
  StoredBlock,
  StoredSentOutput,
  StoredTransaction,
} from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import type { Memo, StoredNote } from '../../../../src/actors/wallet/ports/storedNote.ts';
import { createNoteDatabases } from '../../../../src/storage/notes/noteDatabase.ts';

export const MASTER_KEY = new Uint8Array(32).fill(7);

export const noteDatabases = (dataDir: string, rowsPerSummary?: number): NoteDatabases =>
  createNoteDatabases({
    dataDir,
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    ...(rowsPerSummary === undefined ? {} : { rowsPerSummary }),
  });

/** 32 bytes that stand for a number. */
export const digest = (label: string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(label).digest());
const hex = (label: string): string => Buffer.from(digest(label)).toString('hex');

export const note = (i: number, more: Partial<StoredNote> = {}): StoredNote => ({
  pool: POOLS[i % 3]!,
  account: i % 2,
  scope: i % 5 === 0 ? 'internal' : 'external',
  value: 1000 + i,
  height: 100 + i,
  txid: asTxIdHex(hex(`tx ${i}`)),
  txIndex: i % 7,
  outputIndex: i % 4,
  position: 10_000 + i,
  nullifier: i % 11 === 0 ? null : asNullifierHex(hex(`nullifier ${i}`)),
  diversifierIndex: String(2n ** 80n + BigInt(i)),
  memo: i % 3 === 0 ? null : new PackedMemo(Buffer.from(`memo ${i}`.padEnd(512, '\0'))),
  spent: null,
  ...more,
});

export const sentOutput = (i: number): StoredSentOutput => ({
  pool: POOLS[i % 3]!,
  account: 0,
  scope: 'external',
  txid: asTxIdHex(hex(`sent ${i}`)),
  height: 100 + i,
  outputIndex: i % 4,
  value: i,
  recipient: Buffer.from(`recipient ${i}`.padEnd(43)).toString('hex'),
  memo: new PackedMemo(Buffer.from('paid'.padEnd(512))),
});

export const transaction = (i: number): StoredTransaction => ({
  txid: asTxIdHex(hex(`tx ${i}`)),
  height: 100 + i,
  txIndex: i % 7,
  time: 1_700_000_000 + i,
  complete: i % 2 === 0,
});

export const journalEntry = (i: number): JournalEntry => {
  const { pool, account, scope, txid, outputIndex, value, diversifierIndex, height } = note(i);
  const output = { pool, account, scope, txid, outputIndex, value, diversifierIndex };
  return {
    kind: 'received',
    ...output,
    height,
    blockHash: hex(`block ${height}`),
    spentBy: null,
    reverses: null,
  };
};

export const rescanEntry = (i: number): RescanEntry => {
  const { kind: _, height, blockHash, spentBy, reverses: __, ...output } = journalEntry(i);
  const open = { confirmed: true, memo: false, found: false };
  return { kind: 'received', note: output, height, blockHash, spentBy, ...open };
};

export const block = (height: number, branch = ''): StoredBlock => ({
  height,
  hash: asBlockHash(digest(`block ${height}${branch}`)),
  prevHash: asBlockHash(digest(`block ${height - 1}${branch}`)),
  time: 1_700_000_000 + height,
  treeSizes: poolSizes({ sapling: height, orchard: 2 * height, ironwood: 3 * height }),
});

export const kept = (i: number, height: number): NullifierSighting => ({
  pool: POOLS[i % 3]!,
  nullifier: asNullifier(digest(`kept ${i}`)),
  height,
  time: 1_700_000_000 + height,
  txIndex: i % 3,
  txid: asTxId(digest(`keeper ${height} ${i % 3}`)),
});

export const state = (lastScanHeight: number): NoteStoreState => ({
  scanned: { 0: [{ start: 1, end: lastScanHeight }], 3: [] },
  verified: [{ start: 1, end: lastScanHeight / 2 }],
  floors: { 0: 1 },
  lastScanHeight,
  exportedScanHeight: lastScanHeight - 1,
  exportCount: lastScanHeight % 7,
  confirmedUpTo: lastScanHeight - 2,
});

/** Memos in hexadecimal, to be compared. */
type Shown<T extends { readonly memo: Memo | null }> = Omit<T, 'memo'> & { readonly memo: string | null };

const shown = <T extends { readonly memo: Memo | null }>(entries: readonly T[]): Shown<T>[] =>
  entries.map((entry) => ({
    ...entry,
    memo: entry.memo === null ? null : Buffer.from(entry.memo.read()).toString('hex'),
  }));

/** All that a store holds. */
export interface NoteStoreSnapshot {
  readonly state: NoteStoreState | undefined;
  readonly notes: readonly Shown<StoredNote>[];
  readonly sentOutputs: readonly Shown<StoredSentOutput>[];
  readonly transactions: readonly StoredTransaction[];
  readonly blocks: readonly StoredBlock[];
}

export function loaded(store: NoteDatabase): NoteStoreSnapshot {
  const slices = [...store.load()];
  return {
    state: slices.find((slice) => slice.state !== undefined)?.state,
    notes: shown(slices.flatMap((slice) => slice.notes ?? [])),
    sentOutputs: shown(slices.flatMap((slice) => slice.sentOutputs ?? [])),
    transactions: slices.flatMap((slice) => slice.transactions ?? []),
    blocks: slices.flatMap((slice) => slice.blocks ?? []),
  };
}

const sorted = <T>(entries: readonly T[]): T[] =>
  [...entries].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Snapshot in an order of its own, for comparing. */
export const ordered = (snapshot: NoteStoreSnapshot): NoteStoreSnapshot => ({
  state: snapshot.state,
  notes: sorted(snapshot.notes),
  sentOutputs: sorted(snapshot.sentOutputs),
  transactions: sorted(snapshot.transactions),
  blocks: snapshot.blocks,
});

/** The obvious note store: maps in memory, same rules. */
export class NoteStoreModel {
  #state: NoteStoreState | undefined;
  readonly #notes = new Map<string, StoredNote>();
  readonly #sent = new Map<string, StoredSentOutput>();
  readonly #transactions = new Map<string, StoredTransaction>();
  readonly #blocks = new Map<number, StoredBlock>();
  readonly #kept = new Map<string, NullifierSighting>();

  commit(change: NoteStoreChange): void {
    if (change.clear === true) this.#clear();
    this.#state = change.state;
    const key = (entry: StoredNote | StoredSentOutput): string =>
      [entry.txid, entry.pool, entry.outputIndex, entry.account].join();
    for (const entry of change.deleteNotes ?? []) this.#notes.delete(key(entry));
    for (const entry of change.deleteSentOutputs ?? []) this.#sent.delete(key(entry));
    for (const entry of change.deleteTransactions ?? []) this.#transactions.delete(entry.txid);
    for (const height of change.deleteBlocks ?? []) this.#blocks.delete(height);
    const { deleteBlocksAbove: above } = change;
    for (const height of this.#blocks.keys()) {
      if (above !== undefined && height > above) this.#blocks.delete(height);
    }
    for (const { start, end } of change.deleteNullifiers ?? [])
      for (const [name, { height }] of this.#kept)
        if (height >= start && height <= end) this.#kept.delete(name);
    for (const entry of change.putNotes ?? []) this.#notes.set(key(entry), entry);
    for (const entry of change.putSentOutputs ?? []) this.#sent.set(key(entry), entry);
    for (const entry of change.putTransactions ?? []) this.#transactions.set(entry.txid, entry);
    for (const entry of change.putBlocks ?? []) this.#blocks.set(entry.height, entry);
    for (const entry of change.sightings ?? []) this.#kept.set(nullifierName(entry), entry);
  }

  #clear(): void {
    this.#state = undefined;
    for (const map of [this.#notes, this.#sent, this.#transactions, this.#blocks, this.#kept]) map.clear();
  }

  find(wanted: Pick<NullifierSighting, 'pool' | 'nullifier'>): NullifierSighting | undefined {
    return this.#kept.get(nullifierName(wanted));
  }

  snapshot(): NoteStoreSnapshot {
    return {
      state: this.#state,
      notes: shown([...this.#notes.values()]),
      sentOutputs: shown([...this.#sent.values()]),
      transactions: [...this.#transactions.values()],
      blocks: [...this.#blocks.values()].sort((a, b) => a.height - b.height),
    };
  }
}

const nullifierName = ({ pool, nullifier }: Pick<NullifierSighting, 'pool' | 'nullifier'>): string =>
  `${pool} ${Buffer.from(nullifier).toString('hex')}`;
