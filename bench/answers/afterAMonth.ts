// What a payment's preparation takes after a month away, and what it asks of the compact server: of two notes that came
// before or meanwhile, in each pool, at first and once more.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AnsweredCall } from '@wallet-companion/devnet/servers';
import type { Row } from '@wallet-companion/kernel/bench/table';
import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { call, cpuSeconds, type Running, stop } from '../companionProcess.ts';
import { Stopwatch } from '../history/measuring.ts';
import { makeBed, removeBed, restoreWallet, serve, startProbed, syncToTip } from '../sync/serving.ts';
import { HELPERS } from '../sync/threadTimes.ts';
import { awayPlan, paymentOf, type When } from './awayPlan.ts';
import { LONG } from './longPlan.ts';

const WHEN: readonly When[] = ['before', 'meanwhile'];
const TURNS = ['first', 'again'] as const;

interface Prepared {
  readonly payment_id: string;
  readonly notes: readonly { readonly pool: Pool }[];
}

export interface MonthFigures {
  readonly scan: Row;
  readonly preparations: readonly Row[];
}

export async function measureAfterAMonth(away: number): Promise<MonthFigures> {
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-bench-calls-'));
  const log = path.join(folder, 'calls');
  writeFileSync(log, '');
  const servers = await serve(new URL('awayProcess.js', import.meta.url), String(away), log);
  const bed = makeBed(servers, {
    activation_heights: LONG.now.activation,
    complete_transactions: false,
  });
  try {
    const companion = await startProbed(bed, undefined);
    try {
      await restoreWallet(companion, 1);
      const watch = new Stopwatch(companion.child, bed.threads);
      await syncToTip(companion, 'compact');
      const { seconds, cpuSeconds: scanned, byRole, peakMebibytes } = watch.stop();
      const scan = {
        blocks: awayPlan(away).blocks.tip,
        seconds: seconds.toFixed(1),
        'CPU s': scanned.toFixed(1),
        wallet: (byRole['wallet'] ?? 0).toFixed(2),
        chain: (byRole['chain'] ?? 0).toFixed(2),
        scanning: (byRole['scan'] ?? 0).toFixed(2),
        helpers: (byRole[HELPERS] ?? 0).toFixed(2),
        'peak RSS MiB': peakMebibytes,
        calls: callsIn(log, 0).length,
      };
      return { scan, preparations: await preparations(companion, log) };
    } finally {
      await stop(companion);
    }
  } finally {
    servers.stop();
    removeBed(bed);
    rmSync(folder, { recursive: true, force: true });
  }
}

const callsIn = (log: string, from: number): AnsweredCall[] =>
  readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(from)
    .map((line) => JSON.parse(line) as AnsweredCall);

/** Both payments of a pool are there at once: the notes of one are reserved while the other is prepared. */
async function preparations(companion: Running, log: string): Promise<Row[]> {
  const { unified_address: address } = await call<{ unified_address: string }>(companion, '/api/address');
  const rows: Row[] = [];
  for (const pool of POOLS) {
    for (const turn of TURNS) {
      const made: string[] = [];
      for (const when of WHEN) {
        const asked = { ...paymentOf(pool, when), address, source: 'compact', privacy: ['crossing_pools'] };
        const before = callsIn(log, 0).length;
        const cpu = cpuSeconds(companion.child);
        const began = performance.now();
        const { payment_id: id, notes } = await call<Prepared>(companion, '/api/payments/prepare', asked);
        const ms = performance.now() - began;
        if (notes.length !== 2) throw new Error(`the payment spends ${notes.length} notes, not 2`);
        made.push(id);
        const during = callsIn(log, before);
        rows.push({
          pool,
          notes: when,
          turn,
          ms: ms.toFixed(0),
          'CPU ms': (1000 * (cpuSeconds(companion.child) - cpu)).toFixed(0),
          calls: during.length,
          kB: (during.reduce((sum, { bytes }) => sum + bytes, 0) / 1000).toFixed(1),
          'asked for': askedFor(during),
        });
      }
      for (const id of made) await call(companion, `/api/payments/${id}/discard`, {});
    }
  }
  return rows;
}

/** By method: how many different requests there were, and the first and the last one. */
function askedFor(calls: readonly AnsweredCall[]): string {
  const requests = new Map<string, Set<string>>();
  for (const { method, request } of calls)
    requests.set(method, (requests.get(method) ?? new Set()).add(request));
  return [...requests]
    .map(([method, different]) => {
      const [first, last] = [...different]
        .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
        .filter((_, i, all) => i === 0 || i === all.length - 1);
      if (different.size <= 1) return `${method} ${first}`.trim();
      return `${different.size} ${method} ${first} … ${last}`;
    })
    .join('; ');
}
