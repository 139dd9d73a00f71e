import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { faultFields } from '@wallet-companion/client/contract';
import test from 'ava';
import { WALLET_FILE } from '../../../../src/storage/files/dataFiles.ts';
import { temporaryFolder } from '../../../helpers/temporaryFolder.ts';
import { VirtualClock } from '../../../helpers/virtualClock.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const MNEMONIC =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art';
const NOWHERE = 'http://127.0.0.1:9';
const config = { network: 'regtest', node_url: NOWHERE } as const;
const restore = { mnemonic: MNEMONIC, password: PASSWORD, birthday_height: 1000 };

test('create gives a phrase that restores the same wallet, and the phrase once only', async (t) => {
  const made = await startWallet(t, { config });
  const created = await made.call('wallet.create', { password: PASSWORD, birthday_height: 500 });
  t.is(created.mnemonic.split(' ').length, 24);
  t.is(created.birthday_height, 500);
  t.true((await made.call('wallet.status')).unlocked);
  t.is((await made.call('config.get')).last_scan_height, 499);
  t.is((await made.call('wallet.backup', { password: PASSWORD })).mnemonic, created.mnemonic);

  const again = await startWallet(t, { config });
  const restored = await again.call('wallet.restore', { mnemonic: created.mnemonic, password: 'another' });
  t.is(restored.unified_address, created.unified_address);
  t.is(restored.birthday_height, 1);
  t.regex(restored.warning ?? '', /birthday/);
});

test('word_count 12 gives twelve words', async (t) => {
  const wallet = await startWallet(t, { config });
  const { mnemonic } = await wallet.call('wallet.create', {
    password: PASSWORD,
    word_count: 12,
    birthday_height: 5,
  });
  t.is(mnemonic.split(' ').length, 12);
});

test('without a node the birthday is a known height, and the answer says so', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'main', node_url: NOWHERE } });
  const created = await wallet.call('wallet.create', { password: PASSWORD });
  t.is(created.birthday_height, 3_543_405);
  t.regex(created.warning ?? '', /source of blocks/);
});

test('an existing wallet is never replaced', async (t) => {
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', restore);
  const file = path.join(wallet.folder, WALLET_FILE);
  const before = readFileSync(file);
  t.is(await wallet.failure('wallet.create', { password: 'x' }), 'WALLET_EXISTS');
  t.is(await wallet.failure('wallet.restore', { ...restore, password: 'x' }), 'WALLET_EXISTS');
  t.deepEqual(readFileSync(file), before);
  t.is((await wallet.call('config.get')).last_scan_height, 999);
});

test('a wallet file that was moved away takes its session along before another wallet is made', async (t) => {
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', restore);
  rmSync(path.join(wallet.folder, WALLET_FILE));
  for (const name of ['balance.get', 'notes.list', 'address.next', 'sync.run'] as const) {
    t.is(await wallet.failure(name), 'NO_WALLET', name);
  }
  const created = await wallet.call('wallet.create', { password: 'another', birthday_height: 500 });
  t.deepEqual(
    wallet.events.map(({ event }) => event).filter((event) => event.startsWith('wallet.')),
    ['wallet.unlocked', 'wallet.locked', 'wallet.unlocked'],
  );
  t.is((await wallet.call('address.get')).unified_address, created.unified_address);
  // The note store that was put aside is a closed database: one file.
  t.deepEqual(
    readdirSync(wallet.folder).filter((name) => name.startsWith('ledger-retired')),
    ['ledger-retired-1.db'],
  );
});

test('before there is a wallet a password is checked against nothing, and never counts as right', async (t) => {
  const wallet = await startWallet(t, { config });
  const password = PASSWORD;
  const url = 'http://127.0.0.1:7';
  t.is((await wallet.call('config.node_url', { url, password })).node_url, url);
  await wallet.call('wallet.lock', { password });
  t.is(await wallet.failure('config.node_url', { url, password: '' }), 'INVALID_PASSWORD_FORMAT');
  t.is(await wallet.failure('address.next', { password }), 'NO_WALLET');
  t.is(await wallet.failure('grants.create', { name: 'till', scopes: ['read'], password }), 'NO_WALLET');
  t.is(await wallet.failure('follow.set', { enabled: true, keep_open: true, password }), 'NO_WALLET');
  await wallet.call('wallet.restore', restore);
  t.is(await wallet.failure('config.node_url', { url, password: 'wrong' }), 'WRONG_PASSWORD');
});

test('bad input comes before the state of the wallet, and no wallet before a locked one', async (t) => {
  const wallet = await startWallet(t, { config });
  t.is(
    await wallet.failure('wallet.restore', { ...restore, mnemonic: 'abandon abandon about' }),
    'INVALID_MNEMONIC',
  );
  t.is(
    await wallet.failure('wallet.restore', { ...restore, mnemonic: MNEMONIC.replace('art', 'able') }),
    'INVALID_MNEMONIC',
  );
  t.is(await wallet.failure('sync.run', { start_height: 9, end_height: 3 }), 'INVALID_RANGE');
  t.is(await wallet.failure('notes.list', { limit: 0 }), 'INVALID_REQUEST');
  t.is(await wallet.failure('notes.list', { cursor: 'made-up' }), 'INVALID_REQUEST');
  t.is(await wallet.failure('transactions.list', { cursor: 'made-up' }), 'INVALID_REQUEST');
  for (const name of [
    'balance.get',
    'notes.list',
    'transactions.list',
    'address.get',
    'accounts.list',
    'sync.run',
    'wallet.rescan',
  ] as const) {
    t.is(await wallet.failure(name), 'NO_WALLET', name);
  }
  for (const name of ['wallet.unlock', 'wallet.backup', 'wallet.viewing_key', 'accounts.create'] as const) {
    t.is(await wallet.failure(name, { password: PASSWORD }), 'NO_WALLET', name);
  }
  await wallet.call('wallet.restore', restore);
  await wallet.call('wallet.lock');
  for (const name of [
    'balance.get',
    'notes.list',
    'transactions.list',
    'address.get',
    'address.next',
    'accounts.list',
    'sync.run',
    'wallet.rescan',
  ] as const) {
    t.is(await wallet.failure(name), 'WALLET_LOCKED', name);
  }
  t.is(await wallet.failure('accounts.create', { password: PASSWORD }), 'WALLET_LOCKED');
});

test('a phrase is forgiven white space, case and Unicode form', async (t) => {
  const wallet = await startWallet(t, { config });
  const messy = `  ${MNEMONIC.toUpperCase().replaceAll(' ', '\n\t ')}\u3000`;
  t.is((await wallet.call('wallet.restore', { ...restore, mnemonic: messy })).unlocked, true);
  t.is((await wallet.call('wallet.backup', { password: PASSWORD })).mnemonic, MNEMONIC);
});

test('a BIP-39 passphrase makes another wallet and comes back with the backup', async (t) => {
  const plain = await startWallet(t, { config });
  const a = await plain.call('wallet.restore', restore);
  t.is((await plain.call('wallet.backup', { password: PASSWORD })).bip39_passphrase, null);
  const hidden = await startWallet(t, { config });
  const b = await hidden.call('wallet.restore', { ...restore, bip39_passphrase: 'ünïcode' });
  t.not(a.unified_address, b.unified_address);
  t.is((await hidden.call('wallet.backup', { password: PASSWORD })).bip39_passphrase, 'ünïcode');
});

test('a typo or two do not keep the right password waiting', async (t) => {
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', restore);
  await wallet.call('wallet.lock');
  t.is(await wallet.failure('wallet.unlock', { password: 'wrong' }), 'WRONG_PASSWORD');
  t.is(await wallet.failure('wallet.unlock', { password: 'wrong' }), 'WRONG_PASSWORD');
  t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
});

test('wrong passwords wait ever longer and never disturb an open session', async (t) => {
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', restore);
  for (let free = 0; free < 2; free++) {
    t.is(await wallet.failure('wallet.unlock', { password: 'wrong' }), 'WRONG_PASSWORD');
  }
  for (const waitMs of [1000, 2000, 4000, 5000, 5000]) {
    t.is(await wallet.failure('wallet.unlock', { password: 'wrong' }), 'WRONG_PASSWORD');
    t.is(await wallet.failure('wallet.unlock', { password: PASSWORD }), 'TOO_MANY_ATTEMPTS');
    t.true((await wallet.call('wallet.status')).unlocked);
    wallet.clock.advance(waitMs - 1);
    t.is(await wallet.failure('wallet.backup', { password: PASSWORD }), 'TOO_MANY_ATTEMPTS');
    wallet.clock.advance(1);
  }
  t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
  t.is(await wallet.failure('wallet.unlock', { password: 'wrong' }), 'WRONG_PASSWORD');
  t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
});

test('a locked wallet tells a wrong password from the right one', async (t) => {
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', restore);
  await wallet.call('wallet.lock');
  t.is(await wallet.failure('wallet.unlock', { password: 'wrong' }), 'WRONG_PASSWORD');
  t.false((await wallet.call('wallet.status')).unlocked);
  const opened = await wallet.call('wallet.unlock', { password: PASSWORD });
  t.is(opened.expires_at, new Date(wallet.clock.now() + 900_000).toISOString());
});

test('the session ends without activity, and polling is none', async (t) => {
  const wallet = await startWallet(t, { config: { ...config, auto_lock_seconds: 60 } });
  await wallet.call('wallet.restore', restore);
  wallet.clock.advance(59_000);
  await wallet.call('balance.get');
  wallet.clock.advance(59_000);
  await wallet.call('wallet.status');
  await wallet.call('config.get');
  await wallet.call('sync.status');
  t.true((await wallet.call('wallet.status')).unlocked);
  wallet.clock.advance(1_000);
  await wallet.call('config.theme', { theme: 'dark' });
  t.false((await wallet.call('wallet.status')).unlocked);
  t.is(await wallet.failure('balance.get'), 'WALLET_LOCKED');
  t.deepEqual(
    wallet.events.filter(({ event }) => event === 'wallet.locked'),
    [{ event: 'wallet.locked', data: { reason: 'idle' } }],
  );
});

test('what the companion itself reads of the journal is no activity', async (t) => {
  const wallet = await startWallet(t, { config: { ...config, auto_lock_seconds: 60 } });
  await wallet.call('wallet.restore', restore);
  const message = { name: 'changes.list', input: { since: 'now' }, requestId: 'r' };
  wallet.clock.advance(59_000);
  t.true((await wallet.actor.dispatch({ ...message, byService: true })).ok);
  wallet.clock.advance(1_000);
  // In turn with the lock.
  await wallet.call('config.theme', { theme: 'dark' });
  t.like(await wallet.actor.dispatch({ ...message, byService: true }), { error: { code: 'WALLET_LOCKED' } });
  await wallet.call('wallet.unlock', { password: PASSWORD });
  wallet.clock.advance(59_000);
  t.true((await wallet.actor.dispatch(message)).ok);
  wallet.clock.advance(1_000);
  await wallet.call('config.theme', { theme: 'light' });
  t.true((await wallet.call('wallet.status')).unlocked);
});

test('a machine that slept past the lock time is locked for the first call, which does not prolong it', async (t) => {
  const clock = new VirtualClock();
  const wallet = await startWallet(t, { clock, config: { ...config, auto_lock_seconds: 60 } });
  await wallet.call('wallet.restore', restore);
  clock.sleep(8 * 3_600_000);
  t.is(await wallet.failure('balance.get'), 'WALLET_LOCKED');
  t.like(await wallet.call('wallet.status'), { unlocked: false, expires_at: null });
  await wallet.call('wallet.unlock', { password: PASSWORD });
  clock.sleep(61_000);
  await wallet.call('wallet.unlock', { password: PASSWORD });
  t.like(await wallet.call('wallet.status'), { unlocked: true });
  clock.sleep(61_000);
  clock.advance(15_000);
  await wallet.call('config.theme', { theme: 'dark' });
  t.is(wallet.events.filter(({ event }) => event === 'wallet.locked').length, 3, 'the timer locks by itself');
});

test('a clock that is set back prolongs no session', async (t) => {
  const clock = new VirtualClock();
  const wallet = await startWallet(t, { clock, config: { ...config, auto_lock_seconds: 60 } });
  await wallet.call('wallet.restore', restore);
  clock.sleep(-3_600_000);
  clock.advance(59_000);
  t.true((await wallet.call('wallet.status')).unlocked);
  clock.advance(1_000);
  t.is(await wallet.failure('balance.get'), 'WALLET_LOCKED');
});

test('auto_lock_seconds 0 never locks', async (t) => {
  const wallet = await startWallet(t, { config: { ...config, auto_lock_seconds: 0 } });
  await wallet.call('wallet.restore', restore);
  wallet.clock.advance(1_000_000_000);
  t.like(await wallet.call('wallet.status'), { unlocked: true, expires_at: null });
});

test('an open wallet locks after another time as soon as that is set, without any call', async (t) => {
  const wallet = await startWallet(t, { config: { ...config, auto_lock_seconds: 0 } });
  await wallet.call('wallet.restore', restore);
  const before = wallet.configFile.get();
  await wallet.configFile.update({ auto_lock_seconds: 60 });
  wallet.actor.configChanged(before);
  wallet.clock.advance(59_000);
  t.true((await wallet.call('wallet.status')).unlocked);
  wallet.clock.advance(1_000);
  t.false((await wallet.call('wallet.status')).unlocked);
});

test('a copy of the wallet file and the password from before a change open nothing that came after', async (t) => {
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', restore);
  const file = path.join(wallet.folder, WALLET_FILE);
  const copy = readFileSync(file);
  await wallet.call('wallet.change_password', { password: PASSWORD, new_password: 'new one' });
  await wallet.stop();
  writeFileSync(file, copy);
  const robbed = await startWallet(t, { config, folder: wallet.folder });
  t.is(await robbed.failure('wallet.unlock', { password: PASSWORD }), 'WALLET_CORRUPT');
});

test('a changed password opens the wallet and the old one does not', async (t) => {
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', restore);
  t.is(
    await wallet.failure('wallet.change_password', { password: 'wrong', new_password: 'n' }),
    'WRONG_PASSWORD',
  );
  await wallet.call('wallet.change_password', { password: PASSWORD, new_password: 'new one' });
  t.is(await wallet.failure('wallet.backup', { password: PASSWORD }), 'WRONG_PASSWORD');
  await wallet.call('wallet.lock');
  t.is((await wallet.call('wallet.unlock', { password: 'new one' })).unlocked, true);
  t.is((await wallet.call('wallet.backup', { password: 'new one' })).mnemonic, MNEMONIC);
});

test('an address is shown without reserving it; each POST gives a fresh one that a restart remembers', async (t) => {
  const wallet = await startWallet(t, { config });
  const { unified_address } = await wallet.call('wallet.restore', restore);
  const first = await wallet.call('address.get');
  t.is(first.unified_address, unified_address);
  t.deepEqual(await wallet.call('address.get'), first);
  const { warning, ...second } = await wallet.call('address.next');
  t.regex(warning ?? '', /Not every block/);
  t.true(BigInt(second.diversifier_index) > BigInt(first.diversifier_index));
  await wallet.stop();
  const restarted = await startWallet(t, { config, folder: wallet.folder });
  await restarted.call('wallet.unlock', { password: PASSWORD });
  const third = await restarted.call('address.next');
  t.true(BigInt(third.diversifier_index) > BigInt(second.diversifier_index));
  t.deepEqual(await restarted.call('address.get', { diversifier_index: second.diversifier_index }), second);
  t.is(await restarted.failure('address.get', { account: 1 }), 'NOT_FOUND');
});

test('accounts come in order, each with its own address and missing ranges', async (t) => {
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', restore);
  const added = await wallet.call('accounts.create', { password: PASSWORD, birthday_height: 2000 });
  t.is(added.account, 1);
  t.is(added.birthday_height, 2000);
  const { accounts } = await wallet.call('accounts.list');
  t.deepEqual(
    accounts.map(({ account }) => account),
    [0, 1],
  );
  t.not(accounts[0]!.unified_address, accounts[1]!.unified_address);
  t.is(await wallet.failure('balance.get', { account: 7 }), 'NOT_FOUND');
});

test('config changes are stored and shown, and bad ones refused', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  t.is((await wallet.call('config.get')).birthday_height, null);
  t.is((await wallet.call('config.get')).last_scan_height, 0);
  t.is(
    (await wallet.call('config.node_url', { url: 'http://127.0.0.1:18999' })).node_url,
    'http://127.0.0.1:18999',
  );
  t.is((await wallet.call('config.theme', { theme: 'dark' })).theme, 'dark');
  t.is(
    (await wallet.call('config.compact_server_url', { url: '127.0.0.1:9999' })).compact_server_url,
    '127.0.0.1:9999',
  );
  t.is(await wallet.failure('config.node_url', { url: 'ftp://example.com' }), 'INVALID_URL');
  t.is(await wallet.failure('config.node_url', { url: 'http://user:secret@127.0.0.1' }), 'INVALID_URL');
  t.is(await wallet.failure('config.theme', { theme: 'pink' }), 'INVALID_THEME');
  t.is(await wallet.failure('config.node_url', { url: NOWHERE, probe: true }), 'NODE_UNREACHABLE');
  t.is((await wallet.call('config.get')).node_url, 'http://127.0.0.1:18999');
  const restarted = await startWallet(t, { config: { network: 'regtest' }, folder: wallet.folder });
  t.like(await restarted.call('config.get'), { node_url: 'http://127.0.0.1:18999', theme: 'dark' });
});

test('a data directory that is out of reach is reported as such, and the configuration still shown', async (t) => {
  const configDir = temporaryFolder(t);
  const wallet = await startWallet(t, { config, configDir });
  await wallet.call('wallet.restore', restore);
  rmSync(wallet.folder, { recursive: true });
  writeFileSync(wallet.folder, 'in the way');
  for (const name of ['wallet.exists', 'wallet.status', 'balance.get'] as const) {
    t.is(await wallet.failure(name), 'STORAGE_FAILED', name);
  }
  t.is((await wallet.call('config.get')).last_scan_height, 999);
});

test('a wallet of another network is not opened', async (t) => {
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', restore);
  await wallet.stop();
  const other = await startWallet(t, {
    config: { network: 'test', node_url: NOWHERE },
    folder: wallet.folder,
  });
  t.is(await other.failure('wallet.unlock', { password: PASSWORD }), 'NETWORK_MISMATCH');
  t.true((await other.call('wallet.exists')).exists);
});

test('a file that cannot be written is named by its last part to the caller, and in full in the log', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  const file = path.join(wallet.folder, 'config.json');
  mkdirSync(path.join(file, 'in the way'), { recursive: true });
  const result = await wallet.actor.dispatch({
    name: 'config.theme',
    input: { theme: 'dark' },
    requestId: 'r',
  });
  t.like(result, { ok: false, error: { code: 'STORAGE_FAILED' } });
  t.true(JSON.stringify(result).includes('config.json'));
  t.false(JSON.stringify(result).includes(wallet.folder));
  t.true(JSON.stringify(wallet.faults.map(({ fault }) => faultFields(fault))).includes(file));
});

test('messages that are no operation of the wallet are refused', async (t) => {
  const { actor } = await startWallet(t, { config });
  for (const message of [
    undefined,
    null,
    7,
    'x',
    {},
    { name: 'wallet.exists' },
    { name: 'lwd.info', requestId: 'r' },
    { name: 'constructor', requestId: 'r' },
    { name: '__proto__', requestId: 'r' },
  ]) {
    t.like(await actor.dispatch(message), { ok: false });
  }
});
