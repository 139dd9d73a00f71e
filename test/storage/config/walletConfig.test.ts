// What each wallet has for itself stands in its own config.json, or for the default wallet in the companion's, where all else is.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../../src/actors/wallet/ports/configFile.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import { isOfOneWallet, openWalletFile, WalletConfig } from '../../../src/storage/config/walletConfig.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';

function setUp(t: ExecutionContext, settings: Partial<Config> = {}) {
  const configDir = temporaryFolder(t);
  const folder = path.join(configDir, 'savings');
  const file = path.join(configDir, 'config.json');
  const own = path.join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(settings));
  const companion = openConfigFile({ configDir });
  const open = (overrides: Partial<Config> = {}) =>
    new WalletConfig(companion, openWalletFile(folder, overrides));
  return { file, folder, own, companion, open, byDefault: new WalletConfig(companion, companion) };
}

test('the rest is shared, and what is its own is not', async (t) => {
  const { own, file, byDefault, open } = setUp(t, { theme: 'dark', follow: true, last_scan_height: 9 });
  const config = open();
  t.like(config.snapshot().values, { theme: 'dark', follow: false, last_scan_height: null });
  t.deepEqual(config.snapshot().set, ['theme']);
  await config.update({ last_scan_height: 5, follow: true });
  t.deepEqual(JSON.parse(readFileSync(own, 'utf8')), { last_scan_height: 5, follow: true });
  t.like(byDefault.snapshot().values, { last_scan_height: 9, theme: 'dark' });
  await byDefault.update({ theme: 'light', node_url: 'http://127.0.0.1:1', last_scan_height: 10 });
  t.like(config.snapshot().values, {
    theme: 'light',
    node_url: 'http://127.0.0.1:1',
    last_scan_height: 5,
  });
  t.deepEqual(config.snapshot().namedNodes, byDefault.snapshot().namedNodes);
  t.like(JSON.parse(readFileSync(file, 'utf8')), { theme: 'light', follow: true, last_scan_height: 10 });
  t.true(isOfOneWallet({ follow: true }));
  t.false(isOfOneWallet({ follow: true, theme: 'dark' }));
});

test('the first choice of a source holds for all, whichever wallet makes it', async (t) => {
  const { own, byDefault, open } = setUp(t);
  const choices = [open().chooseSource('compact'), byDefault.chooseSource('node')];
  t.deepEqual(await Promise.all(choices), ['compact', 'compact']);
  t.is(open().snapshot().values.block_source, 'compact');
  t.false(existsSync(own));
});

test('a person may edit it between two starts; what it does not know stays', async (t) => {
  const { folder, own, open } = setUp(t);
  mkdirSync(folder);
  writeFileSync(own, '{\n  "last_scan_height": 3, "theme": 7,\n  "mine": "kept" }');
  const config = open({ follow: true, theme: 'light' });
  t.like(config.snapshot().values, { last_scan_height: 3, theme: 'system', follow: true });
  await config.update({ last_scan_height: 4, follow: false });
  t.deepEqual(JSON.parse(readFileSync(own, 'utf8')), {
    last_scan_height: 4,
    theme: 7,
    mine: 'kept',
    follow: false,
  });
  t.like(open({ follow: true }).snapshot().values, { last_scan_height: 4, follow: true });
  t.like(config.snapshot().values, { follow: false }, 'the flag holds until somebody sets it');
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
