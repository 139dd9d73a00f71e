// Files damaged, cut, lost or exchanged while the companion was stopped: said plainly, left as they are, and repaired
// by putting the right file back.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { CONFIG_FILE, LEDGER_FILE, WALLET_FILE } from '../../src/storage/files/dataFiles.ts';
import { PASSWORD, startWallet } from '../helpers/walletHarness.ts';

const MNEMONIC = `${'abandon '.repeat(23)}art`;
const config = { network: 'regtest', node_url: 'http://127.0.0.1:9' } as const;
const restore = { mnemonic: MNEMONIC, password: PASSWORD, birthday_height: 1000 };

async function madeAndStopped(t: ExecutionContext): Promise<string> {
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', restore);
  await wallet.stop();
  return wallet.folder;
}

const DAMAGE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'is empty': () => Buffer.alloc(0),
  'is cut in the middle': (bytes) => bytes.subarray(0, bytes.length >> 1),
  'lacks its last byte': (bytes) => bytes.subarray(0, -1),
  'is full of zeros': (bytes) => Buffer.alloc(bytes.length),
  'is something else': () => Buffer.from('{"not": "ours"}'),
};

for (const [name, damages] of [
  [WALLET_FILE, Object.keys(DAMAGE)],
  // SQLite does not look at the very end of the file.
  [LEDGER_FILE, Object.keys(DAMAGE).filter((damage) => damage !== 'lacks its last byte')],
] as const) {
  for (const damage of damages) {
    test(`${name} ${damage}: WALLET_CORRUPT, and nothing is touched`, async (t) => {
      const folder = await madeAndStopped(t);
      const file = path.join(folder, name);
      const whole = readFileSync(file);
      const damaged = DAMAGE[damage]?.(whole) ?? whole;
      writeFileSync(file, damaged);
      const wallet = await startWallet(t, { config, folder });
      t.deepEqual(await wallet.call('wallet.exists'), { exists: true });
      t.is((await wallet.call('config.get')).last_scan_height, 999);
      t.is(await wallet.failure('balance.get'), 'WALLET_LOCKED');
      for (const call of ['wallet.unlock', 'sync.run', 'wallet.unlock'] as const) {
        t.is(await wallet.failure(call, { password: PASSWORD }), 'WALLET_CORRUPT', call);
      }
      t.is(await wallet.failure('sync.run'), 'WALLET_LOCKED');
      t.is(await wallet.failure('wallet.restore', restore), 'WALLET_EXISTS');
      t.true(readFileSync(file).equals(damaged));
      writeFileSync(file, whole);
      t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
      t.is((await wallet.call('balance.get')).as_of_height, null);
    });
  }
}

test('a note store without its wallet is put aside when another wallet is made', async (t) => {
  const folder = await madeAndStopped(t);
  const store = readFileSync(path.join(folder, LEDGER_FILE));
  rmSync(path.join(folder, WALLET_FILE));
  const wallet = await startWallet(t, { config, folder });
  t.is(await wallet.failure('wallet.unlock', { password: PASSWORD }), 'NO_WALLET');
  t.is((await wallet.call('config.get')).last_scan_height, 0);
  await wallet.call('wallet.create', { password: 'another', birthday_height: 50 });
  t.is((await wallet.call('config.get')).last_scan_height, 49);
  const retired = readdirSync(folder).filter((name) => name.startsWith('ledger-retired'));
  t.is(retired.length, 1);
  t.true(readFileSync(path.join(folder, retired[0] ?? '')).equals(store));
});

test('an unlock that cannot write config.json shows what there is, and writes when it can', async (t) => {
  const folder = await madeAndStopped(t);
  const file = path.join(folder, CONFIG_FILE);
  writeFileSync(file, '{}');
  const wallet = await startWallet(t, { config, folder });
  rmSync(file);
  mkdirSync(path.join(file, 'in the way'), { recursive: true });
  t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
  t.like(await wallet.call('balance.get'), { missing_ranges: [] });
  t.deepEqual(
    wallet.faults.map(({ where }) => where),
    ['wallet.match_scan_height'],
  );
  await wallet.call('wallet.lock');
  rmSync(file, { recursive: true });
  t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
  t.is(JSON.parse(readFileSync(file, 'utf8')).last_scan_height, 999);
});

test('a lost note store is not taken for an edit, not even when config.json cannot be written after it', async (t) => {
  const folder = await madeAndStopped(t);
  rmSync(path.join(folder, LEDGER_FILE));
  const file = path.join(folder, CONFIG_FILE);
  writeFileSync(file, '{"last_scan_height": 7000}');
  const wallet = await startWallet(t, { config, folder });
  rmSync(file);
  mkdirSync(file);
  await wallet.call('wallet.unlock', { password: PASSWORD });
  t.like(await wallet.call('balance.get'), { as_of_height: null, complete: false });
  await wallet.call('wallet.lock');
  rmSync(file, { recursive: true });
  await wallet.call('wallet.unlock', { password: PASSWORD });
  t.is((await wallet.call('config.get')).last_scan_height, 999);
});

test('wallets of two data directories that share a config.json do not skip by the other one', async (t) => {
  const folder = await madeAndStopped(t);
  const configDir = folder;
  const other = await startWallet(t, { config, configDir });
  other.clock.advance(1);
  await other.call('wallet.restore', { ...restore, birthday_height: 5000 });
  await other.stop();
  const wallet = await startWallet(t, { config, folder, configDir });
  t.is((await wallet.call('config.get')).last_scan_height, 999);
  await wallet.call('wallet.unlock', { password: PASSWORD });
  t.is((await wallet.call('config.get')).last_scan_height, 999);
  t.like(await wallet.call('balance.get'), { as_of_height: null, missing_ranges: [] });
  await wallet.stop();
  const again = await startWallet(t, { config, folder: other.folder, configDir });
  await again.call('wallet.unlock', { password: PASSWORD });
  t.is((await again.call('config.get')).last_scan_height, 4999);
  t.like(await again.call('balance.get'), { as_of_height: null, missing_ranges: [] });
});

test('the note store of another wallet is not used', async (t) => {
  const folder = await madeAndStopped(t);
  const other = await startWallet(t, { config });
  await other.call('wallet.create', { password: 'another', birthday_height: 50 });
  await other.stop();
  const foreign = readFileSync(path.join(other.folder, LEDGER_FILE));
  writeFileSync(path.join(folder, LEDGER_FILE), foreign);
  const wallet = await startWallet(t, { config, folder });
  t.is(await wallet.failure('wallet.unlock', { password: PASSWORD }), 'WALLET_CORRUPT');
  t.true(readFileSync(path.join(folder, LEDGER_FILE)).equals(foreign));
});
