// A fleet's queue for the wallet thread: runs in a separate thread with the network, which starts with the first
// request and again after a loss. All messages to it are sealed.

import { JobLost, type JobQueue, type QueuePlace } from '@wallet-companion/fleet/pool';
import { move } from './channel.ts';
import type { FleetQueueMethods, FleetQueueThreadData, FleetSettings } from './fleetMethods.ts';
import { startThread, type Thread } from './thread.ts';

export class ThreadJobQueue implements JobQueue {
  readonly #settings: FleetSettings;
  readonly #lost: (fault: unknown) => void;
  #thread: Thread<FleetQueueMethods> | undefined;

  /** `lost`: gets the error that ended a thread. */
  constructor(settings: FleetSettings, lost: (fault: unknown) => void) {
    this.#settings = settings;
    this.#lost = lost;
  }

  async workers(): Promise<number> {
    const count = await this.#started().channel.call('workers', undefined);
    return count.ok ? count.value : 0;
  }

  async run(id: string, job: Uint8Array, place: QueuePlace = 'last'): Promise<Uint8Array> {
    const moved = Uint8Array.from(job);
    const request = move({ id, job: moved, place }, [moved.buffer]);
    const answer = await this.#started().channel.call('run', request);
    const outcome = answer.ok ? answer.value : 'away';
    if (typeof outcome === 'string') throw new JobLost(outcome);
    return outcome;
  }

  drop(id: string): void {
    this.#thread?.channel.emit('drop', id);
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    await thread.channel.call('close', undefined);
    this.#thread = undefined;
    await thread.worker.terminate();
  }

  #started(): Thread<FleetQueueMethods> {
    this.#thread ??= this.#start();
    return this.#thread;
  }

  #start(): Thread<FleetQueueMethods> {
    const data: FleetQueueThreadData = { settings: this.#settings };
    const entry = new URL('./fleetQueueThread.js', import.meta.url);
    const thread: Thread<FleetQueueMethods> = startThread(entry, { name: 'fleet queue', data }, () => ({}));
    thread.worker.on('error', (fault) => this.#lost(fault));
    void thread.ended.then(() => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }
}
