// A wallet whose store takes long to load: others have their turn meanwhile, and a load that fails leaves nothing open.

import test from 'ava';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import type {
  NoteDatabase,
  NoteDatabases,
  NoteStoreSlice,
} from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { createNoteDatabases } from '../../../../src/storage/notes/noteDatabase.ts';
import { temporaryFolder } from '../../../helpers/temporaryFolder.ts';
import { PASSWORD, seededRandom, startWallet } from '../../../helpers/walletHarness.ts';
import { note, state, transaction } from '../../../storage/notes/support/noteDatabase.ts';

const MASTER_KEY = new Uint8Array(32).fill(7);
const config = { network: 'regtest', node_url: 'http://127.0.0.1:9' } as const;

/** Stores whose load is watched: `between` runs before each slice but the first. */
const watched =
  (between: (opened: { store: NoteDatabase; masterKey: Uint8Array }) => void) =>
  (stores: NoteDatabases): NoteDatabases => ({
    open: (masterKey) => {
      const store = stores.open(masterKey);
      const load = function* (): IterableIterator<NoteStoreSlice> {
        let count = 0;
        for (const slice of store.load()) {
          if (count++ > 0) between({ store, masterKey });
          yield slice;
        }
      };
      return new Proxy(store, {
        get: (target, name) => {
          if (name === 'load') return load;
          const member = Reflect.get(target, name, target);
          return typeof member === 'function' ? member.bind(target) : member;
        },
      });
    },
    dropResealed: () => stores.dropResealed(),
    retire: () => stores.retire(),
  });

test('a note store is loaded in slices of bounded size, with a pause after each', async (t) => {
  const store = createNoteDatabases({
    dataDir: temporaryFolder(t),
    randomBytes: seededRandom(t.title),
  }).open(MASTER_KEY);
  const count = 2_300;
  store.commit({
    state: state(count),
    putNotes: Array.from({ length: count }, (_, i) => note(i)),
    putTransactions: Array.from({ length: count }, (_, i) => transaction(i)),
  });
  let slices = 0;
  // The first load opens every row, the next ones find them summarised.
  for (let load = 0; load < 2; load++) {
    const sizes = [...store.load()].map(
      ({ notes = [], transactions = [], sentOutputs = [] }) =>
        notes.length + transactions.length + sentOutputs.length,
    );
    t.true(Math.max(...sizes) <= 1_500, `${Math.max(...sizes)} rows in one slice`);
    t.is(
      sizes.reduce((sum, size) => sum + size, 0),
      2 * count,
    );
    slices = sizes.length;
  }
  let pauses = 0;
  const noteStore = await NoteStore.open(store, [{ index: 0, birthdayHeight: 1 }], 1, async () => {
    pauses++;
  });
  t.is(pauses, slices);
  t.is([...noteStore.notes].length, count);
  noteStore.close();
});

test('other messages are answered while a wallet loads, and it counts as locked until it is there', async (t) => {
  const answers: boolean[] = [];
  const seenBetween: number[] = [];
  const wallet = await startWallet(t, {
    config,
    noteDatabases: watched(() => {
      seenBetween.push(answers.length);
      // As a message from another thread does, it comes when the event loop turns.
      setImmediate(() => void wallet.call('wallet.status').then(({ unlocked }) => answers.push(unlocked)));
    }),
  });
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 5 });
  await wallet.call('wallet.lock');
  seenBetween.length = 0;
  answers.length = 0;
  await wallet.call('wallet.unlock', { password: PASSWORD });
  t.true((await wallet.call('wallet.status')).unlocked);
  t.true(answers.length > 0);
  t.deepEqual(new Set(answers), new Set([false]));
  // What was asked before a slice had its answer before the next one.
  t.deepEqual(
    seenBetween,
    seenBetween.map((_, i) => i),
  );
});

test('a load that fails half-way closes the store and wipes the key; the next unlock starts anew', async (t) => {
  let damaged = false;
  const opened: { store: NoteDatabase; masterKey: Uint8Array }[] = [];
  const wallet = await startWallet(t, {
    config,
    noteDatabases: watched((current) => {
      if (!damaged) return;
      opened.push(current);
      throw new CompanionError('WALLET_CORRUPT', 'The note store is damaged.');
    }),
  });
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 5 });
  await wallet.call('wallet.lock');
  damaged = true;
  t.is(await wallet.failure('wallet.unlock', { password: PASSWORD }), 'WALLET_CORRUPT');
  t.false((await wallet.call('wallet.status')).unlocked);
  t.is(await wallet.failure('balance.get'), 'WALLET_LOCKED');
  t.is(opened.length, 1);
  t.true(opened[0]!.masterKey.every((byte) => byte === 0));
  t.throws(() => opened[0]!.store.commit({ state: state(1) }), undefined, 'the store is closed');
  damaged = false;
  t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
});

test('a lock that is asked for while a wallet loads takes effect when it is there', async (t) => {
  let locking: Promise<unknown> | undefined;
  const wallet = await startWallet(t, {
    config,
    noteDatabases: watched(() => {
      locking ??= asked ? wallet.call('wallet.lock') : undefined;
    }),
  });
  let asked = false;
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 5 });
  await wallet.call('wallet.lock');
  asked = true;
  await wallet.call('wallet.unlock', { password: PASSWORD });
  await locking;
  t.not(locking, undefined);
  t.false((await wallet.call('wallet.status')).unlocked);
});
