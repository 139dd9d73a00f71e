import fs from 'node:fs';
import path from 'node:path';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { contentsOf, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import type { ConfigStep } from '../../../src/storage/config/migrations/steps.ts';

/** What version 1 called `colours` is `theme` from version 2 on; version 3 has other confirmations. */
const STEPS: readonly ConfigStep[] = [
  {
    from: 1,
    to: 2,
    migrate: (document) => {
      const colours = document.members.get('colours');
      return colours === undefined ? document : document.with(new Map([['theme', colours.value]]));
    },
  },
  {
    from: 2,
    to: 3,
    migrate: (document) => {
      const confirmations = Number(document.members.get('min_confirmations')?.value ?? 1);
      return document.with(new Map([['min_confirmations', confirmations * 10]]));
    },
  },
];

function folderWith(t: ExecutionContext, text: string): string {
  const folder = temporaryFolder(t);
  fs.writeFileSync(path.join(folder, 'config.json'), text);
  return folder;
}

const read = (folder: string): string => fs.readFileSync(path.join(folder, 'config.json'), 'utf8');

test('a file without a version has version 1, and stays as it is until a change is written', async (t) => {
  const old = '{\n  "colours": "dark",   "mine": 1,\n  "min_confirmations": 2\n}\n';
  const configDir = folderWith(t, old);
  const config = openConfigFile({ configDir, migrations: STEPS });
  t.like(config.get(), { theme: 'dark', min_confirmations: 20 });
  t.is(read(configDir), old);
  await config.update({ auto_lock_seconds: 5 });
  t.is(
    read(configDir),
    '{\n  "colours": "dark",   "mine": 1,\n  "min_confirmations": 20,\n  "theme": "dark",\n  "config_version": 3,\n  "auto_lock_seconds": 5\n}\n',
  );
  const reopened = openConfigFile({ configDir, migrations: STEPS }).get();
  t.like(reopened, { theme: 'dark', min_confirmations: 20, auto_lock_seconds: 5 });
});

test('only the steps that are left run', (t) => {
  const configDir = folderWith(t, '{"config_version": 2, "colours": "dark", "min_confirmations": 3}');
  t.like(openConfigFile({ configDir, migrations: STEPS }).get(), { theme: 'system', min_confirmations: 30 });
});

test('a change that cannot be written leaves the earlier file', async (t) => {
  const configDir = folderWith(t, '{"min_confirmations": 2}');
  const config = openConfigFile({ configDir, migrations: STEPS });
  await failureOf(t, 'INVALID_REQUEST', () => config.update({ auto_lock_seconds: -1 }));
  t.is(read(configDir), '{"min_confirmations": 2}');
});

test('a new file names the latest version; the first one is not named', async (t) => {
  const [latest, first] = [temporaryFolder(t), temporaryFolder(t)];
  await openConfigFile({ configDir: latest, migrations: STEPS }).update({ min_confirmations: 7 });
  t.deepEqual(JSON.parse(read(latest)), { config_version: 3, min_confirmations: 7 });
  t.is(openConfigFile({ configDir: latest, migrations: STEPS }).get().min_confirmations, 7);
  await openConfigFile({ configDir: first }).update({ min_confirmations: 7 });
  t.deepEqual(JSON.parse(read(first)), { min_confirmations: 7 });
});

test('what a step makes of a file must be right, too', async (t) => {
  const configDir = folderWith(t, '{"min_confirmations": 900}');
  await failureOf(t, 'INVALID_REQUEST', () => openConfigFile({ configDir, migrations: STEPS }));
  t.is(read(configDir), '{"min_confirmations": 900}');
});

test('a newer version is refused in so many words, and not touched', async (t) => {
  const configDir = folderWith(t, '{\n "config_version": 2,\n "theme": {"future": true}\n}');
  const before = contentsOf(configDir);
  const error = await failureOf(t, 'INVALID_REQUEST', () => openConfigFile({ configDir }));
  t.regex(error.message, /^config\.json, line 2: the file has format 2, which this program does not know; /);
  t.deepEqual(contentsOf(configDir), before);
});

test('an invalid version is reported like any wrong value', async (t) => {
  for (const version of ['0', '-1', '1.5', '"1"', 'null', '[]', '1e400']) {
    const configDir = folderWith(t, `{"config_version": ${version}}`);
    const error = await failureOf(t, 'INVALID_REQUEST', () => openConfigFile({ configDir }));
    t.regex(error.message, /line 1: "config_version": must be a whole number from 1/);
  }
});
