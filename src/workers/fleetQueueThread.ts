// Entry of the thread that talks to a fleet's queue for a companion: the network and sealed bytes, no key.

import { workerData } from 'node:worker_threads';
import { AnswerRoom, systemAfter } from '@wallet-companion/base/async';
import { BullJobQueue, JobLost, loadQueuePackages } from '@wallet-companion/fleet/queue';
import { readRedisPassword, redisAddress } from '@wallet-companion/fleet/settings';
import { type Methods, move } from './channel.ts';
import type { FleetQueueMethods, FleetQueueThreadData } from './fleetMethods.ts';
import { starterChannel } from './thread.ts';

const { settings } = workerData as FleetQueueThreadData;

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

starterChannel<Methods, FleetQueueMethods>({
  calls: {
    workers: () => queue.workers(),
    run: async ({ id, job, place }) => {
      try {
        const result = Uint8Array.from(await queue.run(id, job, place));
        return move(result, [result.buffer]);
      } catch (error) {
        return error instanceof JobLost ? error.reason : 'away';
      }
    },
    close: () => queue.close(),
  },
  events: { drop: (id) => queue.drop(id) },
});
