// A program that answers, well or badly: what comes of it, and that nothing of it is left.

import fs from 'node:fs';
import path from 'node:path';
import anyTest, { type ExecutionContext } from 'ava';
import { groupMemory } from '../../../src/programs/groupMemory.ts';
import { DRAIN_MS, MEMORY_LOOK_MS, type ProgramRun, runProgram } from '../../../src/programs/programRun.ts';
import { until } from '../../helpers/until.ts';
import { type Behaviour, type FakeProgram, fakeProgram, isAlive, unix } from './fakeProgram.ts';

const test = unix ? anyTest : anyTest.skip;
const linuxTest = process.platform === 'linux' ? anyTest : anyTest.skip;

// Each program has one while it runs, and these run side by side.
process.setMaxListeners(50);

const PCZT = Uint8Array.from({ length: 1_500_000 }, (_, i) => i % 251);
const SETTING = { timeout_seconds: 600, max_memory_mb: 1000 };

/** Waits that end when the test says so. */
class Waits {
  readonly #open = new Set<{ readonly ms: number; readonly strike: () => void }>();

  readonly after = (ms: number, strike: () => void): (() => void) => {
    const wait = { ms, strike };
    this.#open.add(wait);
    return () => this.#open.delete(wait);
  };

  get open(): number {
    return this.#open.size;
  }

  /** Ends those of this length; returns how many there were. */
  end(ms: number): number {
    const ending = [...this.#open].filter((wait) => wait.ms === ms);
    for (const wait of ending) {
      this.#open.delete(wait);
      wait.strike();
    }
    return ending.length;
  }
}

interface Started {
  readonly prover: FakeProgram;
  readonly waits: Waits;
  readonly stop: AbortController;
  readonly run: Promise<ProgramRun>;
}

function start(
  t: ExecutionContext,
  behaviour: Behaviour,
  {
    memoryOf = () => undefined as number | undefined,
    args = [] as string[],
    env = {} as Record<string, string>,
  } = {},
): Started {
  const prover = fakeProgram(t, behaviour);
  const waits = new Waits();
  const stop = new AbortController();
  const command = [...prover.command, ...args];
  const run = runProgram({ ...SETTING, command }, PCZT, stop.signal, { env, after: waits.after, memoryOf });
  return { prover, waits, stop, run };
}

const failureOf = async (run: Promise<ProgramRun>): Promise<string | undefined> => (await run).failure;

test('a PCZT goes in whole and its answer comes out whole, and nothing is left waiting', async (t) => {
  const { run, waits } = start(t, 'good');
  const { answer, failure } = await run;
  t.is(failure, undefined);
  t.true(Buffer.from(answer!).equals(Buffer.concat([Buffer.from('proved '), PCZT])));
  t.is(answer!.byteLength, answer!.buffer.byteLength);
  t.is(waits.open, 0);
});

test('arguments are never interpreted, and little of our environment is passed on', async (t) => {
  const args = ['$(touch /tmp/y)', '; exit 3', '', 'two words', '*'];
  const env = { PATH: '/usr/bin:/bin', HOME: '/h', WALLET_COMPANION_LOG: 'debug', NODE_OPTIONS: '-r x' };
  const { run, prover } = start(t, 'context', { args, env });
  t.is(await failureOf(run), undefined);
  const [seen, cwd, given] = JSON.parse(fs.readFileSync(path.join(prover.folder, 'seen'), 'utf8'));
  t.deepEqual(given, args);
  t.is(cwd, '/');
  t.like(seen, { PATH: env.PATH, HOME: '/h' });
  for (const name of ['WALLET_COMPANION_LOG', 'NODE_OPTIONS']) t.false(name in seen);
});

for (const [behaviour, wanted] of [
  ['floods', 'TOO_MUCH_OUTPUT'],
  ['dies', 'KILLED_SIGSEGV'],
  ['fails', 'EXIT_3'],
  ['says nothing', 'NO_OUTPUT'],
  ['reads nothing', 'NO_OUTPUT'],
] as const) {
  test(`one that ${behaviour}: ${wanted}`, async (t) => {
    const { run, waits } = start(t, behaviour);
    const { answer, failure } = await run;
    t.is(failure, wanted);
    t.is(answer, undefined);
    t.is(waits.open, 0);
  });
}

test('as much as a PCZT can have is taken', async (t) => {
  const { answer } = await start(t, 'writes the most').run;
  t.is(answer?.length, 8 * 1024 * 1024);
});

test('its last words are a few short lines without keys, addresses and what a terminal obeys', async (t) => {
  t.deepEqual((await start(t, 'fails').run).lastWords, [
    'panicked at  [31mproof.rs [0m:',
    'the key is ... of ...',
  ]);
  const { lastWords } = await start(t, 'chats').run;
  t.is(lastWords.length, 5);
  t.true(lastWords.every((line) => line.length <= 200));
  t.true(lastWords.at(-1)!.startsWith('line 1999 '));
});

for (const [why, end] of [
  ['TIMEOUT', ({ waits }: Started) => void waits.end(600_000)],
  ['STOPPED', ({ stop }: Started) => stop.abort()],
] as const) {
  test(`one that goes on is ended with all that it started: ${why}`, async (t) => {
    const started = start(t, 'starts a child and hangs');
    const pid = await started.prover.pid();
    t.true(isAlive(pid));
    end(started);
    t.is(await failureOf(started.run), why);
    await until(() => !isAlive(pid));
    t.is(started.waits.open, 0);
  });
}

test('what it leaves behind is ended, and its answer counts', async (t) => {
  const { run, prover } = start(t, 'leaves somebody');
  const { answer } = await run;
  t.is(Buffer.from(answer!).toString(), 'proved');
  const pid = await prover.pid();
  await until(() => !isAlive(pid));
  t.pass();
});

test('somebody who hides and keeps the output open is not waited for', async (t) => {
  const { run, prover, waits } = start(t, 'leaves somebody who hides');
  const pid = await prover.pid();
  t.teardown(() => process.kill(pid, 'SIGKILL'));
  await until(() => waits.end(DRAIN_MS) === 1);
  const { answer } = await run;
  t.is(Buffer.from(answer!).toString(), 'proved');
  t.is(waits.open, 0);
});

test('one that takes too much memory is ended', async (t) => {
  const MB = 1024 * 1024;
  let held: number | undefined;
  const { run, prover, waits } = start(t, 'hangs', { memoryOf: () => held });
  const pid = await prover.pid();
  for (held of [undefined, 10 * MB, 1000 * MB]) t.is(waits.end(MEMORY_LOOK_MS), 1);
  t.true(isAlive(pid));
  held = 1000 * MB + 1;
  t.is(waits.end(MEMORY_LOOK_MS), 1);
  t.is(await failureOf(run), 'TOO_MUCH_MEMORY');
  t.is(waits.open, 0);
});

linuxTest('the memory of a program is that of all its processes', async (t) => {
  const { run, prover, waits, stop } = start(t, 'starts a child and hangs');
  const child = await prover.pid();
  const stat = fs.readFileSync(`/proc/${child}/stat`, 'utf8');
  const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  const resident = (pid: number): number =>
    Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
  const [own, others] = [resident(group), resident(child)];
  const sum = groupMemory(group) ?? 0;
  t.true(sum > own + others / 2 && sum > others + own / 2, `${sum} of ${own} and ${others}`);
  stop.abort();
  t.is(await failureOf(run), 'STOPPED');
  await until(() => !isAlive(child));
  t.is(groupMemory(group) ?? 0, 0);
  t.is(waits.open, 0);
});

test('what others could exchange, or cannot be run, is not run', async (t) => {
  const run = (file: string) =>
    runProgram({ ...SETTING, command: [file] }, PCZT, new AbortController().signal, {
      env: {},
      after: new Waits().after,
      memoryOf: () => undefined,
    });
  const { command, folder } = fakeProgram(t, 'good');
  const file = command[0]!;
  fs.chmodSync(file, 0o775);
  t.is(await failureOf(run(file)), 'UNSAFE_COMMAND');
  fs.chmodSync(file, 0o644);
  t.is(await failureOf(run(file)), 'UNSAFE_COMMAND');
  t.is(await failureOf(run(path.join(folder, 'none'))), 'UNSAFE_COMMAND');
  fs.writeFileSync(file, '#!/no/such/program\n');
  fs.chmodSync(file, 0o755);
  t.is(await failureOf(run(file)), 'NOT_STARTED');
});
