// Prepared payments in the note store: sealed, vouched for, and there whatever happens to what was scanned.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import type { NoteDatabase } from '../../../src/actors/wallet/ports/noteDatabase.ts';
import type { StoredPayment } from '../../../src/actors/wallet/ports/payment.ts';
import { madeUpKey, madeUpPayment } from '../../helpers/madeUpPayment.ts';
import { MASTER_KEY, noteDatabases, state } from './support/noteDatabase.ts';

const DISCARDED = { kind: 'discarded', at: 77, refused: null } as const;

const NEXT_KEY = new Uint8Array(32).fill(8);

const open = (folder: string, key = MASTER_KEY): NoteDatabase => noteDatabases(folder).open(key);

const byId = (payments: readonly StoredPayment[]): StoredPayment[] =>
  [...payments].sort((a, b) => (a.id < b.id ? -1 : 1));

function onDisk(folder: string, statement: string): Record<string, unknown>[] {
  const database = openDatabase(path.join(folder, 'ledger.db'));
  const rows = database.prepare(statement).all();
  database.close();
  return rows;
}

function changeOnDisk(folder: string, statement: string): void {
  const database = openDatabase(path.join(folder, 'ledger.db'));
  database.exec(statement);
  database.close();
}

test('payments come back as they were kept', (t) => {
  const folder = temporaryFolder(t);
  let store = open(folder);
  store.commit({ state: state(100) });
  t.deepEqual(store.payments(), []);
  t.is(store.paymentWrites, 0);
  for (const i of [1, 2, 3]) store.putPayment(madeUpPayment(i), 1);
  store.putPayment(madeUpPayment(2, { state: DISCARDED }), 1);
  store.deletePayment(madeUpPayment(3).id, 5);
  t.is(store.paymentWrites, 5);
  const kept = [madeUpPayment(1), madeUpPayment(2, { state: DISCARDED })];
  t.deepEqual(byId(store.payments()), byId(kept));
  store.close();
  store = open(folder);
  t.deepEqual(byId(store.payments()), byId(kept));
  for (const { pczt } of store.payments()) t.is(pczt.byteLength, pczt.buffer.byteLength);
  store.close();
});

test('nothing of them is in clear, and rows are of the same size whatever is in them', (t) => {
  const folder = temporaryFolder(t);
  const store = open(folder);
  const payment = madeUpPayment(1, { pczt: new TextEncoder().encode('PCZT of somebody') });
  store.putPayment(payment, 1);
  store.putPayment(madeUpPayment(2, { pczt: new Uint8Array(9_000), notes: [] }), 1);
  store.close();
  const sizes = onDisk(folder, 'SELECT DISTINCT length(sealed) AS size FROM payments');
  t.is(sizes.length, 1);
  const file = readFileSync(path.join(folder, 'ledger.db')).toString('latin1');
  for (const clear of [payment.id, payment.txid, 'PCZT of', 'pczt', payment.payments[0]!.address]) {
    t.false(file.includes(clear), clear);
  }
});

test('a rescan and a reorganisation leave them', (t) => {
  const store = open(temporaryFolder(t));
  store.commit({ state: state(100) });
  store.putPayment(madeUpPayment(1), 1);
  store.commit({ state: state(50), deleteBlocksAbove: 50 });
  store.commit({ state: state(0), clear: true });
  t.deepEqual(store.payments(), [madeUpPayment(1)]);
  store.close();
});

test('a change of password takes them along', (t) => {
  const folder = temporaryFolder(t);
  const store = open(folder);
  store.commit({ state: state(100) });
  for (const i of [1, 2]) store.putPayment(madeUpPayment(i), i);
  for (const _ of store.reseal(NEXT_KEY));
  store.close();
  const next = open(folder, NEXT_KEY);
  t.is(next.paymentWrites, 2);
  t.deepEqual(byId(next.payments()), byId([madeUpPayment(1), madeUpPayment(2)]));
  next.putPayment(madeUpPayment(3), 1);
  t.is(next.payments().length, 3);
  next.close();
});

async function damaged(t: ExecutionContext, statement: string): Promise<void> {
  const folder = temporaryFolder(t);
  let store = open(folder);
  store.commit({ state: state(100) });
  for (const i of [1, 2]) store.putPayment(madeUpPayment(i), 1);
  store.close();
  changeOnDisk(folder, 'CREATE TABLE before AS SELECT * FROM payments');
  store = open(folder);
  store.putPayment(madeUpPayment(2, { state: DISCARDED }), 1);
  store.close();
  changeOnDisk(folder, statement);
  store = open(folder);
  // What was scanned is there all the same.
  t.deepEqual([...store.load()][0]?.state?.lastScanHeight, 100);
  await failureOf(t, 'WALLET_CORRUPT', () => store.payments());
  store.close();
}

test('a payment that is missing is noticed', damaged, 'DELETE FROM payments WHERE rowid = 1');
test(
  'one that came back in an older version is noticed',
  damaged,
  'REPLACE INTO payments SELECT * FROM before',
);
test('one that is damaged is noticed', damaged, "UPDATE payments SET sealed = x'00' WHERE rowid = 1");
test('what vouches for them is missed', damaged, 'DELETE FROM payments_head');

const keyOf = (i: number) => ({ key: `order-${i}`, row: madeUpKey(madeUpPayment(i)) });

test('a key is written with its payment or not at all, stays when the payment goes, and is nowhere in clear', (t) => {
  const folder = temporaryFolder(t);
  let store = open(folder);
  store.commit({ state: state(100) });
  t.is(store.keyedPayment('order-1'), undefined);
  store.putPayment(madeUpPayment(1), 1, keyOf(1));
  t.throws(() => store.putPayment({ ...madeUpPayment(2), fee: 1n as unknown as number }, 2, keyOf(2)));
  t.is(store.keyedPayment('order-2'), undefined);
  store.putPayment(madeUpPayment(3), 2, keyOf(3));
  store.deletePayment(madeUpPayment(3).id, 3, { key: 'order-3', row: null });
  const last = { ...keyOf(1).row, last: 'mined' } as const;
  store.deletePayment(madeUpPayment(1).id, 4, { key: 'order-1', row: last });
  store.commit({ state: state(0), clear: true });
  for (const _ of store.reseal(NEXT_KEY));
  store.close();
  store = open(folder, NEXT_KEY);
  t.deepEqual(
    ['order-1', 'order-2', 'order-3'].map((key) => store.keyedPayment(key)),
    [last, undefined, undefined],
  );
  store.putPayment(madeUpPayment(4), 5, { ...keyOf(4), row: { ...keyOf(4).row, last: 'conflicted' } });
  store.close();
  t.is(onDisk(folder, 'SELECT DISTINCT length(sealed) AS size FROM idempotency_keys').length, 1);
  const file = readFileSync(path.join(folder, 'ledger.db')).toString('latin1');
  for (const clear of ['order-1', last.digest, last.payment.txid]) t.false(file.includes(clear), clear);
});

for (const [what, statement] of [
  ['has gone', 'DELETE FROM idempotency_keys WHERE rowid = 2'],
  ['came back in an older version', 'REPLACE INTO idempotency_keys SELECT * FROM before'],
  ['is damaged', 'UPDATE idempotency_keys SET sealed = zeroblob(30) || substr(sealed, 31)'],
] as const) {
  test(`no key counts as free when one ${what}`, async (t) => {
    const folder = temporaryFolder(t);
    let store = open(folder);
    store.commit({ state: state(100) });
    for (const i of [1, 2]) store.putPayment(madeUpPayment(i), i, keyOf(i));
    store.close();
    changeOnDisk(folder, 'CREATE TABLE before AS SELECT * FROM idempotency_keys');
    store = open(folder);
    store.deletePayment(madeUpPayment(1).id, 3, { key: 'order-1', row: { ...keyOf(1).row, last: 'mined' } });
    store.close();
    changeOnDisk(folder, statement);
    store = open(folder);
    await failureOf(t, 'WALLET_CORRUPT', () => store.keyedPayment('order-1'));
    store.close();
  });
}

test('a write that fails leaves what was there, and the next one works', (t) => {
  const folder = temporaryFolder(t);
  const store = open(folder);
  store.commit({ state: state(100) });
  const failing = { ...madeUpPayment(1), fee: 1n as unknown as number };
  t.throws(() => store.putPayment(failing, 1));
  t.deepEqual(store.payments(), []);
  store.putPayment(madeUpPayment(1), 1);
  t.throws(() => store.putPayment(failing, 1));
  t.deepEqual(store.payments(), [madeUpPayment(1)]);
  store.putPayment(madeUpPayment(2), 1);
  t.is(store.payments().length, 2);
  store.close();
});
