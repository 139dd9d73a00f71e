// The bounds of what a session keeps of a mempool, and that what found no place is looked at again when there is one.

import { asTxId } from '@wallet-companion/zcash/identifiers';
import type { ReadUnmined } from '@wallet-companion/zcash/scan';
import test from 'ava';
import { boundedSum } from '../../../../src/actors/wallet/mempool/mempoolWatch.ts';
import {
  UNMINED_LIMITS,
  UnminedBook,
  type UnminedLimits,
} from '../../../../src/actors/wallet/mempool/unminedBook.ts';

const EMPTY_STORE = {
  tables: { notes: { madeIn: () => [], spentIn: () => [] } },
  byNullifier: () => undefined,
  lastScanHeight: 10,
  scannedTop: () => 10,
  missing: () => [],
} as unknown as ConstructorParameters<typeof UnminedBook>[0];

const idOf = (n: number) => asTxId(new Uint8Array(32).fill(n));
const paying = (notes: number, nullifiers = 0): ReadUnmined => ({
  expiryHeight: 0,
  notes: Array.from({ length: notes }, (_, outputIndex) => ({
    pool: 'ironwood' as const,
    account: 0,
    scope: 'external' as const,
    value: 5,
    height: 11,
    txid: idOf(0),
    txIndex: 0,
    outputIndex,
    position: 0,
    nullifier: null,
    diversifier: new Uint8Array(11),
    diversifierIndex: 0n,
    memo: null,
  })),
  nullifiers: [{ pool: 'ironwood', txIndex: 0, txid: idOf(0), nullifiers: new Uint8Array(32 * nullifiers) }],
});
const bookWith = (limits: Partial<UnminedLimits>) =>
  new UnminedBook(EMPTY_STORE, { ...UNMINED_LIMITS, ...limits });

test('no more is kept than the limits allow', (t) => {
  for (const [limits, first] of [
    [{ transactions: 1 }, paying(1)],
    [{ notes: 3 }, paying(3)],
    [{ nullifiers: 4 }, paying(1, 4)],
  ] as const) {
    const book = bookWith(limits);
    t.truthy(book.add(idOf(1), first, 0, 10));
    t.false(book.isOverfull);
    t.is(book.add(idOf(2), paying(1, 1), 0, 10), undefined);
    t.true(book.isOverfull);
    t.is(book.unmined.length, 1);
  }
});

test('known ones are bounded too, and those that are gone make room', (t) => {
  const book = bookWith({ known: 2 });
  for (const n of [1, 2, 3]) book.add(idOf(n), null, 0, 10);
  t.is(book.known.length, 2);
  t.is(book.room, 0);
  t.true(book.isOverfull);
  book.listed(book.known, new Set([0]), 10);
  t.is(book.room, 1);
});

test('what found no place is looked at again when there is room', (t) => {
  const book = bookWith({ transactions: 1 });
  book.add(idOf(1), paying(1), 0, 10);
  book.add(idOf(2), paying(1), 0, 10);
  book.listed(book.known, new Set([0]), 10);
  t.deepEqual(
    book.settle().map(({ reason }) => reason),
    ['dropped'],
  );
  t.false(book.isOverfull);
  t.deepEqual(book.known, []);
});

test('a flood of made-up coins adds up to no more than there are', (t) => {
  t.is(boundedSum(Array.from({ length: 2_000 }, () => 2_100_000_000_000_000)), 2_100_000_000_000_000);
  t.is(boundedSum([1, 2]), 3);
});
