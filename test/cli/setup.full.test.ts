// The first ten minutes as a person types them, and as a script tells them: what fails is said and asked again, and
// nothing is left half.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { accountsUr, urParts } from '@wallet-companion/devices/ur';
import { Devnet } from '@wallet-companion/devnet';
import { PeerServer } from '@wallet-companion/devnet/servers';
import { FINGERPRINT, keysOf, PARAMS } from '@wallet-companion/pczt/test/spendingAccount';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import test, { type ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { openLocal } from '../../src/composition/openLocal.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { failure, ok, unwrap } from '../../src/protocol/result.ts';
import { CliProcess, secretFile, temporaryFolder } from '../helpers/cliProcess.ts';
import { FakeLink } from '../helpers/fakeLink.ts';

const ENTER = '\r';
const DOWN = '\u001b[B';
/** Where there is no public server, and where there are some, and peers. */
const BY_ADDRESS = DOWN + ENTER;
const BY_ADDRESS_BELOW_LIST = DOWN + DOWN + BY_ADDRESS;
const CTRL_C = '\u0003';
const BACKSPACE = '\u007f';
const PASSWORD = 'correct horse';
const PHRASE = `${'abandon '.repeat(11)}about`;
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';

const wholeScreen = (cli: CliProcess): string => cli.screen.rows.join('\n');

/** A terminal on a fresh data directory, and the servers of an embedded chain. */
async function bed(t: ExecutionContext, terminal = true) {
  const devnet = new Devnet({ seed: 'setup' });
  t.teardown(() => devnet.close());
  devnet.mineEmpty(150);
  const folders = { configDir: temporaryFolder(t), dataDir: temporaryFolder(t) };
  const words = ['--config-dir', folders.configDir, '--data-dir', folders.dataDir, '--network', 'regtest'];
  const local = { ...folders, network: 'regtest' } as const;
  const cli = new CliProcess({ terminal, open: openLocal });
  const after = async <T>(look: (link: Awaited<ReturnType<typeof openLocal>>['link']) => Promise<T>) => {
    const { link, close } = await openLocal(local);
    return look(link).finally(close);
  };
  const state = () =>
    after(async (link) => {
      const config = unwrap(await link.dispatch('config.get', {}, { requestId: 't' }));
      return {
        exists: unwrap(await link.dispatch('wallet.exists', {}, { requestId: 't' })).exists,
        follow: unwrap(await link.dispatch('follow.get', {}, { requestId: 't' })).enabled,
        server: config.compact_server_url,
        source: config.block_source,
        birthday: config.birthday_height,
      };
    });
  return { devnet, cli, words, state, after, ...folders };
}

/** The answers up to the phrase. */
const upToPhrase = (server: string): (readonly [string, string])[] => [
  ['Where do blocks come from?', BY_ADDRESS],
  ['Address of the compact-block server', server + ENTER],
  ['at block', ''],
  ['Which wallet?', ENTER],
  ['A password for the wallet', PASSWORD + ENTER],
  ['The password again', PASSWORD + ENTER],
];

/** Reads the phrase from the screen, where it stands numbered in two columns, and says that it is written. */
async function writeDown(t: ExecutionContext, cli: CliProcess): Promise<string[]> {
  await cli.whenShown('Press Enter when it is on paper');
  const rows = cli.screen.rows.filter((row) => /^ +\d+ [a-z]+ +\d+ [a-z]+$/.test(row));
  t.is(rows.length, 12);
  const words: string[] = [];
  for (const row of rows)
    for (const [, number, word = ''] of row.matchAll(/(\d+) ([a-z]+)/g)) words[Number(number) - 1] = word;
  cli.type(ENTER);
  return words;
}

/** The answers with the words that are asked for, where `ASKED` was drawn. */
const wordsBack = (phrase: readonly string[]): (readonly [string, string])[] =>
  [1, 12, 24].map((number) => [`Word ${number} of your phrase`, phrase[number - 1] + ENTER]);
/** Draws the numbers 1, 12 and 24 of 24 words. */
const ASKED = [0.99, 0.5, 0];

test('a wrong server first, then a good one, and words asked back', async (t) => {
  const { cli, words, state, devnet } = await bed(t);
  const server = await devnet.compact.listen();
  const ending = cli.run('setup', ...words);
  await cli.talk([
    ['Where do blocks come from?', BY_ADDRESS],
    ['Address of the compact-block server', NOWHERE + ENTER],
    ['COMPACT_SERVER_UNREACHABLE', ''],
    ['What now?', ENTER],
    ['Address of the compact-block server', `not an address${ENTER}`],
    ['INVALID_URL', ''],
    ['What now?', ENTER],
    ...upToPhrase(server).slice(1, 4),
    ['A password for the wallet', `short${ENTER}`],
    ['at least 8 characters', `${BACKSPACE.repeat(5)}${PASSWORD}${ENTER}`],
    ['The password again', `another${ENTER}`],
    ['The two passwords are not the same', ''],
    ...upToPhrase(server).slice(4),
  ]);
  const first = await writeDown(t, cli);
  t.is(first.length, 24);
  await cli.talk([
    ['Word 1 of your phrase', `wrong${ENTER}`],
    ['Word 1 is another one', ''],
  ]);
  cli.randoms.push(...ASKED);
  t.deepEqual(await writeDown(t, cli), first);
  await cli.talk([
    ...wordsBack(first),
    ['Scan new blocks as they come', 'y'],
    ['Have systemd run it', 'n'],
    ['Start it now?', 'n'],
  ]);
  const { code, stdout } = await ending;
  t.is(code, 0);
  t.is(stdout, '');
  t.deepEqual(await state(), { exists: true, follow: true, server, source: 'compact', birthday: 50 });
  const screen = wholeScreen(cli);
  t.regex(screen, /Start it: wallet-companion serve/);
  t.regex(screen, /http:\/\/127\.0\.0\.1:3000\//);
  t.false(screen.includes(first.slice(0, 2).join(' ')) || screen.includes(`2 ${first[1]}`));
  t.is(cli.listeners, 0);
});

test('a public server is chosen from the list once each was asked, with what it sees and how long the scan takes', async (t) => {
  const { cli, words, state, devnet, configDir } = await bed(t);
  const server = await devnet.compact.listen();
  const public_servers = [
    { compact_server_url: NOWHERE, operator: 'Somebody', network: 'regtest' },
    { compact_server_url: server, operator: 'The devnet', where: 'here', network: 'regtest' },
    { compact_server_url: 'https://main.example', operator: 'Another chain', network: 'main' },
  ];
  writeFileSync(path.join(configDir, 'config.json'), JSON.stringify({ public_servers }), { mode: 0o600 });
  const ending = cli.run('setup', ...words, '--no-follow', '--no-service', '--no-serve');
  await cli.talk([
    ['Where do blocks come from?', DOWN + ENTER],
    ['It learns your network address and which transactions are yours', ''],
    ['Which server?', ''],
    ['COMPACT_SERVER_UNREACHABLE', DOWN],
    ['The devnet; here; at block 150', ENTER],
    ...upToPhrase(server).slice(2),
  ]);
  cli.randoms.push(...ASKED);
  const phrase = await writeDown(t, cli);
  await cli.talk([...wordsBack(phrase), ['To scan: 101 blocks, about 1 MB to receive', '']]);
  t.is((await ending).code, 0);
  t.like(await state(), { exists: true, server });
  t.notRegex(wholeScreen(cli), /main\.example/);
});

test('peers are chosen where config.json names some, once their cost is shown; another run takes them by a flag', async (t) => {
  const { cli, words, state, devnet, configDir } = await bed(t);
  const peer = new PeerServer(devnet);
  t.teardown(() => peer.close());
  const file = path.join(configDir, 'config.json');
  const write = (peers: boolean | string[]) =>
    writeFileSync(file, JSON.stringify({ peers }), { mode: 0o600 });
  const address = await peer.listen();
  write([address]);
  const ending = cli.run('setup', ...words, '--no-follow', '--no-service', '--no-serve');
  await cli.talk([
    ['Where do blocks come from?', DOWN + ENTER],
    ['Peers are computers of the network', ''],
    ['All blocks from 1 on come first: about 1 MB', ''],
    ['Take blocks from peers?', 'n'],
    ['Where do blocks come from?', DOWN + ENTER],
    ['Take blocks from peers?', 'y'],
    ['Blocks come from peers of the network now', ''],
    ...upToPhrase('').slice(3),
  ]);
  cli.randoms.push(...ASKED);
  const phrase = await writeDown(t, cli);
  await cli.talk([...wordsBack(phrase), ['To scan: 101 blocks, about 1 MB to receive', '']]);
  t.is((await ending).code, 0);
  // Below the tip that a peer shows.
  t.like(await state(), { exists: true, source: 'peers', birthday: 50 });

  write(false);
  const script = new CliProcess({ open: openLocal });
  const refused = await script.run('setup', ...words, '--peers', '--no-follow');
  t.is(refused.code, 6);
  t.regex(refused.stderr, /Peers of the network are off/);
  t.is((await state()).source, 'auto');
  write([address]);
  t.is((await script.run('setup', ...words, '--peers', '--no-follow')).code, 0);
  t.is((await state()).source, 'peers');
});

test('a service is asked what is open without a grant, and the page is opened by a link then', async (t) => {
  const { cli, words, devnet } = await bed(t);
  const server = await devnet.compact.listen();
  const ending = cli.run('setup', ...words, '--no-follow');
  await cli.talk(upToPhrase(server));
  cli.randoms.push(...ASKED);
  const phrase = await writeDown(t, cli);
  await cli.talk([
    ...wordsBack(phrase),
    ['Have systemd run it', 'y'],
    ['What may programs do that have no grant', ENTER],
  ]);
  t.is((await ending).code, 0);
  t.like(cli.services[0], { more: { anonymousAccess: 'none' } });
  t.regex(
    wholeScreen(cli).replaceAll(/\s+/g, ' '),
    /"wallet-companion dashboard .*" prints a link that opens it/,
  );
});

test('Ctrl-C before the words are asked back leaves no wallet, and its file aside', async (t) => {
  const { cli, words, state, devnet } = await bed(t);
  const server = await devnet.compact.listen();
  const ending = cli.run('setup', ...words);
  await cli.talk(upToPhrase(server));
  await writeDown(t, cli);
  await cli.talk([['Word 1 of your phrase', CTRL_C]]);
  t.is((await ending).code, 130);
  t.regex(wholeScreen(cli), /put aside as wallet\.dat\.removed/);
  t.deepEqual(await state(), { exists: false, follow: false, server, source: 'compact', birthday: null });
});

test('Ctrl-C, the end of input and a hangup end each question with 130', async (t) => {
  for (const leave of [
    (cli: CliProcess) => cli.type(CTRL_C),
    (cli: CliProcess) => cli.type('\u0004'),
    (cli: CliProcess) => cli.interrupt(),
    (cli: CliProcess) => void cli.keyboard.end(),
  ]) {
    const cli = new CliProcess({ terminal: true });
    cli.endsHere = true;
    cli.link.answerWith('wallets.list', () => ok({ wallets: [], most_open: 16 }));
    const ending = cli.run('setup');
    await cli.whenShown('Where do blocks come from?');
    leave(cli);
    t.is((await ending).code, 130);
    t.is(cli.keyboard.rawModes.at(-1), false);
    t.is(cli.closed, 1);
    t.deepEqual(
      cli.link.calls.map(({ name }) => name),
      ['wallets.list', 'lwd.servers', 'system.status'],
    );
    t.is(cli.listeners, 0);
  }
});

test('a script sets everything by flags and gets the body of what made the wallet', async (t) => {
  const { cli, words, state, devnet } = await bed(t, false);
  const server = await devnet.compact.listen();
  const folder = temporaryFolder(t);
  const secrets = [
    '--password-file',
    secretFile(folder, 'password', PASSWORD),
    '--mnemonic-file',
    secretFile(folder, 'phrase', PHRASE),
  ];
  const flags = ['--birthday-height', '1', '--follow', '--json'];
  const wrong = await cli.run('setup', ...words, ...secrets, ...flags, '--compact-server-url', NOWHERE);
  t.is(wrong.code, 6);
  t.like(await state(), { exists: false, follow: false });
  const { code, stdout, stderr } = await cli.run(
    'setup',
    ...words,
    ...secrets,
    ...flags,
    '--compact-server-url',
    server,
  );
  t.is(code, 0);
  t.is(stderr, '');
  t.like(JSON.parse(stdout), { birthday_height: 1, network: 'regtest', unlocked: true });
  t.deepEqual(await state(), { exists: true, follow: true, server, source: 'compact', birthday: 1 });
  const again = await cli.run('setup', ...words, ...secrets, '--json');
  t.is(JSON.parse(again.stdout).code, 'WALLET_EXISTS');
});

test('without a terminal, what is missing names its flags, and a new phrase is printed', async (t) => {
  const password = secretFile(temporaryFolder(t), 'password', PASSWORD);
  const cli = new CliProcess();
  cli.endsHere = true;
  cli.link.answerWith('wallets.list', () => ok({ wallets: [], most_open: 16 }));
  t.regex(
    (await cli.run('setup', '--yes')).stderr,
    /--create, --mnemonic-file, --viewing-key-file or --scan/,
  );
  t.regex((await cli.run('setup', '--create')).stderr, /--password-file or --password-fd/);
  t.is((await cli.run('setup', '--create', '--viewing-key-file', 'x')).code, 2);
  t.is((await cli.run('setup', '--scan', 'x', '--viewing-key-file', 'x')).code, 2);
  const line = ['setup', '--create', '--word-count', '12', '--password-file', password, '--port', '4000'];
  const { code, stdout, stderr } = await cli.run(...line);
  t.is(code, 0);
  t.regex(stdout, /abandon abandon/);
  t.regex(stderr, /serve --port 4000\n.*http:\/\/127\.0\.0\.1:4000\//);
  t.deepEqual(cli.link.calls.at(-1)?.input, { word_count: 12, password: PASSWORD });
  await cli.run(...line, '--service', '--anonymous-access', 'read');
  t.like(cli.services[0], {
    options: { port: 4000 },
    more: { print: false, anonymousAccess: 'read' },
    passwordFile: password,
  });
  t.is((await cli.run(...line, '--service', '--anonymous-access', 'some')).code, 2);
  await cli.run(...line, '--serve');
  t.deepEqual(cli.passwords, [PASSWORD]);
});

test('another network and a node that asks for its cookie: the companion is opened again with both', async (t) => {
  const link = new FakeLink();
  const cli = new CliProcess({ terminal: true, behind: link });
  cli.endsHere = true;
  const cookie = path.resolve('my.cookie');
  link.answerWith('wallets.list', () => ok({ wallets: [], most_open: 16 }));
  link.answerWith('system.version', () => ok({ ...examples['system.version'].output, network: 'test' }));
  link.answerWith('config.get', () =>
    ok({ ...examples['config.get'].output, network: cli.opened.length > 1 ? 'test' : 'main' }),
  );
  link.answerWith('config.node_url', () =>
    cli.settings.node_cookie_file === cookie
      ? ok(examples['config.get'].output)
      : { ok: false, error: { code: 'NODE_UNAUTHORIZED', detail: 'It wants its cookie.' } },
  );
  link.failWith('wallet.import_viewing_key', { code: 'INVALID_VIEWING_KEY', detail: 'That is no key.' });
  const ending = cli.run('setup', '--no-follow', '--no-service', '--serve');
  await cli.talk([
    ['Where do blocks come from?', DOWN + BY_ADDRESS_BELOW_LIST],
    ['Which network?', DOWN + ENTER],
    ['Where do blocks come from?', ENTER],
    ['Address of the node', ENTER],
    ['Its cookie file', `wrong.cookie${ENTER}`],
    ['NODE_UNAUTHORIZED', ''],
    ['What now?', ENTER],
    ['Address of the node', ENTER],
    ['Its cookie file', `my.cookie${ENTER}`],
    ['Which wallet?', DOWN + DOWN + ENTER],
    ['The viewing key', `nonsense${ENTER}`],
    ['Block before which it held nothing', `12${ENTER}`],
    ['A password for the wallet', PASSWORD + ENTER],
    ['The password again', PASSWORD + ENTER],
    ['INVALID_VIEWING_KEY', ''],
  ]);
  link.answerWith('wallet.import_viewing_key', () => ok(examples['wallet.import_viewing_key'].output));
  await cli.talk([
    ['The viewing key', `uview1key${ENTER}`],
    ['Block before which it held nothing', ENTER],
    ['A password for the wallet', PASSWORD + ENTER],
    ['The password again', PASSWORD + ENTER],
  ]);
  t.is((await ending).code, 0);
  const made = link.calls.filter(({ name }) => name === 'wallet.import_viewing_key');
  t.deepEqual(
    made.map(({ input }) => input),
    [
      { viewing_key: 'nonsense', birthday_height: 12, password: PASSWORD },
      { viewing_key: 'uview1key', password: PASSWORD },
    ],
  );
  t.deepEqual(cli.opened.at(-1), { network: 'test' });
  t.is(cli.opened.length, 4);
  t.is(cli.closed, 4);
  t.deepEqual(cli.served, [{ network: 'test', port: 3000, follow: false }]);
  t.deepEqual(link.calls.at(-1)?.input, { enabled: false });
  t.deepEqual(inputOf(link, 'config.block_source'), { source: 'node' });
});

test('a companion that runs is set up through it: no network, no service, and its dashboard at the end', async (t) => {
  const link = new FakeLink();
  const running = new CliProcess({
    terminal: true,
    open: async () => ({ link, url: 'http://127.0.0.1:3456', close: async () => {} }),
  });
  const ending = running.run('setup');
  await running.talk([
    ['Where do blocks come from?', BY_ADDRESS_BELOW_LIST],
    ['Address of the compact-block server', ENTER],
    ['There is a wallet already', ''],
    ['Scan new blocks as they come', 'n'],
  ]);
  t.is((await ending).code, 0);
  t.regex(wholeScreen(running), /The dashboard: http:\/\/127\.0\.0\.1:3456\//);
  t.deepEqual(
    link.calls.map(({ name }) => name),
    [
      'wallets.list',
      'lwd.servers',
      'system.status',
      'config.get',
      'lwd.chain_tip',
      'config.compact_server_url',
      'config.block_source',
      'sync.estimate',
      'follow.set',
    ],
  );
});

const inputOf = (link: FakeLink, name: string): unknown =>
  link.calls.find((call) => call.name === name)?.input;

test('a server of another network leads back to the network, and without systemd the companion serves at the end', async (t) => {
  const link = new FakeLink();
  const cli = new CliProcess({ terminal: true, behind: link });
  cli.endsHere = true;
  cli.hasSystemd = false;
  link.answerWith('system.version', () => ok({ ...examples['system.version'].output, network: 'test' }));
  link.answerWith('wallets.list', () => ok({ wallets: [], most_open: 16 }));
  link.answerWith('lwd.chain_tip', () =>
    cli.opened.length > 1
      ? ok(examples['lwd.chain_tip'].output)
      : { ok: false, error: { code: 'NETWORK_MISMATCH', detail: 'It is of the network "test".' } },
  );
  const ending = cli.run('setup', '--create', '--no-follow');
  await cli.talk([
    ['Where do blocks come from?', BY_ADDRESS_BELOW_LIST],
    ['Address of the compact-block server', ENTER],
    ['NETWORK_MISMATCH', ''],
    ['What now?', ENTER],
    ['Which network?', DOWN + ENTER],
    ['Where do blocks come from?', BY_ADDRESS_BELOW_LIST],
    ['Address of the compact-block server', ENTER],
    ['A password for the wallet', PASSWORD + ENTER],
    ['The password again', PASSWORD + ENTER],
    ['Press Enter when it is on paper', ENTER],
    ['Word 1 of your phrase', `abandon${ENTER}`],
    ['Word 2 of your phrase', `abandon${ENTER}`],
    ['Word 3 of your phrase', `abandon${ENTER}`],
    ['Start it now?', ENTER],
    ['The dashboard, in a browser: http://127.0.0.1:3000/', ''],
  ]);
  t.is((await ending).code, 0);
  t.deepEqual(inputOf(link, 'config.block_source'), { source: 'compact' });
  t.like(cli.served, [{ network: 'test', port: 3000 }]);
});

test('a phrase, a month and a password that are none are asked for again at once', async (t) => {
  const link = new FakeLink();
  link.answerWith('wallets.list', () => ok({ wallets: [], most_open: 16 }));
  const cli = new CliProcess({ terminal: true, open: async () => ({ link, close: async () => {} }) });
  const ending = cli.run('setup');
  await cli.talk([
    ['Where do blocks come from?', BY_ADDRESS_BELOW_LIST],
    ['Address of the compact-block server', ENTER],
    ['Which wallet?', DOWN + ENTER],
    ['The recovery phrase', ENTER],
    ['Type or paste it.', `back${ENTER}`],
    ['Which wallet?', DOWN + ENTER],
    ['The recovery phrase', `${PHRASE}x${ENTER}`],
    ['Word 12 of the recovery phrase', `${BACKSPACE.repeat(6)}abandon${ENTER}`],
    ['checksum', `${BACKSPACE.repeat(7)}about${ENTER}`],
    ['Month before which it held nothing', `2021-13${ENTER}`],
    ['Type a month', `${BACKSPACE}${BACKSPACE}06${ENTER}`],
    ['A password for the wallet', ENTER],
    ['A password must', PASSWORD + ENTER],
    ['The password again', PASSWORD + ENTER],
    ['Scan new blocks as they come', 'n'],
  ]);
  t.is((await ending).code, 0);
  t.deepEqual(inputOf(link, 'wallet.restore'), {
    mnemonic: PHRASE,
    birthday: '2021-06',
    password: PASSWORD,
  });
});

test('a script gives the passphrase of its phrase, and a failure that no answer mends ends setup', async (t) => {
  const folder = temporaryFolder(t);
  const cli = new CliProcess();
  cli.link.answerWith('wallets.list', () => ok({ wallets: [], most_open: 16 }));
  cli.link.answerWith('wallet.restore', () =>
    failure(new CompanionError('STORAGE_FAILED', 'The disk is full.')),
  );
  const { code, stderr } = await cli.run(
    'setup',
    '--mnemonic-file',
    secretFile(folder, 'phrase', PHRASE),
    '--bip39-passphrase-file',
    secretFile(folder, 'passphrase', 'more'),
    '--password-file',
    secretFile(folder, 'password', PASSWORD),
  );
  t.not(code, 0);
  t.regex(stderr, /The disk is full\. \(STORAGE_FAILED\)/);
  t.deepEqual(inputOf(cli.link, 'wallet.restore'), {
    mnemonic: PHRASE,
    bip39_passphrase: 'more',
    password: PASSWORD,
  });
});

test('an account of a device is watched from the text of its codes, and none is guessed', async (t) => {
  const accounts = [0, 7].map((index) => ({
    ufvk: encodeUnifiedViewingKey(keysOf(index), PARAMS),
    index,
    name: null,
  }));
  const { type, cbor } = accountsUr({ seedFingerprint: FINGERPRINT, accounts, deviceVersion: '13.0.2' });
  const { text } = urParts(type, cbor, { maxFragment: 10_000 }).next().value;
  const folder = temporaryFolder(t);
  const files = ['--scan', secretFile(folder, 'codes', text)];
  const password = ['--password-file', secretFile(folder, 'password', PASSWORD)];
  const cli = new CliProcess();
  cli.endsHere = true;
  cli.link.answerWith('wallets.list', () => ok({ wallets: [], most_open: 16 }));
  t.regex((await cli.run('setup', ...files, ...password)).stderr, /Choose one with --account-index/);
  t.false(cli.link.calls.some(({ name }) => name === 'wallet.import_viewing_key'));
  const { code, stderr } = await cli.run('setup', ...files, ...password, '--account-index', '7');
  t.is(code, 0, stderr);
  t.like(cli.link.calls.find(({ name }) => name === 'wallet.import_viewing_key')?.input, {
    viewing_key: accounts[1]!.ufvk,
    account_index: 7,
    device: 'keystone',
    device_version: '13.0.2',
    password: PASSWORD,
  });
});
