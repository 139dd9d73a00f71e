// A thread with the channel to it, for its starter, the channel to the starter, for the thread, and how much memory
// threads take.

import { setFlagsFromString } from 'node:v8';
import { type MessagePort, parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import { Channel, type Methods } from './channel.ts';

export interface Thread<Remote extends Methods, Local extends Methods = Methods> {
  readonly worker: Worker;
  readonly channel: Channel<Remote, Local>;
  readonly ended: Promise<void>;
}

interface Start {
  readonly name: string;
  readonly data: object;
  /** A part of `data` that goes to the thread. */
  readonly moved?: MessagePort | undefined;
}

/** `methods`: for the thread, until it has ended. */
export function startThread<Remote extends Methods, Local extends Methods = Methods>(
  entry: URL,
  { name, data, moved }: Start,
  methods: (ended: Promise<void>) => Local,
): Thread<Remote, Local> {
  const worker = new Worker(entry, {
    workerData: data,
    transferList: moved === undefined ? [] : [moved],
    resourceLimits: THREAD_MEMORY,
    name,
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return { worker, channel: new Channel({ port: worker, methods: methods(ended) }), ended };
}

/** For the entry of a thread. */
export function starterChannel<Remote extends Methods, Local extends Methods>(
  methods: Local,
): Channel<Remote, Local> {
  if (parentPort === null) throw new Error('this file must be started as a worker');
  return new Channel({ port: parentPort, methods });
}

// How much memory threads take for unused objects. By default, V8 of Node 24 lets each thread fill 128 MB with new
// objects, that of Node 20 32, before it checks which of them are still in use; a quarter of that costs no more time.
// Older objects may grow to four times the part in use before they are collected; with half as much again and a little, a
// scan of a million small blocks took 382 MB instead of 534 and the same time.

/** Threads may fill two thirds of it. */
export const THREAD_MEMORY: ResourceLimits = { maxYoungGenerationSizeMb: 24 };

/** For every thread of the process, also running ones. */
export function keepHeapsSmall(): void {
  setFlagsFromString('--heap-growing-percent=60');
}
