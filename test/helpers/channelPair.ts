// Both ends of a channel in one thread: messages arrive at once, and what is moved is copied away, as between threads.

import { Channel, type Methods, type Port } from '../../src/workers/channel.ts';

/** The end that calls `methods`. */
export function channelTo<Remote extends Methods>(methods: Remote): Channel<Remote> {
  const listeners: ((message: unknown) => void)[] = [];
  const portAt = (own: 0 | 1): Port => ({
    postMessage: (message, moved = []) =>
      listeners[1 - own]?.(structuredClone(message, { transfer: [...moved] as ArrayBuffer[] })),
    on: (_event, listener) => {
      listeners[own] = listener;
    },
    once: () => undefined,
  });
  new Channel<Methods, Remote>({ port: portAt(1), methods });
  return new Channel<Remote>({ port: portAt(0), methods: {} });
}
