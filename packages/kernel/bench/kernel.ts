// The kernel alone: field arithmetic, whole batches at several sizes and numbers of viewing keys, hits, and scaling
// over worker threads. Processor time, best of the rounds, after a warm-up (V8 runs a baseline build of new code
// first). Inputs are described in scanInput.ts; the answer is checked before anything is timed.

import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createDecryptor, instantiateKernel, type KernelModule } from '@wallet-companion/kernel/kernel';
import { loadKernel } from '@wallet-companion/kernel/kernelLoad';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { OutputColumns } from '@wallet-companion/zcash/scan';
import { processorMicroseconds, randomKeys, scanInput } from './scanInput.ts';

const KEY_COUNTS = [1, 2, 4, 8];
const BATCHES = [1, 10, 100, 1024, 4096];
const ROWS = 4096;
const POOLS: readonly Pool[] = ['orchard', 'sapling'];
const HITS = 64;
/** Blocks of the field measurement: 1,024 elements, 40 KiB per array. */
const FIELD_BLOCKS = 256;
/** Each measurement takes about this long. */
const BUDGET_US = 400_000;

/** Fastest of as many runs as fit the budget, at least five. */
function fastest(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  let spent = 0;
  for (let run = 0; run < 5 || (spent < BUDGET_US && run < 1000); run++) {
    const time = processorMicroseconds(work);
    best = Math.min(best, time);
    spent += time;
  }
  return best;
}

function rowsOf(columns: OutputColumns, count: number): OutputColumns {
  return {
    pool: columns.pool,
    count,
    ephemeralKeys: columns.ephemeralKeys.subarray(0, count * 32),
    ciphertexts: columns.ciphertexts.subarray(0, count * 52),
    commitments: columns.commitments.subarray(0, count * 32),
    nullifiers: columns.nullifiers.subarray(0, count * 32),
    positions: columns.positions.subarray(0, count),
    leadBytes: columns.leadBytes.subarray(0, count),
  };
}

function benchField(module: KernelModule): void {
  const { pallas, jubjub } = instantiateKernel(module);
  for (const [name, field] of [
    ['Pallas', pallas],
    ['Jubjub', jubjub],
  ] as const) {
    const [a, b, o] = [field.array(FIELD_BLOCKS), field.array(FIELD_BLOCKS), field.array(FIELD_BLOCKS)];
    const bytes = field.memory.allocate(FIELD_BLOCKS * 128);
    for (let i = 0; i < FIELD_BLOCKS * 128; i++)
      field.memory.bytes[bytes + i] = (i * 167 + (i >> 5) * 29) & 0xff;
    field.read(a, bytes, FIELD_BLOCKS);
    field.sqr(b, a, FIELD_BLOCKS);
    const repeat = 200;
    const per = (work: () => void) =>
      (fastest(() => {
        for (let i = 0; i < repeat; i++) work();
        field.flush();
      }) *
        1000) /
      repeat /
      (FIELD_BLOCKS * 4);
    const mul = per(() => field.mul(o, a, b, FIELD_BLOCKS));
    const sqr = per(() => field.sqr(o, a, FIELD_BLOCKS));
    console.log(
      `${name} field: multiplication ${mul.toFixed(1)} ns, squaring ${sqr.toFixed(1)} ns per element`,
    );
  }
}

function benchBatches(module: KernelModule): void {
  const decryptor = createDecryptor(module);
  for (const pool of POOLS) {
    const allKeys = randomKeys(pool, Math.max(...KEY_COUNTS));
    const { columns, noteRows } = scanInput(pool, ROWS, allKeys[0]!, 4);
    const found = decryptor.decrypt(columns, allKeys).map(({ row }) => row);
    if (found.join() !== noteRows.join())
      throw new Error(`found rows ${found.join()}, not ${noteRows.join()}`);
    console.log(`\n${pool}, us per output; viewing keys: ${KEY_COUNTS.join(', ')}`);
    for (const batch of BATCHES) {
      const part = rowsOf(columns, batch);
      const cells = KEY_COUNTS.map((count) => {
        const keys = allKeys.slice(0, count);
        decryptor.decrypt(part, keys);
        return (fastest(() => decryptor.decrypt(part, keys)) / batch).toFixed(1).padStart(10);
      });
      console.log(`  batch ${String(batch).padStart(4)}${cells.join('')}`);
    }
  }
}

function benchHits(module: KernelModule): void {
  const decryptor = createDecryptor(module);
  console.log('');
  for (const pool of ['orchard', 'ironwood', 'sapling'] as const) {
    const keys = randomKeys(pool, 1);
    const hits = scanInput(pool, HITS, keys[0]!, HITS).columns;
    const misses = scanInput(pool, HITS, keys[0]!, 0).columns;
    if (decryptor.decrypt(hits, keys).length !== HITS) throw new Error('not every note was found');
    const extra =
      fastest(() => decryptor.decrypt(hits, keys)) - fastest(() => decryptor.decrypt(misses, keys));
    console.log(`${pool}: one note of ours costs ${(extra / HITS).toFixed(0)} us more than somebody else's`);
  }
}

interface ThreadTask {
  readonly module: KernelModule;
  readonly columns: OutputColumns;
  readonly keys: readonly IncomingKey[];
  readonly batches: number;
}

/** Wall-clock outputs per second of `threads` workers that share one compiled module. */
async function throughput(task: ThreadTask, threads: number): Promise<number> {
  const workers = Array.from(
    { length: threads },
    () => new Worker(fileURLToPath(import.meta.url), { workerData: task }),
  );
  const next = (worker: Worker) =>
    new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
    });
  await Promise.all(workers.map(next));
  const start = performance.now();
  const done = workers.map(next);
  for (const worker of workers) worker.postMessage('start');
  await Promise.all(done);
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(workers.map((worker) => worker.terminate()));
  return (threads * task.batches * task.columns.count) / seconds;
}

function runThread({ module, columns, keys, batches }: ThreadTask): void {
  const decryptor = createDecryptor(module);
  for (let i = 0; i < 10; i++) decryptor.decrypt(columns, keys);
  parentPort!.once('message', () => {
    for (let i = 0; i < batches; i++) decryptor.decrypt(columns, keys);
    parentPort!.postMessage('done');
  });
  parentPort!.postMessage('ready');
}

async function benchThreads(module: KernelModule): Promise<void> {
  const keys = randomKeys('orchard', 2);
  const { columns } = scanInput('orchard', 1024, keys[0]!, 1);
  const task: ThreadTask = { module, columns, keys, batches: 20 };
  const rates: [number, number] = [0, 0];
  for (let turn = 0; turn < 3; turn++) {
    rates[0] = Math.max(rates[0], await throughput(task, 1));
    rates[1] = Math.max(rates[1], await throughput(task, 2));
  }
  const [one, two] = rates;
  console.log(
    `\norchard, 2 viewing keys: ${one.toFixed(0)} outputs/s on one thread, ${two.toFixed(0)} on two (${(two / one).toFixed(2)}x)`,
  );
}

export async function run(): Promise<void> {
  const isWide = process.env['WALLET_COMPANION_KERNEL'] === 'wide';
  const module = await loadKernel({ choice: isWide ? 'wide' : 'auto' });
  console.log(`Node ${process.version}, kernel ${module.variant}: ${module.reason}`);
  benchField(module);
  benchBatches(module);
  benchHits(module);
  await benchThreads(module);
}

if (!isMainThread && workerData !== null) runThread(workerData as ThreadTask);
