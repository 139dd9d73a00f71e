// One queue per object, shared by all its users, e.g. two servers that fill one store.

import { SerialQueue } from './serialQueue.ts';

const queues = new WeakMap<object, SerialQueue>();

/** The queue of `object`, shared by all who use the object. */
export function queueOf(object: object): SerialQueue {
  const known = queues.get(object);
  if (known !== undefined) return known;
  const fresh = new SerialQueue();
  queues.set(object, fresh);
  return fresh;
}
