import assert from 'node:assert/strict';
import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import { PaymentBook } from '../../../../src/actors/wallet/payments/book/paymentBook.ts';
import { ScanHeight } from '../../../../src/actors/wallet/sync/scanHeight.ts';
import { madeUpPayment } from '../../../helpers/madeUpPayment.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';

const BIRTHDAY = 100;
const ACCOUNTS = [{ index: 0, birthdayHeight: BIRTHDAY }];
const header = { createdAt: 'then', birthdayHeight: BIRTHDAY };

const blockAt = (height: number) => ({
  height,
  hash: asBlockHash(new Uint8Array(32).fill(height)),
  prevHash: asBlockHash(new Uint8Array(32).fill(height - 1)),
  time: 0,
  treeSizes: EMPTY_TREES,
  outputCount: 0,
  notes: [],
  nullifiers: [],
});

function scanHeightBed() {
  let config: object = { last_scan_height: null, last_scan_wallet: null, last_scan_writes: null };
  const configFile = {
    get: () => config,
    update: async (changes: object) => {
      config = { ...config, ...changes };
    },
  };
  const walletFile = { exists: () => true };
  const scanHeight = new ScanHeight({ configFile, walletFile, logFault: assert.fail } as never);
  return { config: () => config, edit: configFile.update, scanHeight };
}

/** A process that ended when config.json knew of the last commit, and the note store not that it does. */
async function endedBetween() {
  const { config, edit, scanHeight } = scanHeightBed();
  const store = new MemoryNoteDatabase();
  const open = () => new NoteStore(store, ACCOUNTS, BIRTHDAY);
  const noteStore = open();
  for (const height of [BIRTHDAY, BIRTHDAY + 1, BIRTHDAY + 2]) {
    noteStore.apply([blockAt(height)]);
    await scanHeight.export({ noteStore, header } as never, 'later');
  }
  const reopened = open();
  const payments = new PaymentBook(() => store);
  const scanKeys = { heights: { sapling: 1 } };
  const match = () => scanHeight.match({ noteStore: reopened, header, payments, scanKeys } as never);
  return { config, edit, reopened, match };
}

test('a process that ends before the note store knows what config.json says is no edit', async (t) => {
  const { config, reopened, match } = await endedBetween();
  t.deepEqual([reopened.exportedScanHeight, reopened.exportCount], [BIRTHDAY + 1, 2]);
  t.like(config(), { last_scan_height: BIRTHDAY + 2, last_scan_writes: 3 });
  await match();
  t.is(reopened.lastScanHeight, BIRTHDAY + 2);
  t.deepEqual([reopened.exportedScanHeight, reopened.exportCount], [BIRTHDAY + 2, 3]);
  t.deepEqual(reopened.missing(), []);
});

test('what a person writes after that is followed where it scans again, and never skips', async (t) => {
  for (const [written, expected] of [
    [BIRTHDAY, BIRTHDAY],
    [BIRTHDAY + 9, BIRTHDAY + 2],
  ] as const) {
    const { edit, reopened, match } = await endedBetween();
    await edit({ last_scan_height: written });
    await match();
    t.is(reopened.lastScanHeight, expected);
    t.deepEqual(reopened.missing(), []);
  }
});

test('two data directories that share a config.json do not take the count of each other', async (t) => {
  const { config, scanHeight } = scanHeightBed();
  const stores = { one: new MemoryNoteDatabase(), two: new MemoryNoteDatabase() };
  const unlock = async (name: keyof typeof stores) => {
    const noteStore = new NoteStore(stores[name], ACCOUNTS, BIRTHDAY);
    const payments = new PaymentBook(() => stores[name]);
    await scanHeight.match({ noteStore, header: { ...header, createdAt: name }, payments } as never);
    t.is(payments.missingUntil, undefined);
    return payments;
  };
  const payments = await unlock('one');
  for (const i of [1, 2, 3]) await payments.put(madeUpPayment(i));
  t.like(config(), { payment_writes: { count: 3, until: madeUpPayment(1).lastHeight } });
  await (await unlock('two')).put(madeUpPayment(1));
  t.like(config(), { last_scan_wallet: 'two', payment_writes: { count: 1 } });
  await unlock('one');
  t.like(config(), { last_scan_wallet: 'one', payment_writes: { count: 3 } });
});
