// What one new block costs a companion whose wallet is open and has scanned the chain: a sync of one block, asked for
// over HTTP, from a node and from a compact server, beside what they take themselves for their answers.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Row } from '@wallet-companion/kernel/bench/table';
import { call, type Running, stop } from '../companionProcess.ts';
import {
  type Addresses,
  makeBed,
  removeBed,
  restoreWallet,
  startProbed,
  syncToTip,
} from '../sync/serving.ts';
import { BEFORE_IRONWOOD } from '../sync/shapes.ts';
import { type ThreadTimes, threadNames, threadTimes, timesByRole } from '../sync/threadTimes.ts';

/** What a scan does for the first time is done by then. */
const WARM_UP = 10;

interface GrowingChain extends Addresses {
  grow(): Promise<void>;
  /** Milliseconds of processor time that its servers have taken since it grew. */
  cpuMs(): Promise<number>;
  stop(): void;
}

async function growingChain(): Promise<GrowingChain> {
  const script = fileURLToPath(new URL('growingProcess.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('the servers have ended');
    return line.value;
  };
  const ask = (word: string): Promise<string> => {
    child.stdin.write(`${word}\n`);
    return next();
  };
  return {
    ...(JSON.parse(await next()) as Addresses),
    grow: async () => void (await ask('mine')),
    cpuMs: async () => Number(await ask('taken')) / 1000,
    stop: () => child.kill(),
  };
}

interface Figure {
  readonly ms: number;
  readonly cpuMs: number;
  readonly upstreamCpuMs: number;
  readonly wallet: number;
  readonly chain: number;
}

export async function measureNextBlock(turns: number): Promise<Row[]> {
  const chain = await growingChain();
  try {
    const rows: Row[] = [];
    for (const source of ['node', 'compact'] as const) {
      const bed = makeBed(chain, { activation_heights: BEFORE_IRONWOOD });
      const companion = await startProbed(bed, undefined);
      try {
        await restoreWallet(companion, 1);
        await syncToTip(companion, source);
        const figures: Figure[] = [];
        for (let i = 0; i < WARM_UP + turns; i++) {
          await chain.grow();
          const figure = await oneBlock(companion, source, bed.threads, chain);
          if (i >= WARM_UP) figures.push(figure);
        }
        rows.push(row(source, figures));
      } finally {
        await stop(companion);
        removeBed(bed);
      }
    }
    return rows;
  } finally {
    chain.stop();
  }
}

const sum = (times: ThreadTimes): number => [...times.values()].reduce((a, b) => a + b, 0);

async function oneBlock(
  companion: Running,
  source: 'node' | 'compact',
  threads: string,
  chain: GrowingChain,
): Promise<Figure> {
  const before = threadTimes(companion.child);
  const began = performance.now();
  const { blocks_scanned: scanned } = await call<{ blocks_scanned: number }>(companion, '/api/sync', {
    source,
  });
  const ms = performance.now() - began;
  const after = threadTimes(companion.child);
  if (scanned !== 1) throw new Error('the new block was not scanned');
  const roles = timesByRole(before, after, threadNames(threads));
  return {
    ms,
    cpuMs: 1000 * (sum(after) - sum(before)),
    upstreamCpuMs: await chain.cpuMs(),
    wallet: 1000 * (roles['wallet'] ?? 0),
    chain: 1000 * (roles['chain'] ?? 0),
  };
}

function row(source: string, figures: readonly Figure[]): Row {
  const sorted = (pick: (figure: Figure) => number): number[] => figures.map(pick).sort((a, b) => a - b);
  const median = (pick: (figure: Figure) => number): string => sorted(pick)[figures.length >> 1]!.toFixed(1);
  return {
    source,
    turns: figures.length,
    'ms, median': median(({ ms }) => ms),
    'ms, most': sorted(({ ms }) => ms)
      .at(-1)!
      .toFixed(1),
    'CPU ms': median(({ cpuMs }) => cpuMs),
    wallet: median(({ wallet }) => wallet),
    chain: median(({ chain }) => chain),
    'of the servers, CPU ms': median(({ upstreamCpuMs }) => upstreamCpuMs),
  };
}
