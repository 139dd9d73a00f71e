// Everything in one file and back, on another folder as on another machine: taken while the wallet is open and scans.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { CompanionError } from '../../../src/protocol/errors.ts';
import { backupContent } from '../../../src/storage/backup/backupContent.ts';
import { lastBackup } from '../../../src/storage/backup/lastBackup.ts';
import { requireEmpty, restoreContent } from '../../../src/storage/backup/restoring.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import { createWalletFile } from '../../../src/storage/wallet/walletFile.ts';
import { CHEAP_KDF } from '../../helpers/cheapKdf.ts';
import { companionWorld } from '../../helpers/companionWorld.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { PASSWORD, startWallet } from '../../helpers/walletHarness.ts';

const PROGRAM = { version: '1.2.3', now: new Date('2026-11-29T12:00:00Z') };
const SECRET = 'https://shop.example/hook?token=sesame';

const contentOf = (folder: string): Promise<Buffer> =>
  buffer(backupContent({ configDir: folder, dataDir: folder }, PROGRAM));

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
}
const restored = async (t: ExecutionContext, content: Uint8Array): Promise<string> => {
  const folder = temporaryFolder(t);
  await restoreContent(inPieces(content), { configDir: folder, dataDir: folder });
  return folder;
};
const filesIn = (folder: string): string[] =>
  fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

/** A wallet with money, a contact, a label, an invoice and a prepared payment, in the middle of a scan. */
async function fullWallet(t: ExecutionContext) {
  const world = await companionWorld(t, { blocks: 3, config: { block_source: 'node' } });
  await world.fund({ pool: 'ironwood', zatoshi: 100_000_000 }, { pool: 'ironwood', zatoshi: 50_000_000 });
  const { call } = world;
  await call('contacts.set', { name: 'Anna', address: world.addressOf(5) });
  await call('labels.set', { diversifier_index: '0', label: 'the first' });
  const invoice = await call('invoices.create', { amount_zatoshi: 1_000, reference: 'order 7' });
  const payment = await world.prepare({ address: world.addressOf(5), zatoshi: 10_000 });
  return { world, invoice, payment };
}

test('a copy of a wallet in use has all of it, opens elsewhere with the same password, and goes on', async (t) => {
  const { world, invoice, payment } = await fullWallet(t);
  const { folder, call } = world;
  const other = path.join(folder, 'wallets', 'savings');
  fs.mkdirSync(other, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(other, 'config.json'), '{"follow": true}\n');
  await createWalletFile({ dataDir: other, randomBytes, kdf: CHEAP_KDF }).create(
    { network: 'regtest', birthdayHeight: 1, createdAt: 'then', watchOnly: true },
    { mnemonic: null, bip39Passphrase: new Uint8Array(0) },
    { accounts: [], nextDiversifierIndex: {} },
    new TextEncoder().encode('savings password'),
  );
  world.devnet.mineEmpty(200);
  const [content] = await Promise.all([contentOf(folder), call('sync.run')]);
  t.deepEqual(
    filesIn(folder).filter((name) => name.endsWith('.tmp')),
    [],
  );
  const balance = await call('balance.get');
  await world.wallet.stop();

  const place = await restored(t, content);
  t.deepEqual(
    filesIn(place),
    [
      'config.json',
      'invoices.db',
      'ledger.db',
      'wallet.dat',
      'wallets',
      'wallets/savings',
      'wallets/savings/config.json',
      'wallets/savings/wallet.dat',
    ].map((name) => path.normalize(name)),
  );
  if (process.platform !== 'win32')
    for (const name of ['ledger.db', 'wallet.dat', 'invoices.db'])
      t.is(fs.statSync(path.join(place, name)).mode & 0o777, 0o600);
  const again = await startWallet(t, { folder: place, config: world.config, seed: 'elsewhere' });
  t.teardown(() => again.stop());
  await again.call('wallet.unlock', { password: PASSWORD });
  t.is((await again.call('balance.get')).total_zatoshi, balance.total_zatoshi);
  t.is((await again.call('balance.get')).warning, undefined);
  t.like((await again.call('contacts.list')).contacts, [{ name: 'Anna' }]);
  t.is((await again.call('labels.list')).labels.length, 1);
  t.like(await again.call('invoices.get', { invoice_id: invoice.invoice_id }), { reference: 'order 7' });
  t.is((await again.call('payments.get', { payment_id: payment.payment_id })).status, payment.status);
  t.like(await again.call('sync.run'), { caught_up: true, complete: true });
  // No payment counts as missing: another one can be prepared.
  const more = { address: world.addressOf(5), zatoshi: 20_000 };
  t.truthy((await again.call('payments.prepare', more)).payment_id);
});

test('settings come along without secrets, paths and callers, and what is set here stays', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  const { folder } = wallet;
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  await wallet.stop();
  const written = JSON.parse(fs.readFileSync(path.join(folder, 'config.json'), 'utf8')) as object;
  const config = {
    ...written,
    network: 'regtest',
    theme: 'dark',
    min_confirmations: 7,
    node_url: 'http://over.http:8232',
    node_url_over_http: { node_url: 'http://over.http:8232', instead_of: 'http://127.0.0.1:18443' },
    node_cookie_file: '/secret/place/.cookie',
    allowed_origins: ['chrome-extension://abc'],
    on_event: [{ name: 'shop', url: SECRET, secret_file: '/secret/place/hook', events: ['change'] }],
    fleet_redis_password_file: '/secret/place/redis',
    sapling_params: '/secret/place/params',
  };
  fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
  const content = await contentOf(folder);
  for (const secret of ['sesame', 'secret/place', 'chrome-extension', PASSWORD])
    t.false(content.includes(secret));

  const place = temporaryFolder(t);
  fs.writeFileSync(path.join(place, 'config.json'), '{"theme": "light", "unknown": 1}');
  await restoreContent(inPieces(content), { configDir: place, dataDir: place });
  t.like(JSON.parse(fs.readFileSync(path.join(place, 'config.json'), 'utf8')), {
    theme: 'light',
    unknown: 1,
    min_confirmations: 7,
    network: 'regtest',
    last_scan_height: 0,
  });
  // A caller over HTTP chose it: the owner's cookie still does not go there.
  const opened = openConfigFile({ configDir: place });
  t.is(opened.get().node_url, 'http://over.http:8232');
  t.deepEqual(opened.namedNodes(), ['http://127.0.0.1:18443']);

  const main = temporaryFolder(t);
  fs.writeFileSync(path.join(main, 'config.json'), '{"network": "main"}');
  const files = { configDir: main, dataDir: main };
  await t.throwsAsync(restoreContent(inPieces(content), files), { message: /on "regtest"/ });
  t.deepEqual(filesIn(main), ['config.json']);
});

test('what is cut, of a newer program, or would lead elsewhere leaves nothing; a wallet that is here stays', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  await wallet.stop();
  const content = await contentOf(wallet.folder);
  const refused = async (bytes: Uint8Array, words: RegExp) => {
    const folder = temporaryFolder(t);
    const files = { configDir: folder, dataDir: folder };
    await t.throwsAsync(restoreContent(inPieces(bytes), files), {
      instanceOf: CompanionError,
      message: words,
    });
    t.deepEqual(filesIn(folder), []);
  };
  for (const length of [0, 3, 50, content.length >> 1, content.length - 1])
    await refused(content.subarray(0, length), /damaged/);
  await refused(Buffer.concat([content, Buffer.of(1)]), /something follows/);
  const text = content.toString('latin1');
  const changed = (from: string, to: string) => Buffer.from(text.replace(from, to), 'latin1');
  await refused(changed('{"version":1', '{"version":2'), /newer version/);
  await refused(changed('wallet.dat', '../../.dat'), /another name/);
  await refused(changed('wallet-companion\u0001\0', 'wallet-companion\u0002\0'), /checksum|damaged/);
  const store = content.indexOf('SQLite format 3');
  const newer = Buffer.from(content);
  newer.writeUInt32BE(99, store + 60);
  await refused(newer, /newer version/);

  for (const name of ['wallet.dat', 'wallet.dat.removed', 'ledger.db', 'wallets/savings/wallet.dat']) {
    const folder = temporaryFolder(t);
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), '');
    t.throws(() => requireEmpty(folder), { message: /replaces nothing/ });
  }
  const empty = temporaryFolder(t);
  // What a restore that was killed leaves, too.
  const killed = path.join('wallets', 'savings', '.ledger.db.7.0123456789ab.tmp');
  fs.mkdirSync(path.dirname(path.join(empty, killed)), { recursive: true });
  for (const name of ['lock.db', 'companion.log', 'hooks.json', 'wallets/.DS_Store', killed])
    fs.writeFileSync(path.join(empty, name), '');
  t.notThrows(() => requireEmpty(empty));
  await t.throwsAsync(contentOf(empty), { message: /no wallet here/ });
});

test('no password change ends between the wallet file and its note store', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  await wallet.stop();
  const [store, next] = ['ledger.db', 'ledger-next.db'].map((name) => path.join(wallet.folder, name)) as [
    string,
    string,
  ];
  fs.copyFileSync(store, next);
  // The wallet file is the new one already; its store takes its place after the old one was copied.
  const { existsSync } = fs;
  t.teardown(() => {
    fs.existsSync = existsSync;
  });
  fs.existsSync = (file) => {
    if (String(file).endsWith('invoices.db') && existsSync(next)) fs.renameSync(next, store);
    return existsSync(file);
  };
  await t.throwsAsync(contentOf(wallet.folder), { message: /password .* being changed/ });
});

test('a folder that is a link gets no wallet', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  await wallet.stop();
  fs.mkdirSync(path.join(wallet.folder, 'wallets', 'savings'), { recursive: true, mode: 0o700 });
  for (const name of ['wallet.dat', 'ledger.db'])
    fs.copyFileSync(path.join(wallet.folder, name), path.join(wallet.folder, 'wallets', 'savings', name));
  const content = await contentOf(wallet.folder);
  const [place, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
  fs.symlinkSync(elsewhere, path.join(place, 'wallets'), 'dir');
  const files = { configDir: place, dataDir: place };
  await t.throwsAsync(restoreContent(inPieces(content), files), { message: /links are not followed/ });
  t.deepEqual([filesIn(place), filesIn(elsewhere)], [['wallets'], []]);
});

test('the time of the last backup is kept, and none is made up', async (t) => {
  const folder = temporaryFolder(t);
  t.is(lastBackup(folder).read(), null);
  await lastBackup(folder).write(PROGRAM.now);
  t.is(lastBackup(folder).read(), '2026-11-29T12:00:00.000Z');
  fs.writeFileSync(path.join(folder, 'backup.json'), '{"last_backup_at": "soon"}');
  t.is(lastBackup(folder).read(), null);
});
