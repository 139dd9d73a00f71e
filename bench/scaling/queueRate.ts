// How many jobs a second go through a real Redis or Valkey, both ends in this process and the work itself left out.

import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { AnswerRoom, systemAfter } from '@wallet-companion/base/async';
import { BullJobQueue, BullWorker, loadQueuePackages } from '@wallet-companion/fleet/queue';
import { redisAddress } from '@wallet-companion/fleet/settings';
import type { Row } from '@wallet-companion/kernel/bench/table';
import { fleetSeal, systemRandom } from '../../src/workers/fleetSeal.ts';

/** KiB of a job and of its result: a few keys and ever fuller blocks, and 1,000 viewing keys. */
const SIZES = [
  [4, 16],
  [4, 128],
  [4, 512],
  [64, 16],
] as const;
const JOBS = 600;
const AT_ONCE = 64;

const program = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Undefined where neither is installed. */
export async function measureQueue(): Promise<Row[] | undefined> {
  if (program === undefined) return undefined;
  const port = await freePort();
  const server = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(server.stdout, 'data');
    const packages = await loadQueuePackages();
    const common = { packages, address: redisAddress(`redis://127.0.0.1:${port}`), password: undefined };
    const seal = fleetSeal(systemRandom(32), systemRandom);
    const rows: Row[] = [];
    for (const [jobKib, kib] of SIZES) {
      const worker = new BullWorker({
        ...common,
        concurrency: 7,
        work: async (id) => seal.seal('result', id, new Uint8Array(kib * 1024 - 8)),
      });
      await worker.ready();
      const queue = new BullJobQueue({
        ...common,
        openRoom: (places) => new AnswerRoom(places),
        after: systemAfter,
        now: () => performance.now(),
      });
      await queue.workers();
      const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
      let next = 0;
      const lane = async (): Promise<void> => {
        while (next < JOBS) {
          next++;
          const id = randomBytes(16).toString('hex');
          seal.open(
            'result',
            id,
            await queue.run(id, seal.seal('job', id, new Uint8Array(jobKib * 1024 - 8))),
          );
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
      const seconds = (performance.now() - startedAt) / 1_000;
      const { user, system } = process.cpuUsage(cpu);
      rows.push({
        'job KiB': jobKib,
        'result KiB': kib,
        'jobs/s': (JOBS / seconds).toFixed(0),
        'MB/s': ((JOBS * (jobKib + kib)) / 1_024 / seconds).toFixed(1),
        'CPU ms a job, both ends': ((user + system) / 1_000 / JOBS).toFixed(2),
      });
      await queue.close();
      await worker.close();
    }
    return rows;
  } finally {
    server.kill('SIGKILL');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
