// Entry of the thread that talks to a fleet's queue for a companion: the network and sealed bytes, no key.

import { parentPort, workerData } from 'node:worker_threads';
import { BullJobQueue, JobLost, loadQueuePackages } from '@wallet-companion/fleet/queue';
import { readRedisPassword, redisAddress } from '@wallet-companion/fleet/settings';
import { AnswerRoom, systemAfter } from '@wallet-companion/shielded/async';
import type { FleetQueueThreadData, FromFleetQueue, ToFleetQueue } from './fleetMessages.ts';

const parent = parentPort;
if (parent === null) throw new Error('the queue thread must be started as a worker');
const { settings } = workerData as FleetQueueThreadData;
const tell = (message: FromFleetQueue, moved: ArrayBuffer[] = []): void => parent.postMessage(message, moved);

const queue = new BullJobQueue({
  packages: await loadQueuePackages(),
  address: redisAddress(settings.fleet_redis_url ?? ''),
  password:
    settings.fleet_redis_password_file === null
      ? undefined
      : readRedisPassword(settings.fleet_redis_password_file),
  openRoom: (places) => new AnswerRoom(places),
  after: systemAfter,
  now: () => performance.now(),
});

async function run({ id, job, place }: Extract<ToFleetQueue, { kind: 'run' }>): Promise<void> {
  try {
    const result = Uint8Array.from(await queue.run(id, job, place));
    tell({ kind: 'result', id, result }, [result.buffer]);
  } catch (error) {
    tell({ kind: 'lost', id, reason: error instanceof JobLost ? error.reason : 'away' });
  }
}

parent.on('message', (message: ToFleetQueue) => {
  if (message.kind === 'run') void run(message);
  else if (message.kind === 'drop') queue.drop(message.id);
  else if (message.kind === 'workers')
    void queue.workers().then((count) => tell({ kind: 'workers', question: message.question, count }));
  else void queue.close().finally(() => tell({ kind: 'closed' }));
});
