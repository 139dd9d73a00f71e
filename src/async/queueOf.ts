// Everybody who works on one object, e.g. on one store from two servers, queues here.

import { SerialQueue } from './serialQueue.ts';

const queues = new WeakMap<object, SerialQueue>();

export function queueOf(object: object): SerialQueue {
  const known = queues.get(object);
  if (known !== undefined) return known;
  const fresh = new SerialQueue();
  queues.set(object, fresh);
  return fresh;
}
