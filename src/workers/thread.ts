// A thread with the channel to it, for its starter, and the channel to the starter, for the thread.

import { type MessagePort, parentPort, Worker } from 'node:worker_threads';
import { Channel, type Methods } from './channel.ts';
import { THREAD_MEMORY } from './threadMemory.ts';

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
