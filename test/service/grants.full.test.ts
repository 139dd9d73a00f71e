// Grants in the program as people run it, with two wallets that have received money: what a grant for one of them reads
// holds nothing of the other, its streams end with it, and another user of the machine reads nothing where nothing is open.

import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { requestTo } from '@wallet-companion/client/contract';
import test, { type ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { httpOnlyRoutes } from '../../src/protocol/httpOnly.ts';
import { isOfWallet, type OperationName, operationNames, operations } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { startDevnetService } from '../helpers/devnetService.ts';
import { EventReader } from '../helpers/eventStream.ts';
import { leastInput } from '../helpers/grantedInput.ts';

const PASSWORD = 'correct horse battery';
const SHOP = 'shop';
/** The default wallet's; no other number or text of the test contains them. */
const SECRETS = { zatoshi: 777_001_777, memo: 'for the owner alone' } as const;
const SHOPS = { zatoshi: 555_002_555, memo: 'for the shop' } as const;

type Answers = Record<string, unknown>;

async function world(t: ExecutionContext, anonymous_access: 'full' | 'read' | 'none') {
  const { devnet, service } = await startDevnetService(t, {
    seed: t.title,
    config: { auto_lock_seconds: 0, anonymous_access },
  });
  const owner = createSocketLink(socketPath(service.dataDir));
  t.teardown(() => owner.close());
  const call = async (name: OperationName, input: object = {}, wallet?: string): Promise<Answers> =>
    unwrap(
      await owner.dispatch(name, input, {
        requestId: 'owner',
        ...(wallet === undefined ? {} : { wallet }),
      }),
    ) as unknown as Answers;
  const addresses: string[] = [];
  for (const [wallet, paid] of [
    [undefined, SECRETS],
    [SHOP, SHOPS],
  ] as const) {
    const made = await call('wallet.create', { password: PASSWORD, birthday_height: 1 }, wallet);
    const address = String(made['unified_address']);
    addresses.push(address);
    devnet.payTo(address, { pool: 'sapling', ...paid });
  }
  for (const wallet of [undefined, SHOP]) await call('sync.run', {}, wallet);
  const grant = async (input: object): Promise<string> =>
    String((await call('grants.create', input))['token']);
  const read = async (
    target: string,
    token?: string,
    body?: string,
  ): Promise<{ status: number; text: string }> => {
    const response = await fetch(service.url + target, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        connection: 'close',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  };
  return { devnet, service, call, grant, read, addresses };
}

/** The requests of everything that is read, with the wallet in the path where there is one. */
function readingTargets(wallet: string | undefined): readonly string[] {
  const ofOperations = operationNames
    .filter((name) => operations[name].http.method === 'GET')
    .map((name) => {
      const { path: route } = operations[name].http;
      const inWallet = wallet !== undefined && isOfWallet(name);
      const { target } = requestTo('GET', route, leastInput(name));
      return inWallet ? target.replace('/api/', `/api/wallets/${wallet}/`) : target;
    });
  const others = Object.keys(httpOnlyRoutes).filter((route) => route !== '/api/events');
  return [...ofOperations, ...others, `/readyz?mode=unlocked&wallet=${wallet ?? 'default'}`];
}

test('what a grant for one wallet reads holds nothing of another', async (t) => {
  const { grant, read, addresses, call } = await world(t, 'full');
  const token = await grant({
    name: 'bookkeeper',
    scopes: ['read', 'sync', 'prepare', 'send'],
    wallets: [SHOP],
  });
  const [address = ''] = addresses;
  const [note] = (await call('notes.list'))['notes'] as { txid: string }[];
  const hidden = [address, String(SECRETS.zatoshi), SECRETS.memo, note!.txid, '7.77001777'];
  const seen: string[] = [];
  for (const target of readingTargets(SHOP)) {
    const { text } = await read(target, token);
    seen.push(text);
    for (const secret of hidden) t.false(text.includes(secret), `${target} tells ${secret}`);
  }
  const all = seen.join('\n');
  // The grant does read: its own wallet is there.
  t.true(all.includes(String(SHOPS.zatoshi)) && all.includes(SHOPS.memo));
  const wallets = JSON.parse((await read('/api/wallets', token)).text) as { wallets: { name: string }[] };
  t.deepEqual(
    wallets.wallets.map(({ name }) => name),
    [SHOP],
  );
  t.like(JSON.parse((await read('/api/status?known=true', token)).text), { last_scan_height: null });
  // The same requests of the default wallet are refused, each of them.
  for (const name of operationNames.filter(
    (each) => isOfWallet(each) && operations[each].http.method === 'GET',
  )) {
    const { target } = requestTo('GET', operations[name].http.path, leastInput(name));
    const { status, text } = await read(target, token);
    t.is(status, 403, name);
    t.regex(text, /GRANT_SCOPE/, name);
  }
  t.is((await read('/readyz?mode=unlocked', token)).status, 403);
  // A scan of single blocks does not tell those who may only scan where notes are.
  const scanner = await grant({ name: 'scanner', scopes: ['sync'], wallets: [SHOP] });
  const range = JSON.stringify({ start_height: 1, end_height: 2 });
  const scan = async (bearer: string) => (await read(`/api/wallets/${SHOP}/sync`, bearer, range)).text;
  t.like(JSON.parse(await scan(scanner)), { notes_found: 0 });
  const everyone = await grant({ name: 'everything', scopes: ['admin'], wallets: [SHOP] });
  t.like(JSON.parse(await scan(everyone)), { notes_found: 1 });
  const everything = await read('/api/notes');
  t.true(everything.text.includes(String(SECRETS.zatoshi)), 'without a grant all is open by default');
});

test('an open stream tells what the grant may hear, and ends with it', async (t) => {
  const { devnet, service, call, grant, addresses } = await world(t, 'none');
  const token = await grant({ name: 'watcher', scopes: ['read'], wallets: [SHOP] });
  const till = await grant({ name: 'till', scopes: ['invoice'], wallets: [SHOP] });
  const open = (bearer: string) =>
    EventReader.open(`${service.url}/api/wallets/${SHOP}/events`, { authorization: `Bearer ${bearer}` });
  const [stream, deaf] = [await open(token), await open(till)];
  devnet.payTo(addresses[1]!, { pool: 'sapling', zatoshi: 1_000, memo: 'heard' });
  await call('sync.run', {}, SHOP);
  const names: (string | undefined)[] = [];
  for (let reported = await stream.next(); reported !== undefined; reported = await stream.next()) {
    names.push(reported.event);
    if (reported.event === 'note.received') {
      t.like(reported.data, { value_zatoshi: 1_000, memo: { text: 'heard' } });
      break;
    }
  }
  t.true(names.includes('note.received'));
  await call('grants.revoke', { grant: 'watcher' });
  devnet.payTo(addresses[1]!, { pool: 'sapling', zatoshi: 2_000, memo: 'not heard' });
  await call('sync.run', {}, SHOP);
  const rest: string[] = [];
  try {
    for (let reported = await stream.next(); reported !== undefined; reported = await stream.next())
      rest.push(reported.raw);
  } catch {
    // The connection is cut, without an end.
  }
  t.false(rest.join('\n').includes('2000'));
  // The till's stream is open still, and has heard of no note.
  await call('wallet.lock', {}, SHOP);
  t.is((await deaf.next())?.event, 'wallet.locked');
  deaf.close();
});

test('with nothing open, callers without a grant get version, health, document, pairing and whether a till is on, and no more', async (t) => {
  const { read, service } = await world(t, 'none');
  const open = ['/api/version', '/healthz', '/api/openapi.json', '/api/till', '/'];
  for (const target of open) t.is((await read(target)).status, 200, target);
  for (const target of readingTargets(undefined).filter((each) => !open.includes(each))) {
    const { status, text } = await read(target);
    t.is(status, 401, target);
    t.regex(text, /GRANT_REQUIRED/, target);
  }
  for (const name of operationNames.filter((each) => operations[each].http.method === 'POST')) {
    const { password: _, ...input } = examples[name].input as Record<string, unknown>;
    const { target, body } = requestTo('POST', operations[name].http.path, input);
    const { status, text } = await read(target, undefined, body);
    if (operations[name].reach === 'anyone') t.not(status, 403, text);
    else t.is(status, 401, `${name}: ${text}`);
  }
  const file = path.join(service.configDir, 'grants.json');
  t.throws(() => statSync(file), { code: 'ENOENT' }, 'nothing was made');
});

test('the dashboard opens once with a code from this machine', async (t) => {
  const { call, read } = await world(t, 'none');
  const { code } = await call('grants.page_code');
  const opened = await read('/api/grants/open-page', undefined, JSON.stringify({ code }));
  t.is(opened.status, 200);
  const { token } = JSON.parse(opened.text) as { token: string };
  t.true((await read('/api/notes', token)).text.includes(SECRETS.memo));
  t.is((await read('/api/grants/open-page', undefined, JSON.stringify({ code }))).status, 401);
  // It is the owner's page, and asks for the password where the owner's command line does not have to.
  const wanted = { name: 'program', scopes: ['read'] };
  t.is((await read('/api/grants', token, JSON.stringify(wanted))).status, 400);
  t.is((await read('/api/grants', token, JSON.stringify({ ...wanted, password: 'wrong' }))).status, 401);
  t.is((await read('/api/grants', token, JSON.stringify({ ...wanted, password: PASSWORD }))).status, 200);
});

test('grants outlive the companion, and what was done with them is written down without content', async (t) => {
  const { call, grant, read, service } = await world(t, 'none');
  const token = await grant({ name: 'reader', scopes: ['read'] });
  t.is((await read('/api/notes', token)).status, 200);
  t.is((await read('/api/wallet/backup', token, JSON.stringify({ password: PASSWORD }))).status, 403);
  const { lines } = (await call('grants.log', { grant: 'reader' })) as { lines: Answers[] };
  t.like(lines, [
    { name: 'reader', operation: 'wallet.backup', result: 'GRANT_SCOPE', wallet: 'default' },
    { name: 'reader', operation: 'notes.list', result: 'ok', wallet: 'default' },
  ]);
  const file = path.join(service.configDir, 'grants.json');
  const log = path.join(service.dataDir, 'grants.log');
  for (const each of [file, log]) {
    t.is(statSync(each).mode & 0o777, 0o600);
    const text = readFileSync(each, 'utf8');
    t.false([token, PASSWORD, SECRETS.memo, String(SECRETS.zatoshi)].some((secret) => text.includes(secret)));
  }
});

const NOBODY = 64_321;
const asRoot = process.getuid?.() === 0 ? test : test.skip;

asRoot('another user of the machine reads nothing, with and without the files before it', async (t) => {
  for (const level of ['none', 'read'] as const) {
    const { service } = await world(t, level);
    const script = `
      const fs = require('node:fs');
      const net = require('node:net');
      const [, url, files, socket, targets] = process.argv;
      const tried = {};
      const reading = (file) => { try { fs.readFileSync(file); return 'read'; } catch (error) { return error.code; } };
      for (const file of JSON.parse(files)) tried[file] = reading(file);
      const connecting = new Promise((resolve) => {
        const client = net.connect(socket, () => resolve('connected'));
        client.on('error', (error) => resolve(error.code));
      });
      (async () => {
        tried.socket = await connecting;
        for (const target of JSON.parse(targets)) {
          const answer = await fetch(url + target, { headers: { connection: 'close' } });
          tried[target] = answer.status + ' ' + (await answer.text());
        }
        process.stdout.write(JSON.stringify(tried));
        process.exit();
      })();`;
    const files = ['grants.json', 'config.json'].map((name) => path.join(service.configDir, name));
    const all = [
      ...files,
      path.join(service.dataDir, 'wallet.dat'),
      path.join(service.dataDir, 'grants.log'),
    ];
    const targets = [
      '/api/notes',
      '/api/balance',
      '/api/grants',
      '/api/grants/log',
      '/api/pair',
      '/api/version',
    ];
    const child = untilTestEnds(
      t,
      spawn(
        process.execPath,
        [
          '-e',
          script,
          service.url,
          JSON.stringify(all),
          socketPath(service.dataDir),
          JSON.stringify(targets),
        ],
        { uid: NOBODY, gid: NOBODY, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] },
      ),
    );
    let output = '';
    for await (const chunk of child.stdout) output += String(chunk);
    const tried = JSON.parse(output) as Record<string, string>;
    for (const file of all) t.regex(tried[file] ?? '', /^E(?:ACCES|NOENT)$/, file);
    t.regex(tried['socket'] ?? '', /^E(?:ACCES|NOENT|PERM)$/);
    t.regex(tried['/api/version'] ?? '', /^200 /);
    const readable = level === 'read' ? ['/api/notes', '/api/balance'] : [];
    for (const target of targets.slice(0, -1))
      t.regex(tried[target] ?? '', readable.includes(target) ? /^200 / : /^401 .*GRANT_REQUIRED/s, target);
  }
});
