// How soon others are answered while a scan keeps the machine busy, and how long a thread that answers is away at a time.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Row } from '@wallet-companion/kernel/bench/table';
import { call, type Running, stop } from '../companionProcess.ts';
import { factsOf, preparedChain } from '../sync/preparedChain.ts';
import type { SourceName } from '../sync/scanCase.ts';
import {
  expectBalance,
  fillStore,
  makeBed,
  removeBed,
  restoreWallet,
  serve,
  startProbed,
  syncToTip,
} from '../sync/serving.ts';
import type { Shape } from '../sync/shapes.ts';

const ROUTES = ['/api/wallet/status', '/api/balance', '/api/notes?limit=100', '/healthz'];
const ASK_EVERY_MS = 5;
/** Those that answer. */
const THREADS = ['main', 'wallet', 'chain'];

export interface OtherRoutesCase {
  readonly shape: Shape;
  readonly blocks: number;
  readonly source: SourceName;
  /** After the first one, which a process pays for once. */
  readonly scans: number;
  /** Where V8's profiles are to go. */
  readonly profiles: string | undefined;
}

export interface OtherRoutesFigures {
  readonly latencies: readonly Row[];
  readonly turns: Row;
}

export async function measureOtherRoutes(options: OtherRoutesCase): Promise<OtherRoutesFigures> {
  const { shape, blocks, source, scans } = options;
  const folder = preparedChain(shape, blocks);
  const facts = factsOf(folder);
  const servers = await serve(new URL('../sync/serverProcess.js', import.meta.url), folder);
  const bed = makeBed(servers, { activation_heights: facts.activation });
  const turns = path.join(bed.folder, 'turns');
  try {
    const companion = await startProbed(bed, undefined, options.profiles, turns);
    try {
      await restoreWallet(companion, 1);
      if (source === 'store') await fillStore(companion);
      const latencies = new Map<string, number[]>(ROUTES.map((route) => [route, []]));
      const scan = async (): Promise<void> => {
        await syncToTip(companion, source === 'node' ? 'node' : 'compact');
        await expectBalance(companion, facts.zatoshi);
      };
      const first = process.hrtime.bigint();
      await scan();
      const later = process.hrtime.bigint();
      for (let i = 0; i < scans; i++) {
        await call(companion, '/api/wallet/rescan', {});
        await whileAsking(companion, latencies, scan());
      }
      const case_ = { shape: shape.name, source, blocks };
      return {
        latencies: ROUTES.map((route) => ({ ...case_, route, ...spread(latencies.get(route)!) })),
        turns: { ...case_, ...longestTurns(turns, first, later) },
      };
    } finally {
      await stop(companion);
    }
  } finally {
    servers.stop();
    removeBed(bed);
  }
}

async function whileAsking(
  companion: Running,
  latencies: ReadonlyMap<string, number[]>,
  scan: Promise<void>,
): Promise<void> {
  let done = false;
  const ended = scan.finally(() => {
    done = true;
  });
  ended.catch(() => undefined);
  for (let i = 0; !done; i++) {
    const route = ROUTES[i % ROUTES.length]!;
    const asked = performance.now();
    await call(companion, route);
    latencies.get(route)!.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  await ended;
}

function spread(latencies: readonly number[]): Row {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (part: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1);
  return { answers: sorted.length, 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'most ms': at(1) };
}

/** Processor time, the first scan's and that of those that follow. */
function longestTurns(file: string, first: bigint, later: bigint): Row {
  const longest: Record<string, number> = {};
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    const [at, ms, thread] = line.split(' ');
    if (at === undefined || thread === undefined || BigInt(at) < first) continue;
    const column = `${thread}, ${BigInt(at) < later ? 'first' : 'again'}`;
    longest[column] = Math.max(longest[column] ?? 0, Number(ms));
  }
  return Object.fromEntries(
    THREADS.flatMap((thread) =>
      ['first', 'again'].map((scan) => {
        const column = `${thread}, ${scan}`;
        return [column, longest[column]?.toFixed(1) ?? '-'];
      }),
    ),
  );
}
