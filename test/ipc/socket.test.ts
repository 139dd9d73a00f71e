// The private socket: who may connect, and what a broken, greedy or slow peer can do (nothing to the others).

import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { After } from '@wallet-companion/base/async';
import test, { type ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { type ChannelPort, portLink, servePort } from '../../src/ipc/messagePort.ts';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { type SocketServing, serveSocket } from '../../src/ipc/socketServer.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { EventLogs } from '../../src/protocol/eventLogs.ts';
import { type CompanionEvent, MISSED } from '../../src/protocol/events.ts';
import { inputLimit } from '../../src/protocol/inputLimits.ts';
import { encodeJson } from '../../src/protocol/jsonCalls.ts';
import { ok, type Result } from '../../src/protocol/result.ts';
import { FakeLink } from '../helpers/fakeLink.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { until } from '../helpers/until.ts';
import { VirtualClock } from '../helpers/virtualClock.ts';

const context = { requestId: 'socket-request' };
const posixTest = process.platform === 'win32' ? test.skip : test;

async function serve(
  t: ExecutionContext,
  options: { stallMs?: number; after?: After; dataDir?: string; fake?: FakeLink; events?: EventLogs } = {},
): Promise<SocketServing & { fake: FakeLink }> {
  const { dataDir = temporaryFolder(t), fake = new FakeLink(), ...more } = options;
  const serving = await serveSocket({
    link: fake,
    path: socketPath(dataDir),
    requestId: () => 'fresh-request',
    ...more,
  });
  t.teardown(() => serving.close());
  return { ...serving, fake };
}

function linkTo(t: ExecutionContext, file: string): ReturnType<typeof createSocketLink> {
  const link = createSocketLink(file);
  t.teardown(() => link.close());
  return link;
}

const codeOf = (result: Result<unknown>): string | undefined => (result.ok ? undefined : result.error.code);

interface Answer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly request_id: string };
}

/** Sends raw bytes and resolves with the lines that came back until the other side closed. */
function speak(file: string, bytes: string | Buffer, end = true): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: file, allowHalfOpen: true }, () =>
      end ? socket.end(bytes) : socket.write(bytes),
    );
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('close', () => {
      const lines = received.split('\n').filter((line) => line !== '');
      resolve(lines.map((line) => JSON.parse(line) as Answer));
    });
    socket.on('end', () => socket.destroy());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });
}

posixTest("the socket is the owner's alone, and gone when closed", async (t) => {
  const dataDir = temporaryFolder(t);
  const serving = await serve(t, { dataDir });
  t.is(lstatSync(serving.path).mode & 0o777, 0o600);
  await serving.close();
  t.is(lstatSync(serving.path, { throwIfNoEntry: false }), undefined);
});

posixTest('a directory that others can enter is refused', async (t) => {
  const dataDir = temporaryFolder(t);
  chmodSync(dataDir, 0o750);
  const error = await t.throwsAsync(serve(t, { dataDir }), { instanceOf: CompanionError });
  t.is(error.code, 'STORAGE_FAILED');
});

posixTest('a socket left by a dead process is replaced, another file is not', async (t) => {
  const dataDir = temporaryFolder(t);
  const file = socketPath(dataDir);
  const dead = createServer().listen(file);
  await new Promise((resolve) => dead.once('listening', resolve));
  const { fake } = await serve(t, { dataDir });
  t.deepEqual(await linkTo(t, file).dispatch('wallet.exists', {}, context), ok({ exists: true }));
  t.is(fake.calls.length, 1);
  dead.close();

  const other = temporaryFolder(t);
  writeFileSync(socketPath(other), 'precious');
  await t.throwsAsync(serve(t, { dataDir: other }), { instanceOf: CompanionError });
  t.is(readFileSync(socketPath(other), 'utf8'), 'precious');
});

test('a path that no socket can have is refused, and pipes have names on Windows', (t) => {
  const error = t.throws(() => socketPath(`/home/${'a'.repeat(100)}`, 'linux'), {
    instanceOf: CompanionError,
  });
  t.is(error.code, 'INVALID_REQUEST');
  t.is(socketPath('C:\\Users\\Ann\\Data', 'win32'), '\\\\.\\pipe\\wallet-companion-c--users-ann-data');
});

test('calls, failures and health pass, many at once', async (t) => {
  const { path: file, fake } = await serve(t);
  const link = linkTo(t, file);
  fake.failWith('wallet.unlock', { code: 'TOO_MANY_ATTEMPTS', detail: 'Wait.', retryAfterSeconds: 1.5 });
  const [balance, unlock, health] = await Promise.all([
    link.dispatch('balance.get', { account: 0 }, context),
    link.dispatch('wallet.unlock', { password: 'x' }, context),
    link.health(),
  ]);
  t.deepEqual(balance, ok(examples['balance.get'].output));
  t.deepEqual(unlock, {
    ok: false,
    error: { code: 'TOO_MANY_ATTEMPTS', detail: 'Wait.', retryAfterSeconds: 1.5 },
  });
  t.deepEqual(health, fake.healthReport);
  t.deepEqual(fake.calls[0]?.context, context);
});

test('events pass to each subscriber', async (t) => {
  const { path: file, fake } = await serve(t);
  const event: CompanionEvent = { event: 'reorg', data: { fork_height: 5, depth: 2 } };
  const heard = [linkTo(t, file), linkTo(t, file)].map(async (link) => {
    const reported = new Promise<CompanionEvent>((resolve) => link.subscribe(resolve));
    await link.health();
    return { reported };
  });
  const reported = await Promise.all(heard);
  fake.emit(event);
  for (const { reported: one } of reported) t.deepEqual(await one, event);
});

test('listeners leave places for calls', async (t) => {
  const { path: file } = await serve(t);
  const subscribe = '{"id":1,"command":"events_subscribe"}\n';
  for (let listener = 0; listener < 56; listener++) {
    const socket = connect(file);
    t.teardown(() => socket.destroy());
    socket.write(subscribe);
    await once(socket, 'data');
  }
  t.like(await speak(file, subscribe), [{ id: 1, error: { code: 'BUSY' } }]);
  t.is(codeOf(await linkTo(t, file).dispatch('wallet.exists', {}, context)), undefined);
});

test('a memo comes with its event, of each wallet', async (t) => {
  const { path: file, fake } = await serve(t);
  const link = linkTo(t, file);
  const reported: CompanionEvent[] = [];
  const both = new Promise<void>((resolve) => {
    const hear = (event: CompanionEvent) => void (reported.push(event) === 2 && resolve());
    link.subscribe(hear);
    link.subscribe(hear, 'shop');
  });
  await link.health();
  const place = { account: 0, pool: 'sapling', height: 5, txid: 'ab', output_index: 1 } as const;
  const one: CompanionEvent = { event: 'note.received', data: { ...place, memo: { text: 'order 17' } } };
  const other: CompanionEvent = { event: 'note.memo', data: { ...place, memo: null } };
  fake.emitWithTexts(one);
  fake.emitWithTexts(other, 'shop');
  await both;
  t.deepEqual(reported, [one, other]);
});

test('a person can speak it: one line in, one line out, then the end', async (t) => {
  const { path: file } = await serve(t);
  t.deepEqual(
    await speak(file, '{"id":1,"command":"wallet_exists"}\n{"id":"b","command":"version","args":{}}\n'),
    [
      { id: 1, result: { exists: true } },
      { id: 'b', result: examples['system.version'].output },
    ],
  );
});

test('what is not a message is refused by name, and the next line is heard', async (t) => {
  const { path: file, fake } = await serve(t);
  const bytes = Buffer.concat([
    Buffer.from('{"id":1,"command":"wallet_unlock","args":{"password":"hunter2"\n\n[]\n{"id":7}\n'),
    Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]),
    Buffer.from('{"id":8,"command":"wallet_exists"}\n'),
  ]);
  const answers = await speak(file, bytes);
  t.deepEqual(
    answers.map(({ id, error }) => [id, error?.code]),
    [
      [null, 'INVALID_REQUEST'],
      [null, 'INVALID_REQUEST'],
      [null, 'INVALID_REQUEST'],
      [7, 'INVALID_REQUEST'],
      [null, 'INVALID_REQUEST'],
      [8, undefined],
    ],
  );
  t.false(JSON.stringify(answers).includes('hunter2'));
  t.is(fake.calls.length, 1);
});

test('a line over the limit is refused and the connection cut; others go on', async (t) => {
  const { path: file, fake } = await serve(t);
  const other = linkTo(t, file);
  await other.health();
  const answers = await speak(file, 'a'.repeat(64 * 1024 + 1), false);
  t.deepEqual(
    answers.map(({ id, error }) => [id, error?.code]),
    [[null, 'BODY_TOO_LARGE']],
  );
  t.is(codeOf(await other.dispatch('wallet.exists', {}, context)), undefined);
  t.is(fake.calls.length, 1);
});

/** A request of so many bytes for what a PCZT is about to do. */
const longLine = (bytes: number, head = '{"id":7,"command":"pczt_inspect","args":{"pczt":"'): string => {
  const end = '"}}';
  const text = 'A'.repeat(((bytes - head.length - end.length) >> 2) << 2);
  return `${head}${text}${end}`.padEnd(bytes, ' ');
};
const LONGEST = inputLimit('pczt.inspect');

test('a line may be as long as its command takes', async (t) => {
  const { path: file, fake } = await serve(t);
  const args = '{"id":7,"args":{"pczt":"';
  const twice = '{"id":7,"command":"pczt_inspect","command":"wallet_exists","args":{"pczt":"';
  for (const [line, wanted] of [
    [longLine(70_000), [[7, undefined]]],
    [longLine(2 << 20), [[7, undefined]]],
    [longLine(2 << 20).padEnd(LONGEST, ' '), [[7, undefined]]],
    [longLine(2 << 20).padEnd(LONGEST + 1, ' '), [[null, 'BODY_TOO_LARGE']]],
    // It is not known in time what it is for.
    [longLine(70_000, args), [[null, 'BODY_TOO_LARGE']]],
    [longLine(70_000, twice), [[null, 'BODY_TOO_LARGE']]],
    [longLine(70_000, '{"id":7,"command":"wallet_unlock","args":{"pczt":"'), [[null, 'BODY_TOO_LARGE']]],
  ] as const) {
    const answers = await speak(file, `${line}\n`);
    t.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      wanted,
    );
  }
  t.is(fake.calls.length, 3);
});

test('four long lines are answered at a time; a fifth gets BUSY, and its connection goes on', async (t) => {
  const { path: file, fake } = await serve(t);
  const link = linkTo(t, file);
  const other = linkTo(t, file);
  const answers: (() => void)[] = [];
  let asked: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    asked = resolve;
  });
  fake.answerWith('pczt.inspect', async () => {
    await new Promise<void>((answer) => {
      answers.push(answer);
      if (answers.length === 4) asked();
    });
    return ok(examples['pczt.inspect'].output);
  });
  const inspect = () => link.dispatch('pczt.inspect', { pczt: 'A'.repeat(2 << 20) }, context);
  const four = [inspect(), inspect(), inspect(), inspect()];
  await all;
  t.is(codeOf(await inspect()), 'BUSY');
  t.is(codeOf(await other.dispatch('pczt.inspect', { pczt: 'A'.repeat(100_000) }, context)), 'BUSY');
  t.is(codeOf(await link.dispatch('wallet.exists', {}, context)), undefined);
  t.is(answers.length, 4);
  for (const answer of answers) answer();
  for (const each of four) t.is(codeOf(await each), undefined);
  fake.failWith('pczt.inspect', { code: 'INVALID_PCZT', detail: 'It is refused.' });
  for (let i = 0; i < 5; i++) t.is(codeOf(await inspect()), 'INVALID_PCZT');
});

test('a long line that never ends is cut off, refused or not, and leaves its place', async (t) => {
  const { path: file, fake } = await serve(t, { stallMs: 30 });
  const link = linkTo(t, file);
  const unended = longLine(2 << 20).slice(0, 100_000);
  for (let i = 0; i < 5; i++) t.deepEqual(await speak(file, unended, false), []);
  // So is a line of ours where the machine is slow: it is sent again.
  const inspect = async (isEnough: (code: string | undefined) => boolean): Promise<string | undefined> => {
    for (;;) {
      const pczt = 'A'.repeat(100_000);
      const code = codeOf(await link.dispatch('pczt.inspect', { pczt }, context));
      if (isEnough(code)) return code;
    }
  };
  t.is(await inspect((code) => code !== 'COMPANION_UNREACHABLE'), undefined);
  const fourth = fake.calls.length + 4;
  fake.answerWith('pczt.inspect', () => new Promise(() => undefined));
  for (let i = 0; i < 4; i++) void inspect(() => fake.calls.length >= fourth);
  await until(() => fake.calls.length >= fourth);
  // Where the machine is slow it is cut before it is long.
  for (const { id, error } of await speak(file, unended, false)) t.deepEqual([id, error?.code], [7, 'BUSY']);
});

test('our own link refuses an oversized input before it sends it', async (t) => {
  const { path: file, fake } = await serve(t);
  const link = linkTo(t, file);
  const large = { password: 'a'.repeat(70_000) };
  t.is(codeOf(await link.dispatch('wallet.unlock', large, context)), 'BODY_TOO_LARGE');
  const longer = { pczt: 'A'.repeat(LONGEST) };
  t.is(codeOf(await link.dispatch('pczt.inspect', longer, context)), 'BODY_TOO_LARGE');
  t.is(codeOf(await link.dispatch('wallet.exists', {}, context)), undefined);
  t.is(fake.calls.length, 1);
});

test('a line that never ends is cut off in time', async (t) => {
  const { path: file } = await serve(t, { stallMs: 30 });
  t.deepEqual(await speak(file, '{"id":1,', false), []);
});

test('the time for a line begins with it: a peer that is always amid a line and ends each goes on', async (t) => {
  const clock = new VirtualClock();
  const { path: file, fake } = await serve(t, { after: (ms, strike) => clock.after(ms, strike) });
  const socket = connect(file);
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.resume().write('{"id":0,"comm');
  for (let line = 1; line <= 3; line++) {
    socket.write(`and":"wallet_exists"}\n{"id":${line},"comm`);
    await until(() => socket.closed || (fake.calls.length === line && clock.timers === 1));
    t.false(socket.closed);
    clock.advance(20_000);
  }
  clock.advance(10_000);
  await until(() => socket.closed);
  t.is(fake.calls.length, 3);
});

test('a peer that never reads is cut off, and nothing of it is kept', async (t) => {
  const { path: file, fake } = await serve(t, { stallMs: 30 });
  const notes = Array.from({ length: 1000 }, () => examples['notes.list'].output.notes).flat();
  fake.answerWith('notes.list', () => ok({ notes, next_cursor: null }));
  const socket = connect(file);
  socket.pause();
  const cut = new Promise<boolean>((resolve) => socket.once('error', () => resolve(true)));
  // In one piece: a slow machine may find the first answer unread for too long before it has read the next request.
  socket.write(Array.from({ length: 16 }, (_, id) => `{"id":${id},"command":"notes_list"}\n`).join(''));
  // Paused, this side learns of the cut only when it writes; meanwhile others are served.
  const link = linkTo(t, file);
  const health = async (): Promise<boolean> => {
    await link.health();
    socket.write('\n');
    return false;
  };
  while (!(await Promise.race([cut, health()])));
  t.is(fake.calls.length, 16);
  t.true(socket.bytesRead < 16 * JSON.stringify(notes).length);
});

test('a link connects again after the companion was restarted', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await serve(t, { dataDir });
  const link = linkTo(t, first.path);
  first.fake.answerWith('sync.run', () => new Promise(() => {}));
  const open = link.dispatch('sync.run', {}, context);
  await link.health();
  await first.close();
  t.is(codeOf(await open), 'COMPANION_UNREACHABLE');
  t.is(codeOf(await link.dispatch('wallet.exists', {}, context)), 'COMPANION_UNREACHABLE');
  await serve(t, { dataDir });
  t.is(codeOf(await link.dispatch('wallet.exists', {}, context)), undefined);
});

/** A link that listens to the wallet shop, and behind it a port that listens to the default one; neither calls. */
function listen(t: ExecutionContext, file: string) {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const shop: CompanionEvent[] = [];
  const own: CompanionEvent[] = [];
  const link = createSocketLink(file, {
    onLost: () => void seen.push('lost'),
    onBack: () => void seen.push('back'),
    after: (ms, strike) => clock.after(ms, strike),
  });
  t.teardown(() => link.close());
  const { port1, port2 } = new MessageChannel();
  t.teardown(servePort(port1 as unknown as ChannelPort, link, () => 'port'));
  const window = portLink(port2 as unknown as ChannelPort);
  t.teardown(() => window.close());
  link.subscribe((event) => void (shop.push(event) && seen.push(event.event)), 'shop');
  window.subscribe((event) => void (own.push(event) && seen.push(`window ${event.event}`)));
  return { clock, link, seen, shop, own };
}

const reorg = (depth: number): CompanionEvent => ({ event: 'reorg', data: { fork_height: 7, depth } });
const LOCKED: CompanionEvent = { event: 'wallet.locked', data: { reason: 'asked' } };

test('what happened while a link that only listens was cut off comes once and in order, to a port behind it too', async (t) => {
  const dataDir = temporaryFolder(t);
  const fake = new FakeLink();
  const companion = { dataDir, fake, events: new EventLogs(fake) };
  const first = await serve(t, companion);
  const { clock, seen, shop, own } = listen(t, first.path);
  await until(() => fake.subscriptions === 2);
  fake.emit(reorg(1));
  await until(() => own.length === 1);
  await first.close();
  await until(() => seen.includes('lost'));
  const note = { account: 0, pool: 'sapling', height: 5, txid: 'ab', output_index: 1 } as const;
  fake.emitWithTexts({
    event: 'note.received',
    data: { ...note, value_zatoshi: 17, memo: { text: 'order 17' } },
  });
  fake.emit(LOCKED);
  for (const depth of [2, 3]) fake.emit(reorg(depth), 'shop');
  await serve(t, companion);
  clock.advance(1_000);
  await until(() => own.length === 3 && shop.length === 2 && seen.includes('back'));
  fake.emit(reorg(4));
  fake.emit(reorg(4), 'shop');
  await until(() => own.length >= 4 && shop.length >= 3);
  t.deepEqual(shop, [reorg(2), reorg(3), reorg(4)]);
  // What came before a lock comes after it without its amount and memo.
  t.deepEqual(own, [reorg(1), { event: 'note.received', data: note }, LOCKED, reorg(4)]);
});

test('a link that only listens hears again after a restart, and so does a port behind it', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await serve(t, { dataDir });
  const { clock, link, seen, own } = listen(t, first.path);
  await until(() => first.fake.subscriptions === 2);
  await first.close();
  await until(() => seen.includes('lost'));
  // Nobody answers at the first try.
  clock.advance(1_000);
  await until(() => clock.timers === 1);
  const fake = new FakeLink();
  const events = new EventLogs(fake);
  events.use(undefined);
  fake.emit(reorg(1));
  await serve(t, { dataDir, fake, events });
  clock.advance(1_000);
  await until(() => seen.length === 5);
  t.deepEqual(seen.toSorted(), ['back', 'events.missed', 'lost', 'window events.missed', 'window reorg']);
  t.deepEqual(own, [MISSED as unknown as CompanionEvent, reorg(1)]);
  fake.emit(LOCKED);
  fake.emit(LOCKED, 'shop');
  await until(() => seen.length === 7);
  t.deepEqual(seen.slice(5).sort(), ['wallet.locked', 'window wallet.locked']);
  link.close();
  t.is(clock.timers, 0);
});

test('where no companion runs, or a file pretends to be one, the answer is COMPANION_UNREACHABLE', async (t) => {
  const folder = temporaryFolder(t);
  const missing = await linkTo(t, path.join(folder, 'none.sock')).dispatch('wallet.exists', {}, context);
  t.is(codeOf(missing), 'COMPANION_UNREACHABLE');
  mkdirSync(path.join(folder, 'folder.sock'));
  const folderResult = await linkTo(t, path.join(folder, 'folder.sock')).dispatch(
    'wallet.exists',
    {},
    context,
  );
  t.is(codeOf(folderResult), 'COMPANION_UNREACHABLE');
});

/** A link whose wallet calls are bytes, which it takes away as a port to another thread does. */
class MovingLink extends FakeLink {
  readonly bodies: string[] = [];
  readonly answers: Uint8Array[] = [];

  async dispatchJson(_name: string, body: Uint8Array<ArrayBuffer>): Promise<Result<Uint8Array>> {
    const taken = new Uint8Array(structuredClone(body.buffer, { transfer: [body.buffer] }));
    this.bodies.push(new TextDecoder().decode(taken));
    const answer = encodeJson({ unlocked: true });
    this.answers.push(answer);
    return ok(answer);
  }
}

test('arguments of the wallet pass as bytes to a link that takes them, and answers are wiped', async (t) => {
  const fake = new MovingLink();
  const serving = await serveSocket({
    link: fake,
    path: socketPath(temporaryFolder(t)),
    requestId: () => 'fresh-request',
  });
  t.teardown(() => serving.close());
  const answers = await speak(
    serving.path,
    '{"id":1,"command":"wallet_unlock","args": {"password":"p"} }\n{"id":"x","command":"wallet_lock"}\n',
  );
  t.deepEqual(fake.bodies, ['{"password":"p"}', '{}']);
  t.deepEqual(
    answers.find(({ id }) => id === 1),
    { id: 1, result: { unlocked: true } },
  );
  t.true(answers.some(({ id }) => id === 'x'));
  for (const answer of fake.answers) t.true(answer.every((byte) => byte === 0));
});
