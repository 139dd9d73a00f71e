// What each wallet has for itself stands in its own config.json; all else comes from the companion's, which one writes.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../../src/actors/wallet/ports/configFile.ts';
import { type CarriedConfig, openConfigFile } from '../../../src/storage/config/configFile.ts';
import { configReportedTo, openWalletConfig } from '../../../src/storage/config/walletConfig.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';

function setUp(t: ExecutionContext, settings: Partial<Config> = {}) {
  const configDir = temporaryFolder(t);
  const folder = path.join(configDir, 'savings');
  const file = path.join(configDir, 'config.json');
  const own = path.join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(settings));
  const reported: CarriedConfig[] = [];
  const shared = configReportedTo(openConfigFile({ configDir }), (common) => reported.push(common));
  const open = (overrides: Partial<Config> = {}) =>
    openWalletConfig({ folder, common: reported.at(-1)!, overrides });
  return { file, folder, own, reported, shared, open };
}

test('the rest is shared, and what is its own is not', async (t) => {
  const { own, file, reported, shared, open } = setUp(t, {
    theme: 'dark',
    follow: true,
    last_scan_height: 9,
  });
  const config = open();
  t.like(config.get(), { theme: 'dark', follow: false, last_scan_height: null });
  t.true(config.isSet('theme'));
  t.false(config.isSet('last_scan_height'));
  await config.update({ last_scan_height: 5, follow: true });
  t.deepEqual(JSON.parse(readFileSync(own, 'utf8')), { last_scan_height: 5, follow: true });
  t.like(shared.get(), { last_scan_height: 9 });
  await shared.update({ theme: 'light', node_url: 'http://127.0.0.1:1' });
  t.is(config.get().theme, 'dark', 'not told yet');
  config.takeCommon(reported.at(-1)!);
  t.like(config.get(), { theme: 'light', node_url: 'http://127.0.0.1:1', last_scan_height: 5 });
  t.deepEqual(config.namedNodes(), shared.namedNodes());
  t.false(readFileSync(file, 'utf8').includes('"last_scan_height": 5'));
});

test('it never writes what all share', async (t) => {
  const { own, reported, folder, open } = setUp(t);
  await t.throwsAsync(open().update({ theme: 'dark' }), { message: /default wallet/ });
  await t.throwsAsync(open().update({ last_scan_height: 1, auto_lock_seconds: 0 }));
  // What it chose first, the default wallet's thread writes.
  const chosen: string[] = [];
  const choosing = openWalletConfig({
    folder,
    common: reported.at(-1)!,
    overrides: {},
    sourceChosen: (source) => chosen.push(source),
  });
  await choosing.update({ block_source: 'compact' });
  t.deepEqual(chosen, ['compact']);
  t.false(existsSync(own));
});

test('a person may edit it between two starts; what it does not know stays', async (t) => {
  const { folder, own, open } = setUp(t);
  mkdirSync(folder);
  writeFileSync(own, '{\n  "last_scan_height": 3, "theme": 7,\n  "mine": "kept" }');
  const config = open({ follow: true, theme: 'light' });
  t.like(config.get(), { last_scan_height: 3, theme: 'system', follow: true });
  await config.update({ last_scan_height: 4, follow: false });
  t.deepEqual(JSON.parse(readFileSync(own, 'utf8')), {
    last_scan_height: 4,
    theme: 7,
    mine: 'kept',
    follow: false,
  });
  t.like(open({ follow: true }).get(), { last_scan_height: 4, follow: true });
  t.like(config.get(), { follow: false }, 'the flag holds until somebody sets it');
});

test('a wrong one says where, and is left as it is', (t) => {
  const { folder, own, open } = setUp(t);
  mkdirSync(folder);
  for (const text of ['{"follow": 1}', '{', '[]']) {
    writeFileSync(own, text);
    t.throws(() => open(), { code: 'INVALID_REQUEST', message: /config\.json, line 1/ }, text);
    t.is(readFileSync(own, 'utf8'), text);
  }
});

test('the others are notified at the start, and of each change that is theirs too', async (t) => {
  const { reported, shared, file } = setUp(t);
  t.is(reported.length, 1);
  await shared.update({ last_scan_height: 7, last_scan_writes: 1 });
  await shared.update({ follow: true });
  t.is(reported.length, 1);
  await shared.update({ theme: 'dark' });
  t.is(reported.length, 2);
  writeFileSync(file, '{"allowed_origins": ["chrome-extension://abc"]}');
  await shared.reload();
  t.is(reported.length, 3);
  await t.throwsAsync(shared.update({ min_confirmations: 0 }));
  t.is(reported.length, 3);
});
