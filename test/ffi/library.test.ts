// libcompanion against a companion's socket: a C program that uses all of it (with valgrind where there is one), and
// what only shows from outside: text that needs escapes, a companion that is started, restarted, or not ours.

import { spawn } from 'node:child_process';
import { chownSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Problem } from '@wallet-companion/client/contract';
import anyTest, { type ExecutionContext } from 'ava';
import { CODE_NUMBERS } from '../../scripts/generate/codeNumbers.ts';
import { examples } from '../../scripts/generate/examples.ts';
import { asOwner } from '../../src/composition/privateSocket.ts';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { serveSocket } from '../../src/ipc/socketServer.ts';
import { EventLogs } from '../../src/protocol/eventLogs.ts';
import { jsonLink } from '../../src/protocol/jsonCalls.ts';
import { COMMON_ERRORS } from '../../src/protocol/operation.ts';
import { type OperationName, operations } from '../../src/protocol/operations.ts';
import { ok } from '../../src/protocol/result.ts';
import {
  ABSENT,
  companionProgram,
  compileLibrary,
  compileProgram,
  hasProgram,
  koffi,
  type LibraryAnswer,
  type LibraryHandle,
  missingCompiler,
  openLibrary,
  run,
  SOURCES,
  START_PATIENCE_MS,
} from '../helpers/companionLibrary.ts';
import { FakeLink } from '../helpers/fakeLink.ts';
import { grantBed } from '../helpers/grantBed.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { until } from '../helpers/until.ts';

function skippedWhen(
  reason: string | undefined,
): (title: string, body: (t: ExecutionContext) => unknown) => void {
  if (reason === undefined) return (title, body) => void anyTest(title, body);
  return (title, body) => void anyTest.skip(`${title} (skipped: ${reason})`, body);
}

const test = skippedWhen(missingCompiler);
const koffiTest = skippedWhen(
  missingCompiler ?? (koffi === undefined ? 'koffi is not installed' : undefined),
);

async function companion(t: ExecutionContext): Promise<{ fake: FakeLink; dataDir: string }> {
  const fake = new FakeLink();
  const dataDir = temporaryFolder(t);
  const serving = await serveSocket({
    link: fake,
    path: socketPath(dataDir),
    requestId: () => 'socket-request',
  });
  t.teardown(() => serving.close());
  return { fake, dataDir };
}

async function opened(t: ExecutionContext, dataDir: string): Promise<LibraryHandle> {
  const handle = await openLibrary({ dataDir });
  if (!('close' in handle)) throw new Error(JSON.stringify(handle));
  t.teardown(() => handle.close());
  return handle;
}

/** As test/ffi/programs/exercise.c expects it. */
function answerExercise(fake: FakeLink): void {
  fake.failWith('wallet.unlock', { code: 'WRONG_PASSWORD', detail: 'The password is wrong.' });
  const { progress } = examples['sync.status'].output;
  fake.answerWith('sync.run', () => {
    if (progress === null) throw new Error('the example has progress');
    fake.emit({ event: 'sync.progress', data: progress });
    fake.emit({ event: 'reorg', data: { fork_height: 4, depth: 1 } });
    fake.emit({ event: 'sync.progress', data: progress });
    return ok(examples['sync.run'].output);
  });
  let subscriptionsBefore = 0;
  fake.answerWith('wallet.lock', () => {
    subscriptionsBefore = fake.subscriptions;
    fake.emit({ event: 'wallet.locked', data: { reason: 'asked' } });
    return ok(examples['wallet.lock'].output);
  });
  // The program changes the theme until it may: until its two waiting threads wait.
  let waiting = 0;
  fake.answerWith('accounts.list', () => {
    waiting += 1;
    return new Promise(() => {});
  });
  fake.answerWith('config.theme', () =>
    waiting === 0 || fake.subscriptions === subscriptionsBefore
      ? { ok: false, error: { code: 'BUSY', detail: 'Not yet.' } }
      : ok(examples['config.theme'].output),
  );
}

/** The program first opens a folder without a companion, where another one would be started if a variable named its program. */
const STARTS_NONE = { ...process.env, WALLET_COMPANION_PROGRAM: '' };

test('a C program uses every part from many threads', async (t) => {
  const { fake, dataDir } = await companion(t);
  answerExercise(fake);
  const { stdout } = await run(await compileProgram('test/ffi/programs/exercise.c'), [dataDir], {
    env: STARTS_NONE,
  });
  t.is(stdout, 'done\n');
});

const valgrindTest = skippedWhen(
  missingCompiler ?? (hasProgram('valgrind', '--version') ? undefined : 'no valgrind on this machine'),
);

valgrindTest('valgrind finds no leak and no bad access in it', async (t) => {
  const { fake, dataDir } = await companion(t);
  answerExercise(fake);
  const program = await compileProgram('test/ffi/programs/exercise.c');
  const flags = [
    '--leak-check=full',
    '--show-leak-kinds=all',
    '--errors-for-leak-kinds=all',
    '--track-fds=no',
    '--error-exitcode=9',
  ];
  const { stdout, stderr } = await run('valgrind', [...flags, program, dataDir], { env: STARTS_NONE });
  t.is(stdout, 'done\n');
  t.regex(stderr, /ERROR SUMMARY: 0 errors/);
});

/** Answers each request with an empty result, and resolves with the lines that came. */
async function lineServer(t: ExecutionContext): Promise<{ lines: string[]; dataDir: string }> {
  const dataDir = temporaryFolder(t);
  const lines: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => {
      lines.push(line);
      socket.write('{"id":1,"result":{}}\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath(dataDir), resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { lines, dataDir };
}

koffiTest('text goes through as it is, whatever it holds, and what is left out does not', async (t) => {
  const { lines, dataDir } = await lineServer(t);
  const library = await opened(t, dataDir);
  const text = 'quote " back\\slash \u0001\u001f\u007f\n\t/ é 文 \u{1f916} {"id":2}';
  const calls: readonly (readonly [() => Promise<unknown>, string, object])[] = [
    [() => library.lwdInfo(text, null), 'lwd_info', { compact_server_url: text }],
    [() => library.lwdChainTip(null, text), 'lwd_chain_tip', { db_path: text }],
    [() => library.lwdInfo(null, null), 'lwd_info', {}],
    [() => library.lwdSyncCompact(null, null, 0, ABSENT), 'lwd_sync_compact', { start_height: 0 }],
    [
      () => library.lwdSyncCompact('a', 'b', -1, 2 ** 40),
      'lwd_sync_compact',
      { compact_server_url: 'a', db_path: 'b', start_height: -1, end_height: 2 ** 40 },
    ],
    [() => library.call('wallet.unlock', { password: text }), 'wallet_unlock', { password: text }],
  ];
  for (const [call, command, args] of calls) {
    t.deepEqual(await call(), { code: 0, answer: {} });
    t.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      [{ id: 1, command, args }],
    );
    lines.length = 0;
  }
});

koffiTest('the functions of the specification answer and fail as their operations do', async (t) => {
  const { fake, dataDir } = await companion(t);
  const library = await opened(t, dataDir);
  const url = 'https://lwd.example.org';
  const functions: readonly (readonly [OperationName, object, () => Promise<LibraryAnswer>])[] = [
    ['lwd.info', { compact_server_url: url, db_path: 'a.db' }, () => library.lwdInfo(url, 'a.db')],
    ['lwd.chain_tip', { compact_server_url: url }, () => library.lwdChainTip(url, null)],
    [
      'lwd.sync_compact',
      { db_path: 'a.db', start_height: 5, end_height: 9 },
      () => library.lwdSyncCompact(null, 'a.db', 5, 9),
    ],
  ];
  for (const [name, input, call] of functions) {
    t.deepEqual(await call(), { code: 0, answer: examples[name].output }, name);
    t.deepEqual(fake.calls.at(-1)?.input, input, name);
    for (const code of new Set([...operations[name].errors, ...COMMON_ERRORS])) {
      fake.failWith(name, { code, detail: 'What happened.' });
      const { code: number, answer } = await call();
      t.is(number, CODE_NUMBERS[code], `${name} ${code}`);
      t.is((answer as Problem).code, code);
    }
  }
  t.is((await library.lwdInfo('gopher', null)).code, CODE_NUMBERS.INVALID_URL);
  t.is((await library.lwdSyncCompact(null, null, 9, 5)).code, CODE_NUMBERS.INVALID_RANGE);
});

koffiTest(
  'metadata that is too deep is refused as on every surface, and an answer is read however deep it is',
  async (t) => {
    const { fake, dataDir } = await companion(t);
    const library = await opened(t, dataDir);
    const nested = (depth: number): object =>
      JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as object;
    t.is((await library.call('invoices.create', { metadata: nested(16) })).code, 0);
    const refused = await library.call('invoices.create', { metadata: nested(40) });
    t.like(refused.answer, { code: 'INVALID_REQUEST', detail: 'metadata must be nested at most 16 deep.' });
    // As an older companion stored it.
    const { output } = examples['invoices.list'];
    const invoices = output.invoices.map((invoice) => ({
      ...invoice,
      metadata: nested(1_000) as Record<string, unknown>,
    }));
    fake.answerWith('invoices.list', () => ok({ ...output, invoices }));
    t.deepEqual(await library.call('invoices.list', {}), { code: 0, answer: { ...output, invoices } });
  },
);

koffiTest("a presented grant is the handle's, whichever connection a call has", async (t) => {
  const fake = new FakeLink();
  const dataDir = temporaryFolder(t);
  const grants = grantBed(t.title);
  const { token } = await grants.book.create({
    name: 'reader',
    scopes: ['read'],
    wallets: ['default'],
    expiresAt: null,
    limits: {},
  });
  const serving = await serveSocket({
    link: asOwner(Object.assign(fake, { dispatchJson: jsonLink(fake).dispatchJson })),
    path: socketPath(dataDir),
    requestId: () => 'socket-request',
    access: grants.access,
  });
  t.teardown(() => serving.close());
  const library = await opened(t, dataDir);
  const ends: (() => void)[] = [];
  fake.answerWith(
    'wallet.lock',
    () =>
      new Promise((end) => {
        ends.push(() => end(ok(examples['wallet.lock'].output)));
        if (ends.length >= 3) for (const each of ends) each();
      }),
  );
  const thrice = () => Promise.all([1, 2, 3].map(() => library.call('wallet.lock', {})));
  for (const { code } of await thrice()) t.is(code, 0);
  t.is((await library.nextEvent(0)).code, 0);
  t.is((await library.present(token)).code, 0);
  for (const { code } of await thrice()) t.is(code, CODE_NUMBERS.GRANT_SCOPE);
  t.is((await library.call('balance.get', {})).code, 0);
  // Events of the owner alone are not the grant's.
  t.is((await library.nextEvent(0)).code, 0);
  fake.emit({ event: 'pairing.changed', data: examples['pairing.list'].output });
  fake.emit({ event: 'reorg', data: { fork_height: 4, depth: 1 } });
  t.like((await library.nextEvent(1_800_000)).answer, { event: 'reorg' });
});

koffiTest('a wait for events ends in its time, also while another thread waits', async (t) => {
  const { fake, dataDir } = await companion(t);
  const library = await opened(t, dataDir);
  t.deepEqual(await library.nextEvent(0), { code: 0, answer: null });
  const other = library.nextEvent(-1);
  // Ends only where it does not wait for the other one, which nothing else ends.
  t.deepEqual(await library.nextEvent(50), { code: 0, answer: null });
  fake.emit({ event: 'reorg', data: { fork_height: 4, depth: 1 } });
  t.like((await other).answer, { event: 'reorg' });
});

koffiTest('seventy open handles delay no other; where all work, the next gets BUSY', async (t) => {
  const { fake, dataDir } = await companion(t);
  const handles: LibraryHandle[] = [];
  for (let handle = 0; handle < 70; handle++) handles.push(await opened(t, dataDir));
  const link = createSocketLink(socketPath(dataDir));
  t.teardown(() => link.close());
  const call = () => link.dispatch('wallet.exists', {}, { requestId: 'beside' });
  t.deepEqual(await call(), ok({ exists: true }));
  for (const handle of handles) t.is((await handle.call('wallet.exists', {})).code, 0);
  const ends: (() => void)[] = [];
  const { output } = examples['accounts.list'];
  fake.answerWith('accounts.list', () => new Promise((end) => ends.push(() => end(ok(output)))));
  const links = Array.from({ length: 64 }, () => createSocketLink(socketPath(dataDir)));
  const long = links.map((busy) => busy.dispatch('accounts.list', {}, { requestId: 'long' }));
  await until(() => ends.length === 64);
  const refused = await call();
  t.is(refused.ok ? undefined : refused.error.code, 'BUSY');
  t.is((await handles[0]?.call('wallet.exists', {}))?.code, CODE_NUMBERS.BUSY);
  for (const end of ends) end();
  for (const answer of long) t.deepEqual(await answer, ok(output));
  t.deepEqual(await call(), ok({ exists: true }));
  for (const busy of links) busy.close();
});

koffiTest('a handle survives a restart of its companion', async (t) => {
  const fake = new FakeLink();
  const options = {
    link: fake,
    events: new EventLogs(fake),
    path: socketPath(temporaryFolder(t)),
    requestId: () => 'socket-request',
  };
  const first = await serveSocket(options);
  const library = await opened(t, path.dirname(options.path));
  t.is((await library.call('wallet.exists', {})).code, 0);
  t.deepEqual(await library.nextEvent(0), { code: 0, answer: null });
  await first.close();
  const gone = await library.call('wallet.exists', {});
  t.is(gone.code, CODE_NUMBERS.COMPANION_UNREACHABLE);
  t.is((await library.nextEvent(0)).code, CODE_NUMBERS.COMPANION_UNREACHABLE);
  const reorg = (depth: number) => ({ event: 'reorg', data: { fork_height: 4, depth } }) as const;
  fake.emit(reorg(1));
  fake.emit(reorg(2));
  const second = await serveSocket(options);
  t.is((await library.call('wallet.exists', {})).code, 0);
  t.like((await library.nextEvent(1_800_000)).answer, reorg(1));
  // Cut off again, amid those that came meanwhile.
  await second.close();
  const later: unknown[] = [];
  for (;;) {
    const { code, answer } = await library.nextEvent(0);
    if (code !== 0) break;
    if (answer !== null) later.push(answer);
  }
  fake.emit(reorg(3));
  const third = await serveSocket(options);
  while (later.length < 2) later.push((await library.nextEvent(1_800_000)).answer);
  t.like(later, [reorg(2), reorg(3)]);
  await third.close();
  while ((await library.nextEvent(0)).code === 0);
  const restarted = await serveSocket({ ...options, events: new EventLogs(fake) });
  t.teardown(() => restarted.close());
  t.like((await library.nextEvent(1_800_000)).answer, { event: 'events.missed' });
  t.deepEqual(await library.nextEvent(0), { code: 0, answer: null });
});

const FAKE_COMPANION = path.resolve(import.meta.dirname, 'programs', 'fakeCompanion.js');

koffiTest('where none runs a companion is started, and ends with the handle', async (t) => {
  const dataDir = temporaryFolder(t);
  const configDir = temporaryFolder(t);
  const library = await openLibrary({
    dataDir,
    configDir,
    program: companionProgram(t, FAKE_COMPANION),
    startTimeoutMs: START_PATIENCE_MS,
  });
  if (!('close' in library)) throw new Error(JSON.stringify(library));
  t.deepEqual((await library.call('wallet.exists', {})).answer, { exists: true });
  const pid = Number(readFileSync(path.join(dataDir, 'pid'), 'utf8'));
  t.deepEqual(JSON.parse(readFileSync(path.join(dataDir, 'arguments'), 'utf8')), [
    'serve',
    '--port',
    '0',
    '--end-with-stdin',
    '--data-dir',
    dataDir,
    '--config-dir',
    configDir,
  ]);
  t.notThrows(() => process.kill(pid, 0));
  await library.close();
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

koffiTest('a companion that cannot be started is reported in time', async (t) => {
  const dataDir = temporaryFolder(t);
  const missing = await openLibrary({ dataDir, program: path.join(dataDir, 'no such program') });
  const ending = await openLibrary({ dataDir, program: '/bin/false' });
  for (const [answer, why] of [
    [missing, /could not be started: No such file or directory/],
    [ending, /started and ended with exit code 1 .* standard error/],
  ] as const) {
    t.is('code' in answer ? answer.code : 0, CODE_NUMBERS.COMPANION_UNREACHABLE);
    t.regex(JSON.stringify(answer), why);
  }
});

/** The uid of nobody: only root can try what a foreign user's socket does. */
const NOBODY = 65_534;
const rootTest = skippedWhen(
  missingCompiler ?? (process.getuid?.() === 0 && koffi !== undefined ? undefined : 'needs root and koffi'),
);

rootTest('a socket that another user serves gets no request', async (t) => {
  const dataDir = temporaryFolder(t);
  chownSync(dataDir, NOBODY, NOBODY);
  const file = socketPath(dataDir);
  const script = `const server = require('node:net').createServer((socket) => {
    socket.on('data', () => console.log('request'));
    socket.on('error', () => {});
  });
  server.listen(process.argv[1], () => console.log('listening'));`;
  const foreign = spawn(process.execPath, ['-e', script, file], {
    uid: NOBODY,
    gid: NOBODY,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => foreign.kill());
  let output = '';
  await new Promise<void>((resolve) => {
    foreign.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      resolve();
    });
  });
  const answer = await openLibrary({ dataDir });
  t.is('code' in answer ? answer.code : 0, CODE_NUMBERS.COMPANION_UNREACHABLE);
  const link = createSocketLink(file);
  const result = await link.dispatch('wallet.unlock', { password: 'x' }, { requestId: 'socket-request' });
  t.is(result.ok ? undefined : result.error.code, 'COMPANION_UNREACHABLE');
  link.close();
  foreign.kill();
  await new Promise((resolve) => foreign.once('close', resolve));
  t.is(output, 'listening\n');
});

test('the C example prints what the companion says', async (t) => {
  const { fake, dataDir } = await companion(t);
  fake.failWith('balance.get', { code: 'WALLET_LOCKED', detail: 'Unlock the wallet first.' });
  const { stdout } = await run(await compileProgram(path.join(SOURCES, 'examples/balance.c')), [dataDir]);
  const [version, tip, balance] = stdout.split('\n');
  t.is(version, `version: OK ${JSON.stringify(examples['system.version'].output)}`);
  t.is(tip, `chain tip: OK ${JSON.stringify(examples['lwd.chain_tip'].output)}`);
  t.regex(balance ?? '', /^balance: WALLET_LOCKED \{.*"status":423/);
});

const pythonTest = skippedWhen(
  missingCompiler ?? (hasProgram('python3', '--version') ? undefined : 'no python3 on this machine'),
);

pythonTest('the Python example prints what the companion says', async (t) => {
  const { fake, dataDir } = await companion(t);
  fake.failWith('balance.get', { code: 'WALLET_LOCKED', detail: 'Unlock the wallet first.' });
  const { stdout } = await run('python3', [
    path.join(SOURCES, 'examples/balance.py'),
    await compileLibrary(),
    dataDir,
  ]);
  const [version, tip, balance] = stdout.split('\n');
  t.deepEqual(JSON.parse(version?.replace('version: ', '') ?? ''), examples['system.version'].output);
  t.deepEqual(JSON.parse(tip?.replace('chain tip: ', '') ?? ''), examples['lwd.chain_tip'].output);
  t.is(balance, 'balance: WALLET_LOCKED: Unlock the wallet first.');
});

koffiTest('the Node example prints what the companion says', async (t) => {
  const { dataDir } = await companion(t);
  const { stdout } = await run(process.execPath, [
    path.join(SOURCES, 'examples/balance.mjs'),
    await compileLibrary(),
    dataDir,
  ]);
  t.is(
    stdout,
    `version: ${JSON.stringify(examples['system.version'].output)}\n` +
      `chain tip: ${JSON.stringify(examples['lwd.chain_tip'].output)}\n` +
      `balance: ${JSON.stringify(examples['balance.get'].output)}\n`,
  );
});

const makeTest = skippedWhen(
  missingCompiler ?? (hasProgram('make', '--version') ? undefined : 'no make on this machine'),
);

makeTest('the Makefile builds, without a warning, and installs what a program needs', async (t) => {
  const folder = temporaryFolder(t);
  const out = path.join(folder, 'out');
  await run('make', [
    '-C',
    SOURCES,
    `OUT=${out}`,
    `PREFIX=${path.join(folder, 'usr')}`,
    'CFLAGS=-O1 -Werror',
    'install',
  ]);
  const program = path.join(folder, 'balance');
  await run('cc', [
    `-I${path.join(folder, 'usr/include/companion')}`,
    path.join(SOURCES, 'examples/balance.c'),
    `-L${path.join(folder, 'usr/lib')}`,
    '-lcompanion',
    '-o',
    program,
  ]);
  await t.throwsAsync(run(program, [folder], { env: { LD_LIBRARY_PATH: path.join(folder, 'usr/lib') } }), {
    code: 6,
  });
});
