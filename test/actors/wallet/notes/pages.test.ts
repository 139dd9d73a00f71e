// Pages of notes and transactions against the obvious way: everything listed, sorted by its key as text, and cut.

import { runs } from '@wallet-companion/base/test/atLength';
import { asTxIdHex, type TxIdHex } from '@wallet-companion/zcash/identifiers';
import { networkParameters } from '@wallet-companion/zcash/network';
import { POOLS } from '@wallet-companion/zcash/pools';
import test from 'ava';
import fc from 'fast-check';
import {
  GroupIndex,
  IndexedMap,
  SortedIndex,
} from '../../../../src/actors/wallet/noteStore/book/indexedMap.ts';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import { notesView, transactionsView } from '../../../../src/actors/wallet/noteViews/views.ts';
import type {
  StoredSentOutput,
  StoredTransaction,
} from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import type { StoredNote } from '../../../../src/actors/wallet/ports/storedNote.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';
import { note, sentOutput, state } from '../../../storage/notes/support/noteDatabase.ts';

const PARAMS = networkParameters('regtest', {});
const HEIGHTS = 12;

interface Entry {
  readonly height: number;
  readonly txIndex: number;
}

const txidOf = ({ height, txIndex }: Entry): TxIdHex =>
  asTxIdHex(`${(height * 7919 + txIndex).toString(16).padStart(8, '0')}${'ab'.repeat(28)}`);

const place = fc.record({ height: fc.integer({ min: 1, max: HEIGHTS }), txIndex: fc.nat(40) });
const notes: fc.Arbitrary<StoredNote[]> = fc
  .uniqueArray(
    fc.record({
      at: place,
      pool: fc.constantFrom(...POOLS),
      outputIndex: fc.nat(40),
      account: fc.constantFrom(0, 1, 2, 10, 21),
      value: fc.nat(1000),
      spent: fc.option(place),
    }),
    {
      maxLength: 60,
      selector: ({ at, pool, outputIndex, account }) => JSON.stringify([at, pool, outputIndex, account]),
    },
  )
  .map((list) =>
    list.map(({ at, pool, outputIndex, account, value, spent }, i) =>
      note(i, {
        ...at,
        txid: txidOf(at),
        pool,
        outputIndex,
        account,
        value,
        spent: spent === null ? null : { ...spent, txid: txidOf(spent) },
      }),
    ),
  );
const sentOutputs: fc.Arbitrary<StoredSentOutput[]> = fc
  .uniqueArray(fc.record({ at: place, i: fc.nat(8), account: fc.constantFrom(0, 2) }), {
    maxLength: 10,
    selector: ({ at, i, account }) => JSON.stringify([at, i % 3, i % 4, account]),
  })
  .map((list) =>
    list.map(({ at, i, account }) => ({ ...sentOutput(i), height: at.height, txid: txidOf(at), account })),
  );

/** Every transaction that something above names, and some that nothing does. */
function transactionsOf(
  made: readonly StoredNote[],
  sent: readonly StoredSentOutput[],
  others: readonly Entry[],
): StoredTransaction[] {
  const places = new Map<TxIdHex, Entry>(others.map((at) => [txidOf(at), at]));
  for (const { txid, height, txIndex, spent } of made) {
    places.set(txid, { height, txIndex });
    if (spent !== null) places.set(spent.txid, spent);
  }
  const known = [...places].map(([txid, { height, txIndex }]) => ({ txid, height, txIndex }));
  const ofSent = sent
    .filter(({ txid }) => !places.has(txid))
    .map(({ txid, height }) => ({ txid, height, txIndex: 0 }));
  return [...known, ...new Map(ofSent.map((entry) => [entry.txid, entry])).values()].map((entry) => ({
    ...entry,
    time: 1_700_000_000,
    complete: true,
  }));
}

const text = (height: number, txIndex: number, ...rest: readonly (string | number)[]): string =>
  [...[height, txIndex].map((n) => n.toString(36).padStart(8, '0')), ...rest].join('.');
const noteText = (entry: StoredNote): string =>
  text(
    entry.height,
    entry.txIndex,
    POOLS.indexOf(entry.pool),
    entry.outputIndex.toString(36).padStart(4, '0'),
    entry.account,
  );

/** Pages as they were always cut. */
function naivePages<T>(entries: readonly T[], keyOf: (entry: T) => string, limit: number) {
  const keyed = entries.map((entry) => ({ key: keyOf(entry), entry }));
  keyed.sort((a, b) => (a.key < b.key ? 1 : -1));
  const pages: { entries: T[]; cursor: string | null }[] = [];
  for (let start = 0; start === 0 || start < keyed.length; start += limit) {
    const page = keyed.slice(start, start + limit);
    const isLast = start + limit >= keyed.length;
    const cursor = isLast ? null : Buffer.from(page.at(-1)!.key).toString('base64url');
    pages.push({ entries: page.map(({ entry }) => entry), cursor });
  }
  return pages;
}

function allPages<T>(read: (cursor: string | undefined) => { entries: readonly T[]; cursor: string | null }) {
  const pages = [read(undefined)];
  for (let cursor = pages[0]!.cursor; cursor !== null; cursor = pages.at(-1)!.cursor) {
    pages.push(read(cursor));
    if (pages.length > 200) throw new Error('the pages do not end');
  }
  return pages;
}

const query = fc.record({
  limit: fc.integer({ min: 1, max: 20 }),
  account: fc.constantFrom(undefined, 0, 2, 10, 5),
  pool: fc.constantFrom(undefined, ...POOLS),
  unspent: fc.constantFrom(undefined, true, false),
});

test('pages of notes and transactions are the naive ones, before and after the chain moves', (t) => {
  fc.assert(
    fc.property(
      notes,
      sentOutputs,
      fc.array(place, { maxLength: 3 }),
      query,
      fc.integer({ min: 0, max: HEIGHTS }),
      (made, sent, others, { limit, account, pool, unspent }, height) => {
        const store = new MemoryNoteDatabase();
        const putTransactions = transactionsOf(made, sent, others);
        store.commit({ state: state(HEIGHTS), putNotes: made, putSentOutputs: sent, putTransactions });
        const noteStore = new NoteStore(store, [{ index: 0, birthdayHeight: 1 }], 1);
        const compare = (): void => {
          const current = new NoteStore(store, [{ index: 0, birthdayHeight: 1 }], 1);
          const isOurs = (entry: { account: number }) => account === undefined || entry.account === account;
          const wantedNotes = [...current.notes].filter(
            (entry) =>
              isOurs(entry) &&
              (pool === undefined || entry.pool === pool) &&
              (unspent !== true || entry.spent === null),
          );
          const identity = ({ txid, pool: p, outputIndex, account: a }: StoredNote) =>
            [txid, p, outputIndex, a].join();
          t.deepEqual(
            allPages((cursor) => {
              const view = notesView(noteStore, { limit, account, pool, unspent, cursor });
              const entries = view.notes.map((n) =>
                [n.txid, n.pool, n.output_index, n.account, n.value_zatoshi, n.spent?.txid].join(),
              );
              return { entries, cursor: view.next_cursor };
            }),
            naivePages(wantedNotes, noteText, limit).map(({ entries, cursor }) => ({
              entries: entries.map((n) => [identity(n), n.value, n.spent?.txid].join()),
              cursor,
            })),
          );
          const sumOf = (list: readonly StoredNote[]) => list.reduce((sum, { value }) => sum + value, 0);
          const notesOfOurs = [...current.notes].filter(isOurs);
          const sentOfOurs = [...current.sentOutputs].filter(isOurs);
          const summed = [...current.transactions]
            .map((entry) => ({
              entry,
              received: notesOfOurs.filter(({ txid }) => txid === entry.txid),
              spent: notesOfOurs.filter((n) => n.spent?.txid === entry.txid),
              sent: sentOfOurs.filter(({ txid }) => txid === entry.txid),
            }))
            .filter(({ received, spent, sent: out }) => received.length + spent.length + out.length > 0);
          t.deepEqual(
            allPages((cursor) => {
              const view = transactionsView(noteStore, { limit, account, cursor }, PARAMS);
              const entries = view.transactions.map((entry) => [
                entry.txid,
                entry.received_zatoshi,
                entry.spent_zatoshi,
                entry.sent_outputs.length,
              ]);
              return { entries, cursor: view.next_cursor };
            }),
            naivePages(summed, ({ entry: e }) => text(e.height, e.txIndex, e.txid), limit).map(
              ({ entries, cursor }) => ({
                entries: entries.map(({ entry, received, spent, sent: out }) => [
                  entry.txid,
                  sumOf(received),
                  sumOf(spent),
                  out.length,
                ]),
                cursor,
              }),
            ),
          );
        };
        compare();
        noteStore.rewind(height);
        compare();
      },
    ),
    { numRuns: runs(30, 150) },
  );
});

test('a page that a cursor in between two entries asks for begins with the lower one', (t) => {
  const store = new MemoryNoteDatabase();
  const at = (height: number) =>
    note(height, { height, txIndex: 0, pool: 'orchard', outputIndex: 0, account: 0 });
  store.commit({ state: state(9), putNotes: [at(3), at(5), at(7)] });
  const noteStore = new NoteStore(store, [{ index: 0, birthdayHeight: 1 }], 1);
  const heightsBelow = (height: number) => {
    const cursor = Buffer.from(text(height, 0, 1, '0000', 0)).toString('base64url');
    return notesView(noteStore, { cursor }).notes.map((entry) => entry.height);
  };
  t.deepEqual([2, 3, 4, 6, 8].map(heightsBelow), [[], [], [3], [5, 3], [7, 5, 3]]);
});

test('indexes follow any sequence of changes, looked at or not', (t) => {
  interface Thing {
    readonly order: number;
    readonly group: string | undefined;
  }
  const change = fc.oneof(
    fc.record({
      key: fc.nat(15).map(String),
      value: fc.record({ order: fc.nat(9), group: fc.constantFrom(undefined, 'a', 'b') }),
    }),
    fc.record({ key: fc.nat(15).map(String), value: fc.constant('delete' as const) }),
    fc.record({ key: fc.constant(''), value: fc.constantFrom('clear' as const, 'look' as const) }),
  );
  const hasThose = (found: readonly Thing[], wanted: readonly Thing[]): boolean =>
    found.length === wanted.length && wanted.every((thing) => found.includes(thing));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const sorted = new SortedIndex<Thing>((a, b) => a.order - b.order);
      const groups = new GroupIndex<Thing>(({ group }) => group);
      const map = new IndexedMap<Thing>([sorted, groups]);
      const model = new Map<string, Thing>();
      const compare = (): void => {
        t.deepEqual([...map], [...model]);
        const all = [...model.values()];
        t.deepEqual(
          sorted.values.map(({ order }) => order),
          all.map(({ order }) => order).sort((a, b) => a - b),
        );
        t.true(hasThose(sorted.values, all));
        for (const name of ['a', 'b', 'c']) {
          t.true(
            hasThose(
              groups.of(name),
              all.filter(({ group }) => group === name),
            ),
          );
        }
      };
      for (const { key, value } of changes) {
        if (value === 'look') compare();
        else if (value === 'clear') {
          map.clear();
          model.clear();
        } else if (value === 'delete') t.is(map.delete(key), model.delete(key));
        else {
          map.set(key, value);
          model.set(key, value);
        }
      }
      compare();
    }),
    { numRuns: runs(60, 300) },
  );
});

test('no page looks at what lies above it: all pages together look at each entry a few times', (t) => {
  const store = new MemoryNoteDatabase();
  const count = 2_000;
  store.commit({
    state: state(count),
    putNotes: Array.from({ length: count }, (_, i) => note(i, { height: i })),
  });
  const noteStore = new NoteStore(store, [{ index: 0, birthdayHeight: 1 }], 1);
  let looks = 0;
  const counted = {
    ...noteStore,
    lastScanHeight: noteStore.lastScanHeight,
    scannedTop: () => noteStore.scannedTop(),
    verifiedAt: (height: number) => noteStore.verifiedAt(height),
    tables: {
      ...noteStore.tables,
      notes: {
        sorted: new Proxy(noteStore.tables.notes.sorted, {
          get: (target, name) => {
            if (typeof name === 'string' && /^\d+$/.test(name)) looks++;
            return Reflect.get(target, name);
          },
        }),
      },
    },
  } as unknown as NoteStore;
  const pages = allPages((cursor) => {
    const view = notesView(counted, { limit: 20, cursor });
    return { entries: view.notes, cursor: view.next_cursor };
  });
  t.is(pages.length, count / 20);
  t.true(looks < 4 * count, `${looks} looks`);
});
