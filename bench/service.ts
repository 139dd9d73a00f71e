// The whole companion as people run it, in its own process, scanning an embedded chain of 1,000 blocks from both
// sources: blocks and outputs per second, and how long other routes take while the scan saturates the machine. The
// chain's other outputs are all different and valid, so none is rejected early; the balance is checked before a figure
// counts. `-- --shape merchant` pays the wallet in every block: what a scan costs whose every block has news.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Devnet } from '@wallet-companion/devnet';
import { call, cpuSeconds, type Running, rssMebibytes, start, stop } from './companionProcess.ts';

const BLOCKS = 1_000;
/** Two actions each: what a payment and its change make. */
const TRANSACTIONS_PER_BLOCK = { usual: 5, merchant: 2 } as const;
/** One block in so many has a payment to the wallet. */
const SHAPES = { usual: 100, merchant: 1 } as const;
/** Of each scan after the first. */
const MEASURED_SCANS = 2;
const PAYMENT = 1_000_000n;
/** A merchant's routes list a thousand notes: asked so often they would be what is measured. */
const PROBE_INTERVAL_MS = { usual: 5, merchant: 100 } as const;
const ROUTES = ['/api/wallet/status', '/api/config', '/api/balance'];

type Shape = keyof typeof SHAPES;

function chosenShape(): Shape {
  const { values } = parseArgs({
    options: { shape: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  const shape = values.shape ?? 'usual';
  if (typeof shape !== 'string' || !Object.hasOwn(SHAPES, shape))
    throw new Error(`--shape is one of ${Object.keys(SHAPES).join(', ')}`);
  return shape as Shape;
}

export async function run(): Promise<void> {
  const shape = chosenShape();
  const paidEvery = SHAPES[shape];
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-bench-'));
  const devnet = new Devnet({ seed: 'bench' });
  const config = path.join(folder, 'config');
  mkdirSync(config);
  writeFileSync(
    path.join(config, 'config.json'),
    JSON.stringify({
      network: 'regtest',
      node_url: await devnet.node.listen(),
      compact_server_url: await devnet.compact.listen(),
    }),
  );
  const companion = await start(config, path.join(folder, 'data'));
  try {
    const { unified_address: address } = await call<{ unified_address: string }>(
      companion,
      '/api/wallet/create',
      {
        password: 'bench',
        birthday_height: 1,
      },
    );
    for (let i = 0; i < BLOCKS; i++) {
      const transactions = Array.from({ length: TRANSACTIONS_PER_BLOCK[shape] }, () =>
        devnet.traffic({ ironwood: 2 }),
      );
      if (i % paidEvery === 0) {
        transactions.push(devnet.pay([{ address, pool: 'ironwood', zatoshi: PAYMENT }]));
      }
      devnet.mine({ transactions });
    }
    const rows: object[] = [];
    for (const source of ['node', 'compact'] as const) {
      // The first scan starts the workers and warms the compiler; a companion that runs for weeks pays that once.
      const expected = Math.ceil(BLOCKS / paidEvery) * Number(PAYMENT);
      await scan(companion, source, shape, expected);
      for (let i = 0; i < MEASURED_SCANS; i++) {
        rows.push({ shape, ...(await scan(companion, source, shape, expected)) });
      }
    }
    console.table(rows);
  } finally {
    await stop(companion);
    await devnet.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function scan(
  companion: Running,
  source: 'node' | 'compact',
  shape: Shape,
  expected: number,
): Promise<object> {
  await call(companion, '/api/wallet/rescan', {});
  const latencies: number[] = [];
  const cpuBefore = cpuSeconds(companion.child);
  const began = performance.now();
  let done = false;
  const syncing = call<{ blocks_scanned: number; outputs_scanned: number; notes_found: number }>(
    companion,
    '/api/sync',
    { source },
  ).finally(() => {
    done = true;
  });
  for (let i = 0; !done; i++) {
    const asked = performance.now();
    await fetch(companion.url + ROUTES[i % ROUTES.length]!).then((response) => response.text());
    latencies.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS[shape]));
  }
  const summary = await syncing;
  const seconds = (performance.now() - began) / 1000;
  const cpu = cpuSeconds(companion.child) - cpuBefore;
  const balance = await call<{ total_zatoshi: number }>(companion, '/api/balance');
  if (balance.total_zatoshi !== expected) throw new Error(`wrong balance: ${balance.total_zatoshi}`);
  latencies.sort((a, b) => a - b);
  const percentile = (p: number) =>
    (latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * p))] ?? 0).toFixed(1);
  return {
    source,
    blocks: summary.blocks_scanned,
    outputs: summary.outputs_scanned,
    'blocks/s': Math.round(summary.blocks_scanned / seconds),
    'outputs/s': Math.round(summary.outputs_scanned / seconds),
    'CPU µs/output': Math.round((cpu * 1e6) / summary.outputs_scanned),
    'other routes p50 ms': percentile(0.5),
    'p99 ms': percentile(0.99),
    'peak RSS MiB': rssMebibytes(companion.child, 'VmHWM'),
  };
}
