// A companion runs for weeks: whatever it reads and answers, no thread of it holds more afterwards. Measured is what is
// left in every heap once its garbage is gone, not the size of the process, which is the machine's affair too.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AT_LENGTH, oneIn, runs } from '@wallet-companion/base/test/atLength';
import test, { type ExecutionContext } from 'ava';
import type { ClosableLink } from '../../src/ipc/messagePort.ts';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { type OperationName, type Output, operations } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { koffi, missingCompiler, openLibrary } from '../helpers/companionLibrary.ts';
import { HEAVY_BLOCKS, HeavyChain } from '../helpers/heavyChain.ts';
import type { CallsMessage, Listening } from '../helpers/memoryCompanion.ts';
import { ask, heldBytes, measure, spawnProbed } from '../helpers/processMemory.ts';
import { UNHURRIED } from '../helpers/service.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';

const SCRIPT = fileURLToPath(new URL('../helpers/memoryCompanion.js', import.meta.url));
const MIB = 2 ** 20;
const PAID_BLOCKS = 4;
const NOTES_PER_BLOCK = 25;
/** A fork that deep below the heavy blocks is an everyday reorganisation. */
const LIGHT_BLOCKS = 110;
/**
 * Far less than is read (some 40 MiB a round); compiled code, pools and tables that have not reached their size yet
 * stay below it, and the batches that scan workers held when they reported last.
 */
const FLAT_MIB = { blocks: 64, reads: 8 } as const;
const ROUNDS = runs(2, 4);

interface Running {
  readonly child: ChildProcess;
  readonly chain: HeavyChain;
  readonly folder: string;
  readonly dataDir: string;
  readonly url: string;
  readonly link: ClosableLink;
  /** Told once, when the wallet was made. */
  readonly mnemonic: string;
}

let running: Running;
/** Of whatever has been started, the latest first. */
const ends: (() => unknown)[] = [];

/** Far above what any machine needs: so that a call that is never answered is named, and does not hold up all tests. */
const ANSWER_MS = 1_500_000;

const callOn =
  (link: ClosableLink) =>
  async <N extends OperationName>(name: N, input: object = {}): Promise<Output<N>> => {
    let watch: NodeJS.Timeout | undefined;
    const unanswered = new Promise<never>((_, reject) => {
      watch = setTimeout(() => reject(new Error(`${name} was not answered`)), ANSWER_MS);
    });
    const answer = link.dispatch(name, input, { requestId: 'test' });
    return unwrap(await Promise.race([answer, unanswered]).finally(() => clearTimeout(watch)));
  };

const call = <N extends OperationName>(name: N, input: object = {}): Promise<Output<N>> =>
  callOn(running.link)(name, input);

/** Notes to read, and heavy blocks far enough above them to be replaced. */
function mine({ devnet }: HeavyChain, address: string): void {
  for (let i = 0; i < PAID_BLOCKS; i++) {
    const payment = { address, pool: 'ironwood', zatoshi: 1_000n } as const;
    const payments = Array.from({ length: NOTES_PER_BLOCK }, () => payment);
    devnet.mine({ transactions: [devnet.pay(payments)] });
  }
  devnet.mineEmpty(LIGHT_BLOCKS);
}

test.before(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const configDir = path.join(folder, 'config');
  const dataDir = path.join(folder, 'data');
  const chain = new HeavyChain();
  ends.push(() => chain.devnet.close());
  const config = {
    network: 'regtest',
    node_url: await chain.devnet.node.listen(),
    compact_server_url: await chain.devnet.compact.listen(),
    auto_lock_seconds: 0,
  };
  mkdirSync(configDir);
  writeFileSync(path.join(configDir, 'config.json'), JSON.stringify(config));
  const child = spawnProbed(SCRIPT, [configDir, dataDir], UNHURRIED);
  ends.push(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  });
  const [{ listening }] = (await once(child, 'message')) as [{ readonly listening: Listening }];
  const link = createSocketLink(socketPath(dataDir));
  ends.push(() => link.close());
  const wallet = { password: PASSWORD, birthday_height: 1 };
  const { mnemonic, unified_address: address } = await callOn(link)('wallet.create', wallet);
  mine(chain, address);
  chain.begin();
  await callOn(link)('sync.run');
  running = { child, chain, folder, dataDir, url: listening.url, link, mnemonic };
});

test.after.always(async () => {
  for (const end of ends.reverse()) await end();
});

/** What `use` leaves behind in all threads together, in MiB. */
async function leftBehind(t: ExecutionContext, use: () => Promise<void>): Promise<number> {
  const before = await measure(running.child);
  await use();
  const after = await measure(running.child);
  t.true(after.threads.length >= 3);
  const grown = (heldBytes(after) - heldBytes(before)) / MIB;
  t.log(
    `${grown.toFixed(1)} MiB more; RSS ${Math.round(before.rss / MIB)} -> ${Math.round(after.rss / MIB)} MiB`,
  );
  return grown;
}

/** For each text, the threads in whose heaps it is reachable. */
async function threadsWith(...texts: readonly string[]): Promise<string[][]> {
  const folder = mkdtempSync(path.join(running.folder, 'heaps-'));
  await measure(running.child, folder);
  const heaps = readdirSync(folder)
    .sort()
    .map((file) => ({ thread: path.parse(file).name, heap: readFileSync(path.join(folder, file)) }));
  rmSync(folder, { recursive: true });
  return texts.map((text) => heaps.filter(({ heap }) => heap.includes(text)).map(({ thread }) => thread));
}

// One after the other, on one companion: each needs the whole heap for itself.

test.serial('after the lock no thread holds the phrase or a viewing key that was shown', async (t) => {
  const { mnemonic } = running;
  t.is((await call('wallet.backup', { password: PASSWORD })).mnemonic, mnemonic);
  const { viewing_key: viewingKey } = await call('wallet.viewing_key', { password: PASSWORD });
  const answer = await fetch(`${running.url}/api/wallet/backup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD }),
  });
  t.true((await answer.text()).includes(mnemonic));
  // The open session has the viewing key, so the search finds what is there.
  t.deepEqual(await threadsWith(mnemonic, viewingKey), [[], ['wallet']]);
  await call('wallet.lock');
  t.deepEqual(await threadsWith(mnemonic, viewingKey), [[], []]);
  await call('wallet.unlock', { password: PASSWORD });
});

/** Reads every heavy block twice: a branch that is new, then the same range again. */
async function readFromNode(t: ExecutionContext): Promise<void> {
  running.chain.replace();
  const { start, end } = running.chain.range;
  const top = { source: 'node' } as const;
  t.like(await call('sync.run', top), { caught_up: true, complete: true });
  const again = { ...top, start_height: start, end_height: end };
  t.is((await call('sync.run', again)).blocks_scanned, HEAVY_BLOCKS);
}

/** Over the wire into the store, and from the store through the scan. */
async function readFromCompactServer(t: ExecutionContext): Promise<void> {
  running.chain.replace();
  const { start, end } = running.chain.range;
  const range = { start_height: start, end_height: end };
  t.like(await call('lwd.sync_compact', range), { end_height: end, range_complete: true });
  t.like(await call('sync.run', { source: 'compact' }), { caught_up: true, complete: true });
}

// What is read goes the same way from either: at length both.
for (const [source, read] of oneIn(2, [
  ['node', readFromNode],
  ['compact server', readFromCompactServer],
] as const)) {
  test.serial(`blocks from a ${source} leave nothing behind in any thread`, async (t) => {
    await read(t);
    const grown = await leftBehind(t, async () => {
      for (let round = 0; round < ROUNDS; round++) await read(t);
    });
    t.true(grown < FLAT_MIB.blocks);
  });
}

const NOTES_PAGE: readonly [OperationName, object] = ['notes.list', { limit: 100 }];
const READS = [NOTES_PAGE, ['config.get', {}], NOTES_PAGE, ['sync.status', {}]] as const;

type Read = (name: OperationName, input: object) => Promise<unknown>;

/** Some at a time, as a page with several views asks. */
async function readMany(read: Read, count: number): Promise<void> {
  const reader = async (first: number) => {
    for (let i = first; i < count; i += 8) {
      const [name, input] = READS[i % READS.length]!;
      await read(name, input);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, first) => reader(first)));
}

const overIpc =
  (on: CallsMessage['calls']['on']) =>
  async (count: number): Promise<void> => {
    for (const [name, input] of READS) {
      const message: CallsMessage = { calls: { on, name, input }, count: Math.ceil(count / READS.length) };
      const called = await ask<number | string>(running.child, message, 'called');
      if (called !== message.count) throw new Error(String(called));
    }
  };

async function overHttp(count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const read: Read = async (name, input) => {
    const query = new URLSearchParams(
      Object.entries(input).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const url = `${running.url}${operations[name].http.path}?${query}`;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { agent }, resolve).on('error', reject);
    });
    answer.resume();
    await once(answer, 'end');
    if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.statusCode}`);
  };
  await readMany(read, count);
  agent.destroy();
}

const overSocket = (count: number): Promise<void> => readMany((name, input) => call(name, input), count);

async function overLibrary(count: number): Promise<void> {
  const handle = await openLibrary({ dataDir: running.dataDir });
  if (!('close' in handle)) throw new Error(JSON.stringify(handle));
  await readMany(async (name, input) => {
    const { code } = await handle.call(name, input);
    if (code !== 0) throw new Error(`${name}: ${code}`);
  }, count);
  await handle.close();
}

/** Streams opened, listened to and left, and subscriptions taken and given back. */
async function ofEvents(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const abort = new AbortController();
    const stream = await fetch(`${running.url}/api/events`, { signal: abort.signal });
    const unsubscribe = running.link.subscribe(() => {});
    await call('config.theme', { theme: i % 2 === 0 ? 'dark' : 'light' });
    await stream.body?.getReader().read();
    abort.abort();
    unsubscribe();
  }
}

/** Reads of every surface, where more are wanted than a suite has time for: a hundred thousand take an hour. */
const WANTED_READS = Number(process.env['WALLET_COMPANION_MEMORY_READS'] ?? 0);

/** The others are thin over the link, which both of these go through. */
const USUAL: readonly string[] = ['the private socket', 'HTTP', 'event streams'];

for (const [surface, read, usual, missing] of (
  [
    ['the link itself', overIpc('link'), 3_000, undefined],
    ['a message port', overIpc('port'), 2_000, undefined],
    ['the private socket', overSocket, runs(600, 2_000), undefined],
    ['HTTP', overHttp, runs(600, 1_500), undefined],
    [
      'the C library',
      overLibrary,
      1_000,
      missingCompiler ?? (koffi === undefined ? 'koffi is not installed' : undefined),
    ],
    ['event streams', ofEvents, runs(40, 80), undefined],
  ] as const
).filter(([surface]) => AT_LENGTH || USUAL.includes(surface))) {
  const run = missing === undefined ? test.serial : test.serial.skip;
  const count = Math.max(usual, WANTED_READS);
  run(`${count} reads through ${surface} leave nothing behind in any thread`, async (t) => {
    t.is((await call('notes.list', { limit: 100 })).notes.length, PAID_BLOCKS * NOTES_PER_BLOCK);
    await read(Math.ceil(usual / 20));
    t.true((await leftBehind(t, () => read(count))) < FLAT_MIB.reads);
  });
}
