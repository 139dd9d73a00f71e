import fs from 'node:fs';
import path from 'node:path';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { fingerprintsOf, permissions, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../../src/actors/wallet/ports/configFile.ts';
import { CompanionError } from '../../../src/protocol/errors.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';

const writeConfig = (t: ExecutionContext, text: string | Uint8Array): string => {
  const folder = temporaryFolder(t);
  fs.writeFileSync(path.join(folder, 'config.json'), text);
  return folder;
};

const read = (folder: string): string => fs.readFileSync(path.join(folder, 'config.json'), 'utf8');

const MAIN_DEFAULTS: Config = {
  network: 'main',
  node_url: 'http://127.0.0.1:8232',
  node_cookie_file: null,
  node_url_over_http: null,
  compact_server_url: 'http://127.0.0.1:9067',
  block_source: 'auto',
  public_servers: null,
  peers: 'auto',
  broadcast: 'source',
  proxy: null,
  proxy_isolation: true,
  last_scan_height: null,
  backed_up_wallet: null,
  last_scan_wallet: null,
  last_scan_writes: null,
  payment_writes: null,
  theme: 'system',
  min_confirmations: 1,
  fee_per_action: 5000,
  change_notes: 4,
  invoice_one_confirmation_below: 10_000_000,
  price_source: null,
  price_max_age_minutes: 10,
  rates_file: null,
  datev: null,
  auto_lock_seconds: 900,
  allowed_origins: [],
  anonymous_access: 'full',
  restrict_db_path: false,
  compact_tail_blocks: 10_000,
  follow: false,
  follow_keep_open: false,
  complete_transactions: true,
  skip_emptied_pools: false,
  scan_kernel: 'auto',
  broadcast_needs_password: false,
  own_signer: true,
  rebroadcast: false,
  verify_regtest_proofs: false,
  fleet_redis_url: null,
  fleet_redis_password_file: null,
  fleet_key_file: null,
  fleet_double_jobs: 0.02,
  log_level: null,
  behind_after_seconds: 3_600,
  disk_low_bytes: 1_000_000_000,
  on_event: [],
  prover: null,
  signer: null,
  sapling_params: null,
  activation_heights: {},
};

test('without a file the defaults hold and nothing is created', (t) => {
  const folder = path.join(temporaryFolder(t), 'not', 'there');
  t.deepEqual(openConfigFile({ configDir: folder }).get(), MAIN_DEFAULTS);
  t.false(fs.existsSync(folder));
});

test('missing keys take their defaults, which follow the network', (t) => {
  const folder = writeConfig(t, '{"network": "regtest", "theme": "dark"}');
  const config = openConfigFile({ configDir: folder }).get();
  t.deepEqual(config, {
    ...MAIN_DEFAULTS,
    network: 'regtest',
    theme: 'dark',
    node_url: 'http://127.0.0.1:18232',
  });
  t.is(openConfigFile({ configDir: folder, overrides: { network: 'test' } }).get().network, 'test');
});

test('a change is written for its owner alone, keeps unknown keys and layout, and is there after a restart', async (t) => {
  const folder = writeConfig(t, '{\n    "mine": {"a": 12345678901234567890},\n    "theme": "dark"\n}\n');
  const file = openConfigFile({ configDir: folder });
  const config = await file.update({ theme: 'light', last_scan_height: 7 });
  t.is(config.theme, 'light');
  t.is(
    read(folder),
    '{\n    "mine": {"a": 12345678901234567890},\n    "theme": "light",\n  "last_scan_height": 7\n}\n',
  );
  t.deepEqual(openConfigFile({ configDir: folder }).get(), config);
  t.deepEqual(fs.readdirSync(folder), ['config.json']);
  if (process.platform !== 'win32') t.is(permissions(path.join(folder, 'config.json')), 0o600);
});

test('the first change creates folder and file, with that key only', async (t) => {
  const folder = path.join(temporaryFolder(t), 'config', 'deep');
  await openConfigFile({ configDir: folder }).update({ theme: 'light' });
  t.is(read(folder), '{\n  "theme": "light"\n}\n');
  if (process.platform !== 'win32') t.is(permissions(folder), 0o700);
});

test('what the command line says is in force and never written, until it is changed while running', async (t) => {
  const folder = writeConfig(t, '{"node_url": "http://file:1"}');
  const file = openConfigFile({ configDir: folder, overrides: { node_url: 'http://flag:2' } });
  t.is(file.get().node_url, 'http://flag:2');
  t.is((await file.update({ theme: 'dark' })).node_url, 'http://flag:2');
  t.false(read(folder).includes('flag'));
  t.is((await file.update({ node_url: 'http://set:3' })).node_url, 'http://set:3');
  t.is(openConfigFile({ configDir: folder }).get().node_url, 'http://set:3');
});

test('changes asked for at once are all written', async (t) => {
  const folder = temporaryFolder(t);
  const file = openConfigFile({ configDir: folder });
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      file.update(i % 2 ? { last_scan_height: i } : { auto_lock_seconds: i }),
    ),
  );
  const config = openConfigFile({ configDir: folder }).get();
  t.is(config.last_scan_height, 19);
  t.is(config.auto_lock_seconds, 18);
});

test('the file may be a link; the link stays', async (t) => {
  const folder = temporaryFolder(t);
  const elsewhere = writeConfig(t, '{"theme": "dark"}');
  fs.symlinkSync(path.join(elsewhere, 'config.json'), path.join(folder, 'config.json'));
  await openConfigFile({ configDir: folder }).update({ theme: 'light' });
  t.true(fs.lstatSync(path.join(folder, 'config.json')).isSymbolicLink());
  t.is(read(elsewhere), '{"theme": "light"}');
});

const BROKEN: readonly (readonly [title: string, text: string | Uint8Array, expected: RegExp])[] = [
  ['a missing comma', '{\n "theme": "dark"\n "network": "main"\n}', /config\.json, line 3: expected ","/],
  ['an empty file', '', /line 1: expected an object/],
  ['a list', '[]', /line 1: expected an object/],
  ['a key that stands twice', '{"theme": "dark",\n"theme": "dark"}', /line 2: the key "theme" stands twice/],
  ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), /not UTF-8/],
  ['an unknown theme', '{\n\n"theme": "drak"}', /line 3: "theme"/],
  ['an unknown network', '{"network": "mainnet"}', /line 1: "network"/],
  ['a number as text', '{"last_scan_height": "7"}', /"last_scan_height": must be an integer\. /],
  ['a negative height', '{"last_scan_height": -2}', /"last_scan_height"/],
  ['a broken height', '{"last_scan_height": 1.5}', /"last_scan_height"/],
  ['no confirmations', '{"min_confirmations": 0}', /"min_confirmations": must be at least 1\. /],
  ['an auto-lock longer than timers hold', '{"auto_lock_seconds": 9999999}', /"auto_lock_seconds"/],
  ['more jobs for two workers than there are', '{"fleet_double_jobs": 1.5}', /"fleet_double_jobs"/],
  ['a URL of another scheme', '{"node_url": "ftp://x"}', /"node_url"/],
  ['a compact server without a port', '{"compact_server_url": "localhost"}', /"compact_server_url"/],
  [
    'a relative cookie file',
    '{"node_cookie_file": ".cookie"}',
    /"node_cookie_file": must be an absolute path/,
  ],
  ['an origin with a path', '{"allowed_origins": ["chrome-extension://abc/"]}', /"allowed_origins\.0"/],
  ['every origin', '{"allowed_origins": ["*"]}', /"allowed_origins\.0"/],
  ['the null origin', '{"allowed_origins": ["null"]}', /"allowed_origins\.0"/],
  ['a web origin', '{"allowed_origins": ["https://example.com"]}', /"allowed_origins\.0"/],
  [
    'an unknown upgrade',
    '{"activation_heights": {"nu55": 1}}',
    /"activation_heights": has an unknown key: nu55\. /,
  ],
  ['a negative activation height', '{"activation_heights": {"nu5": -1}}', /"activation_heights\.nu5"/],
];

for (const [title, text, expected] of BROKEN) {
  test(`${title} stops the start, is named, and stays as it is`, async (t) => {
    const folder = writeConfig(t, text);
    const before = fingerprintsOf(folder);
    const error = await failureOf(t, 'INVALID_REQUEST', () => openConfigFile({ configDir: folder }));
    t.regex(error.message, expected);
    t.deepEqual(fingerprintsOf(folder), before);
  });
}

test('all wrong values are reported at once, and none is repeated', async (t) => {
  const folder = writeConfig(t, '{"node_url": "http://me:hunter2@x",\n"theme": 1}');
  const error = await failureOf(t, 'INVALID_REQUEST', () => openConfigFile({ configDir: folder }));
  t.regex(error.message, /line 1: "node_url".*line 2: "theme"/);
  t.notRegex(error.message, /hunter2/);
  t.deepEqual(
    error.errors?.map((problem) => problem.path),
    ['node_url', 'theme'],
  );
});

test('a wrong flag is refused like a wrong value', async (t) => {
  const overrides = { node_url: 'gopher://x' };
  await failureOf(t, 'INVALID_REQUEST', () => openConfigFile({ configDir: temporaryFolder(t), overrides }));
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;

asRoot("another user's configuration is refused and left as it is", async (t) => {
  const folder = writeConfig(t, '{"node_url": "http://192.0.2.1:8232"}');
  fs.chownSync(path.join(folder, 'config.json'), 65_534, 65_534);
  const error = await failureOf(t, 'INVALID_REQUEST', () => openConfigFile({ configDir: folder }));
  t.regex(error.message, /config\.json belongs to another user/);
  t.is(fs.statSync(path.join(folder, 'config.json')).uid, 65_534);
});

test('a folder in its place is reported', async (t) => {
  const folder = temporaryFolder(t);
  fs.mkdirSync(path.join(folder, 'config.json'));
  await failureOf(t, 'INVALID_REQUEST', () => openConfigFile({ configDir: folder }));
});

test('when a change cannot be written the old values stay in force', async (t) => {
  const blocked = path.join(temporaryFolder(t), 'sub');
  const file = openConfigFile({ configDir: blocked });
  fs.writeFileSync(blocked, 'a file where the folder should be');
  await failureOf(t, 'STORAGE_FAILED', () => file.update({ theme: 'dark' }));
  t.is(file.get().theme, 'system');
});

test('origins of extensions and of pages on this machine are accepted', (t) => {
  const allowed_origins = [
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'moz-extension://0d3f6a58-7c59-4b9c-9d5c-2f2c3f1f8a11',
    'tauri://localhost',
    'http://localhost:5173',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
  ];
  const folder = writeConfig(t, JSON.stringify({ allowed_origins }));
  t.deepEqual(openConfigFile({ configDir: folder }).get().allowed_origins, allowed_origins);
});

test('an upgrade can be set to never on regtest', async (t) => {
  const folder = writeConfig(t, '{"network": "regtest", "activation_heights": {"nu5": 10, "nu6_3": null}}');
  const file = openConfigFile({ configDir: folder });
  t.deepEqual(file.get().activation_heights, { nu5: 10, nu6_3: undefined });
  t.true(Object.hasOwn(file.get().activation_heights, 'nu6_3'));
  await file.update({ activation_heights: { nu7: undefined } });
  t.deepEqual(JSON.parse(read(folder)).activation_heights, { nu7: null });
});

test('an edit while running: what is reloaded is taken, and nothing of it is lost by what is written later', async (t) => {
  const configDir = temporaryFolder(t);
  const file = path.join(configDir, 'config.json');
  fs.writeFileSync(file, '{"theme": "light", "allowed_origins": []}');
  const config = openConfigFile({ configDir });
  fs.writeFileSync(
    file,
    '{"theme": "dark", "log_level": "warn", "allowed_origins": ["chrome-extension://abc"]}',
  );
  t.like(await config.reload(), {
    theme: 'light',
    log_level: 'warn',
    allowed_origins: ['chrome-extension://abc'],
  });
  t.is((await config.update({ min_confirmations: 3 })).theme, 'light', 'until the next start');
  t.deepEqual(JSON.parse(fs.readFileSync(file, 'utf8')), {
    theme: 'dark',
    allowed_origins: ['chrome-extension://abc'],
    log_level: 'warn',
    min_confirmations: 3,
  });
  for (const wrong of ['{', '{"log_level": "loud"}', '{"log_level": null, "theme": "pink"}']) {
    fs.writeFileSync(file, wrong);
    await t.throwsAsync(config.reload(), { instanceOf: CompanionError });
    t.like(config.get(), { log_level: 'warn', allowed_origins: ['chrome-extension://abc'] });
  }
  t.is((await config.update({ min_confirmations: 4 })).min_confirmations, 4);
  const rejected = path.join(configDir, 'config.rejected.json');
  t.is(
    fs.readFileSync(rejected, 'utf8'),
    '{"log_level": null, "theme": "pink"}',
    'what had mistakes is kept',
  );
  if (process.platform !== 'win32') t.is(permissions(rejected), 0o600);
  t.like(JSON.parse(fs.readFileSync(file, 'utf8')), { log_level: 'warn', theme: 'dark' });
  fs.rmSync(file);
  t.like(await config.reload(), { log_level: null, allowed_origins: [] });
});

test('a reload keeps what the command line overrides for the run, unless the file now says something else', async (t) => {
  const configDir = writeConfig(t, '{"auto_lock_seconds": 60}');
  const config = openConfigFile({ configDir, overrides: { auto_lock_seconds: 0 } });
  const edit = (text: string) => fs.writeFileSync(path.join(configDir, 'config.json'), text);
  edit('{"auto_lock_seconds": 60, "min_confirmations": 5}');
  t.like(await config.reload(), { auto_lock_seconds: 0, min_confirmations: 5 });
  edit('{"auto_lock_seconds": 61}');
  t.like(await config.reload(), { auto_lock_seconds: 61, min_confirmations: 1 });
});

test('a command that writes at the same moment loses nothing and takes nothing away', async (t) => {
  const configDir = temporaryFolder(t);
  const [companion, command] = [openConfigFile({ configDir }), openConfigFile({ configDir })];
  for (let height = 1; height <= 20; height++)
    await Promise.all([
      companion.update({ last_scan_height: height }),
      command.update({ min_confirmations: height }),
    ]);
  t.like(JSON.parse(read(configDir)), { last_scan_height: 20, min_confirmations: 20 });
});

test('the counters of the companion do not go back with an edited file', async (t) => {
  const configDir = writeConfig(t, '{"last_scan_writes": 7}');
  const config = openConfigFile({ configDir });
  await config.update({ last_scan_writes: 8, last_scan_height: 100 });
  fs.writeFileSync(path.join(configDir, 'config.json'), '{"last_scan_writes": 7, "rebroadcast": true}');
  await config.update({ theme: 'dark' });
  t.deepEqual(JSON.parse(read(configDir)), {
    last_scan_writes: 8,
    rebroadcast: true,
    last_scan_height: 100,
    theme: 'dark',
  });
});

test('the source that follow mode had in earlier versions is the block source, not beside a node that all else asked', (t) => {
  const sourceIn = (values: object) => {
    const config = openConfigFile({ configDir: writeConfig(t, JSON.stringify(values)) });
    t.deepEqual(config.warnings(), []);
    return config.get().block_source;
  };
  t.is(sourceIn({ follow_source: 'compact' }), 'compact');
  t.is(sourceIn({ follow_source: 'node', compact_server_url: 'http://127.0.0.1:1' }), 'node');
  t.is(sourceIn({ follow_source: 'compact', node_url: 'http://127.0.0.1:1' }), 'auto');
  t.is(sourceIn({ follow_source: 'node', block_source: 'compact' }), 'compact');
});

test('an unknown key is named with its line and what it may be meant for, and kept', async (t) => {
  const text = `{
  "network": "regtest",
  "min_confirmation": 3,
  "autoLockSeconds": 0,
  "alowed_orgins": [],
  "themes": "dark",
  "x_notes": "mine",
  "follower": true
}
`;
  const folder = writeConfig(t, text);
  const file = openConfigFile({ configDir: folder });
  t.deepEqual(file.warnings(), [
    'config.json, line 3: "min_confirmation" is no setting and changes nothing; did you mean "min_confirmations"?',
    'config.json, line 4: "autoLockSeconds" is no setting and changes nothing; did you mean "auto_lock_seconds"?',
    'config.json, line 5: "alowed_orgins" is no setting and changes nothing; did you mean "allowed_origins"?',
    'config.json, line 6: "themes" is no setting and changes nothing; did you mean "theme"?',
    'config.json, line 7: "x_notes" is no setting and changes nothing.',
    'config.json, line 8: "follower" is no setting and changes nothing; did you mean "follow"?',
  ]);
  await file.update({ theme: 'dark' });
  t.regex(read(folder), /"min_confirmation": 3/);
  t.deepEqual(
    openConfigFile({ configDir: writeConfig(t, '{"config_version": 1, "theme": "dark"}') }).warnings(),
    [],
  );
});

test('a value that is wrong is named with its key, its line and what it may be', (t) => {
  for (const [line, says] of [
    ['"theme": "drak"', '"theme": must be one of system, light, dark'],
    ['"min_confirmations": "3"', '"min_confirmations": must be an integer'],
    ['"follow": "yes"', '"follow": must be of type boolean'],
    ['"activation_heights": {"nu8": 5}', '"activation_heights": has an unknown key: nu8'],
    ['"log_level": "loud"', '"log_level": must be one of '],
  ] as const) {
    const error = t.throws(() => openConfigFile({ configDir: writeConfig(t, `{\n  ${line}\n}\n`) }));
    t.true(error?.message.startsWith(`config.json, line 2: ${says}`), error?.message);
  }
});
