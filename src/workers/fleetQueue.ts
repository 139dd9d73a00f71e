// A fleet's queue for the wallet thread: runs in a separate thread with the network, which starts with the first
// request and again after a loss. All messages to it are sealed.

import { Worker } from 'node:worker_threads';
import { JobLost, type JobQueue, type QueuePlace } from '@wallet-companion/fleet/pool';
import type { FleetQueueThreadData, FleetSettings, FromFleetQueue, ToFleetQueue } from './fleetMessages.ts';
import { THREAD_MEMORY } from './threadMemory.ts';

interface OpenRun {
  readonly resolve: (result: Uint8Array) => void;
  readonly reject: (reason: JobLost) => void;
}

export class ThreadJobQueue implements JobQueue {
  readonly #settings: FleetSettings;
  readonly #lost: (fault: unknown) => void;
  readonly #runs = new Map<string, OpenRun>();
  readonly #questions = new Map<number, (count: number) => void>();
  #thread: Worker | undefined;
  #question = 0;
  #closed: (() => void) | undefined;

  /** `lost`: gets the error that ended a thread. */
  constructor(settings: FleetSettings, lost: (fault: unknown) => void) {
    this.#settings = settings;
    this.#lost = lost;
  }

  workers(): Promise<number> {
    const question = ++this.#question;
    return new Promise((resolve) => {
      this.#questions.set(question, resolve);
      this.#send({ kind: 'workers', question });
    });
  }

  run(id: string, job: Uint8Array, place: QueuePlace = 'last'): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#runs.set(id, { resolve, reject });
      const moved = Uint8Array.from(job);
      this.#send({ kind: 'run', id, job: moved, place }, [moved.buffer]);
    });
  }

  drop(id: string): void {
    if (!this.#runs.delete(id)) return;
    this.#thread?.postMessage({ kind: 'drop', id } satisfies ToFleetQueue);
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    await new Promise<void>((resolve) => {
      this.#closed = resolve;
      thread.postMessage({ kind: 'close' } satisfies ToFleetQueue);
    });
    this.#thread = undefined;
    await thread.terminate();
    this.#loseAll();
  }

  #send(message: ToFleetQueue, moved: ArrayBuffer[] = []): void {
    this.#thread ??= this.#start();
    this.#thread.postMessage(message, moved);
  }

  #start(): Worker {
    const thread = new Worker(new URL('./fleetQueueThread.js', import.meta.url), {
      workerData: { settings: this.#settings } satisfies FleetQueueThreadData,
      resourceLimits: THREAD_MEMORY,
    });
    thread.on('message', (message: FromFleetQueue) => this.#hear(message));
    thread.on('error', (fault) => this.#lost(fault));
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
      this.#loseAll();
    });
    return thread;
  }

  #hear(message: FromFleetQueue): void {
    if (message.kind === 'workers') {
      this.#questions.get(message.question)?.(message.count);
      this.#questions.delete(message.question);
    } else if (message.kind === 'closed') this.#closed?.();
    else {
      const run = this.#runs.get(message.id);
      this.#runs.delete(message.id);
      if (message.kind === 'result') run?.resolve(message.result);
      else run?.reject(new JobLost(message.reason));
    }
  }

  #loseAll(): void {
    this.#closed?.();
    for (const { reject } of this.#runs.values()) reject(new JobLost('away'));
    this.#runs.clear();
    for (const answer of this.#questions.values()) answer(0);
    this.#questions.clear();
  }
}
