// Two keys that share a part see the same notes: the second one is refused, and where it is there each note counts once.

import { encodeUnifiedViewingKey, parseViewingKey } from '@wallet-companion/zcash/addresses';
import { toIncomingViewingKeys } from '@wallet-companion/zcash/keys';
import { networkParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import type { NoteStoreSlice } from '../../../src/actors/wallet/ports/noteDatabase.ts';
import { createNoteDatabases } from '../../../src/storage/notes/noteDatabase.ts';
import { createWalletFile } from '../../../src/storage/wallet/walletFile.ts';
import { CHEAP_KDF } from '../../helpers/cheapKdf.ts';
import { readKnownSeed, startKnownSeedNode } from '../../helpers/knownSeed.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { PASSWORD, seededRandom, startWallet } from '../../helpers/walletHarness.ts';

const seed = readKnownSeed('main');
const params = networkParameters('main');
const full = parseViewingKey(seed.accounts[0]!.ufvk, params);
const incoming = full.kind === 'full' ? toIncomingViewingKeys(full) : full;
const KEYS = { full, incoming } as const;
const text = (kind: 'full' | 'incoming', part?: 'sapling' | 'orchard'): string => {
  const { sapling, orchard, ...rest } = KEYS[kind];
  const parts = part === undefined ? { sapling, orchard } : part === 'sapling' ? { sapling } : { orchard };
  return encodeUnifiedViewingKey({ ...rest, ...parts } as typeof full, params);
};

async function start(t: ExecutionContext, folder = temporaryFolder(t)) {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const wallet = await startWallet(t, { folder, config: { network: 'main', node_url: node.url } });
  t.teardown(() => wallet.stop());
  return wallet;
}

const birthday = { password: PASSWORD, birthday_height: seed.firstHeight };

test('a key that has a part of an account, or more than it, is refused, and the account named', async (t) => {
  for (const [has, given, says] of [
    [text('incoming'), text('incoming', 'sapling'), /account 0 .*part/],
    [text('full'), text('full', 'sapling'), /account 0 .*part/],
    [text('full'), text('full', 'orchard'), /account 0 .*part/],
    [text('full'), text('incoming', 'orchard'), /account 0 .*part/],
    [text('full', 'sapling'), text('full'), /account 0 .*more/],
    [text('incoming'), text('full'), /account 0 .*more/],
  ] as const) {
    const wallet = await start(t);
    await wallet.call('wallet.import_viewing_key', { viewing_key: has, ...birthday });
    const answer = await wallet.link.dispatch(
      'accounts.import_viewing_key',
      { viewing_key: given, account_index: 5, ...birthday },
      { requestId: 'r' },
    );
    if (answer.ok) throw new Error('it was taken');
    t.is(answer.error.code, 'INVALID_REQUEST');
    t.regex(answer.error.errors?.[0]?.message ?? '', says);
    await wallet.call('accounts.import_viewing_key', {
      viewing_key: seed.accounts[1]![has === text('incoming') ? 'uivk' : 'ufvk'],
      account_index: 1,
      ...birthday,
    });
    t.deepEqual((await wallet.call('sync.status')).shared_accounts, []);
    await wallet.stop();
  }
});

for (const kind of ['full', 'incoming'] as const)
  test(`${kind}: a wallet that has two such accounts counts each note once`, async (t) => {
    const folder = temporaryFolder(t);
    const before = await start(t, folder);
    await before.call('wallet.import_viewing_key', { viewing_key: text(kind), ...birthday });
    await before.call('sync.run');
    const balance = await before.call('balance.get');
    const { transactions } = await before.call('transactions.list');
    await before.stop();

    const random = seededRandom(t.title);
    const file = createWalletFile({ dataDir: folder, randomBytes: random, kdf: CHEAP_KDF });
    const { book, masterKey } = await file.open(new TextEncoder().encode(PASSWORD));
    const [account] = book.accounts;
    const second = { ...account!, index: 1, viewingKey: text(kind, 'sapling') };
    await file.replaceBook(masterKey, { ...book, accounts: [account!, second] });
    const store = createNoteDatabases({ dataDir: folder, randomBytes: random }).open(masterKey);
    const slices: NoteStoreSlice[] = [...store.load()];
    const sapling = slices.flatMap(({ notes = [] }) => notes).filter(({ pool }) => pool === 'sapling');
    t.true(sapling.length > 0);
    const state = slices.find((slice) => slice.state !== undefined)!.state!;
    // As earlier programs left it: a note without a nullifier twice, one with a nullifier moved.
    const moved = sapling.map((note) => ({ ...note, account: 1 }));
    const scanned = { ...state.scanned, 1: state.scanned[0]! };
    store.commit({
      state: { ...state, scanned, floors: { ...state.floors, 1: seed.firstHeight } },
      putNotes: moved,
      ...(kind === 'full' && { deleteNotes: sapling }),
    });
    store.close();

    const wallet = await start(t, folder);
    await wallet.call('wallet.unlock', { password: PASSWORD });
    t.deepEqual((await wallet.call('sync.status')).shared_accounts, [1]);
    const sums = async () => {
      const { total_zatoshi, note_count } = await wallet.call('balance.get');
      const shown = (await wallet.call('transactions.list')).transactions;
      return { total_zatoshi, note_count, received: shown.map((one) => one.received_zatoshi) };
    };
    const right = {
      total_zatoshi: balance.total_zatoshi,
      note_count: balance.note_count,
      received: transactions.map((one) => one.received_zatoshi),
    };
    t.deepEqual(await sums(), right);
    await wallet.call('wallet.rescan');
    await wallet.call('sync.run');
    t.deepEqual(await sums(), right);
    t.is((await wallet.call('balance.get', { account: 1 })).note_count, 0);
    t.deepEqual(wallet.faults, []);
  });
