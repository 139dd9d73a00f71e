// A wallet with 100,000 notes (`-- --notes 10000`: so many): what an unlock costs beyond the key derivation, how long the other routes are silent
// meanwhile, what pages and the balance take, and the memory of it all. First the note store alone in this process,
// then the companion as people run it. The balance and the number of entries are checked before a figure counts.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DEFAULT_KDF, derivePasswordKey } from '@wallet-companion/disk/sealing';
import { NoteStore } from '../src/actors/wallet/noteStore/noteStore.ts';
import { createNoteDatabases } from '../src/storage/notes/noteDatabase.ts';
import { call, cpuSeconds, type Running, rssMebibytes, start, stop } from './companionProcess.ts';
import { makeWallet, NOTE_VALUE, NOTES, PASSWORD, TRANSACTIONS } from './noteStore.ts';

const PROBE_INTERVAL_MS = 10;
const QUIET_MS = 1_000;
/** V8 gives memory back when a thread has been idle for some seconds. */
const REST_MS = 20_000;
const PAGE = 1_000;
const SMALL_PAGE = 100;

export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-bench-'));
  try {
    const { configDir, dataDir, masterKey } = await makeWallet(folder);
    // The first opening after the notes came in, and one after that.
    console.table([await load(dataDir, masterKey), await load(dataDir, masterKey)]);
    console.table([await companion(configDir, dataDir)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function load(dataDir: string, masterKey: Uint8Array): Promise<object> {
  const store = createNoteDatabases({ dataDir, randomBytes: () => new Uint8Array(24) }).open(masterKey);
  const heapBefore = heapMebibytes();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const clock = stopwatch();
  const noteStore = await NoteStore.open(store, [{ index: 0, birthdayHeight: 1 }], 1);
  const { seconds, cpu } = clock();
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.disable();
  if ([...noteStore.notes].length !== NOTES) throw new Error('notes are missing');
  const row = {
    'load s': seconds,
    'CPU s': cpu,
    'longest stall ms': Math.round(delay.max / 1e6),
    'heap MiB more': heapMebibytes() - heapBefore,
  };
  noteStore.close();
  return row;
}

async function companion(configDir: string, dataDir: string): Promise<object> {
  const running = await start(configDir, dataDir);
  try {
    await quiet(running.child);
    const idle = rssMebibytes(running.child);
    const kdf = await kdfSeconds();
    const cpuBefore = cpuSeconds(running.child);
    let done = false;
    const began = performance.now();
    const unlocking = call(running, '/api/wallet/unlock', { password: PASSWORD }).finally(() => {
      done = true;
    });
    let silence = 0;
    let polls = 0;
    while (!done) {
      const asked = performance.now();
      await call(running, '/api/wallet/status');
      silence = Math.max(silence, performance.now() - asked);
      polls++;
      await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS));
    }
    await unlocking;
    const unlockSeconds = (performance.now() - began) / 1000;
    const unlockCpu = cpuSeconds(running.child) - cpuBefore;
    const unlockedRss = rssMebibytes(running.child);
    const balance = await timed(() => call<{ total_zatoshi: number }>(running, '/api/balance'));
    if (balance.result.total_zatoshi !== (NOTE_VALUE * NOTES) / 2 + NOTE_VALUE) {
      throw new Error(`wrong balance: ${balance.result.total_zatoshi}`);
    }
    const notes = await pages(running, 'notes', PAGE, NOTES);
    const transactions = await pages(running, 'transactions', PAGE, TRANSACTIONS);
    const small = await timed(() =>
      call(running, `/api/notes?limit=${SMALL_PAGE}&pool=orchard&unspent=true`),
    );
    const again = await timed(() => call(running, '/api/balance'));
    const listedRss = rssMebibytes(running.child);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return {
      'unlock s': round(unlockSeconds),
      'CPU s beyond KDF': round(unlockCpu - kdf),
      'KDF CPU s': round(kdf),
      'longest silence ms': Math.round(silence),
      polls,
      'balance ms': `${balance.ms}, ${again.ms}`,
      'notes: first, longest, all pages ms': `${notes.first}, ${notes.longest}, ${notes.all}`,
      transactions: `${transactions.first}, ${transactions.longest}, ${transactions.all}`,
      '100 unspent Orchard notes ms': small.ms,
      'RSS MiB idle, unlocked, listed, at rest, peak': [
        idle,
        unlockedRss,
        listedRss,
        rssMebibytes(running.child),
        rssMebibytes(running.child, 'VmHWM'),
      ].join(),
    };
  } finally {
    await stop(running);
  }
}

/** Until what a start leaves behind (the kernel is compiled) no longer takes processor time. */
async function quiet(child: ChildProcess): Promise<void> {
  for (let before = Number.NaN; ; ) {
    const now = cpuSeconds(child);
    if (Number.isNaN(now) || now - before < 0.02) return;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
}

/** Every page, one after the other. */
async function pages(
  running: Running,
  what: 'notes' | 'transactions',
  limit: number,
  expected: number,
): Promise<{ first: number; longest: number; all: number }> {
  const times: number[] = [];
  let entries = 0;
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { ms, result } = await timed(() =>
      call<Partial<Record<'notes' | 'transactions', unknown[]>> & { next_cursor: string | null }>(
        running,
        `/api/${what}?limit=${limit}${query}`,
      ),
    );
    times.push(ms);
    entries += result[what]?.length ?? 0;
    cursor = result.next_cursor;
  } while (cursor !== null);
  if (entries !== expected) throw new Error(`${entries} ${what} were listed`);
  const all = times.reduce((sum, ms) => sum + ms, 0);
  return { first: times[0]!, longest: Math.max(...times), all };
}

const round = (value: number): number => Math.round(value * 100) / 100;

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const began = performance.now();
  const result = await work();
  return { ms: Math.round(performance.now() - began), result };
}

function stopwatch(): () => { seconds: number; cpu: number } {
  const began = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: round((performance.now() - began) / 1000), cpu: round((user + system) / 1e6) };
  };
}

/** Processor time of one key derivation, the best of three. */
async function kdfSeconds(): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const clock = stopwatch();
    await derivePasswordKey(new Uint8Array(8), new Uint8Array(16), DEFAULT_KDF);
    best = Math.min(best, clock().cpu);
  }
  return best;
}

/** After a collection where node runs with --expose-gc; else with what is not collected yet. */
function heapMebibytes(): number {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return Math.round((heapUsed + external) / 1024 / 1024);
}
