// How many tasks a second the thread can pass on through which several wallets share scan workers: two wallets ask for the
// smallest task there is, one hash of two nodes, and the time counts for which the thread is busy. It moves what blocks a
// task has, so their size does not matter.

import { MessageChannel, Worker } from 'node:worker_threads';
import type { Row } from '@wallet-companion/kernel/bench/table';
import { loadKernel } from '@wallet-companion/kernel/kernelLoad';
import { unwrap } from '../../src/protocol/result.ts';
import { Channel } from '../../src/workers/channel.ts';
import type { ScanHubData, ScanHubMethods, ScanWorkMethods } from '../../src/workers/threadMethods.ts';

const WALLETS = 2;
const TASKS = 20_000;
/** Open at once for each wallet. */
const OPEN = 4;
const THREADS = 2;

export async function measureHub(): Promise<Row[]> {
  const module = await loadKernel();
  const data: ScanHubData = { threads: THREADS };
  const hub = new Worker(new URL('../../src/workers/scanHubThread.js', import.meta.url), {
    workerData: data,
  });
  const main = new Channel<ScanHubMethods>({ port: hub, methods: {} });
  main.emit('kernelChosen', module);
  try {
    const wallets = Array.from({ length: WALLETS }, () => {
      const { port1, port2 } = new MessageChannel();
      main.emit('connectWallet', port1);
      return new Channel<ScanWorkMethods>({ port: port2, methods: {} });
    });
    const run = async (count: number): Promise<void> => {
      let left = count;
      const ask = async (wallet: (typeof wallets)[number]): Promise<void> => {
        while (left-- > 0)
          unwrap(
            await wallet.call('run', {
              kind: 'combine',
              protocol: 'orchard',
              level: 0,
              nodes: new Uint8Array(64),
            }),
          );
      };
      await Promise.all(wallets.flatMap((wallet) => Array.from({ length: OPEN }, () => ask(wallet))));
    };
    await run(TASKS / 10);
    const before = hub.performance.eventLoopUtilization();
    await run(TASKS);
    const { active } = hub.performance.eventLoopUtilization(hub.performance.eventLoopUtilization(), before);
    return [
      {
        'hub, us a task': Math.round((active * 1000) / TASKS),
        'tasks/s': Math.round((TASKS / active) * 1000),
      },
    ];
  } finally {
    await hub.terminate();
  }
}
