// Both ends of the queue in Redis: the network and sealed bytes, no key.

export { JobLost } from '../fleet/ports/jobQueue.ts';
export { BullJobQueue } from '../fleet/queue/bullJobQueue.ts';
export { BullWorker } from '../fleet/queue/bullWorker.ts';
export { QUEUE_NAME } from '../fleet/queue/queueNames.ts';
export { loadQueuePackages, type RedisClient } from '../fleet/queue/queuePackages.ts';
