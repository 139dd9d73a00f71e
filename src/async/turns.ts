// Everybody who works on one object, e.g. on one store from two servers, takes turns.

import { SerialQueue } from './serialQueue.ts';

const turns = new WeakMap<object, SerialQueue>();

export function turnsOf(object: object): SerialQueue {
  const known = turns.get(object);
  if (known !== undefined) return known;
  const fresh = new SerialQueue();
  turns.set(object, fresh);
  return fresh;
}
