// The threads of a scan worker, for its main thread: the chain side with the network, and the thread with the keys that
// works on jobs. All bytes that pass through here are sealed.

import { MessageChannel, Worker } from 'node:worker_threads';
import type { ChainSettings, Source } from '@wallet-companion/chain/ports';
import type { JobOutcome, WorkOnJob } from '@wallet-companion/fleet/worker';
import type { Config } from '../actors/wallet/ports/storage.ts';
import { Channel, move, NO_METHODS } from './channel.ts';
import type { FleetScanThreadData, FromFleetScan, ReadyFleetScan, ToFleetScan } from './fleetMessages.ts';
import { THREAD_MEMORY } from './threadMemory.ts';
import type { ChainThreadData, ChainThreadMethods } from './threadMethods.ts';

export interface FleetScanOptions {
  readonly keyFile: string;
  readonly settings: ChainSettings;
  readonly source: Source;
  readonly scanThreads: number;
  readonly scanKernel: Config['scan_kernel'];
  readonly logLevel: string;
}

export class FleetScan {
  readonly #chain: Worker;
  readonly #scan: Worker;
  readonly #calls = new Map<number, (outcome: JobOutcome) => void>();
  #call = 0;
  #isClosing = false;
  /** Settles when jobs may come; rejects where a thread ends before. */
  readonly ready: Promise<ReadyFleetScan>;
  /** Settles when a thread has ended unexpectedly. */
  readonly lost: Promise<'chain' | 'scan'>;

  constructor({ keyFile, settings, source, scanThreads, scanKernel, logLevel }: FleetScanOptions) {
    const wallet = new MessageChannel();
    this.#chain = new Worker(new URL('./chainThread.js', import.meta.url), {
      workerData: { logLevel } satisfies ChainThreadData,
      resourceLimits: THREAD_MEMORY,
      name: 'chain',
    });
    const port = wallet.port1;
    const channel = new Channel<ChainThreadMethods>({ port: this.#chain, methods: NO_METHODS });
    channel.emit('connectWallet', move({ port, isDefault: true }, [port]));
    const chain = wallet.port2;
    const forScan: FleetScanThreadData = {
      keyFile,
      chain,
      settings,
      source,
      scanThreads,
      scanKernel,
      logLevel,
    };
    this.#scan = new Worker(new URL('./fleetScanThread.js', import.meta.url), {
      workerData: forScan,
      transferList: [chain],
      resourceLimits: THREAD_MEMORY,
      name: 'scan',
    });
    this.ready = new Promise((resolve, reject) => {
      this.#scan.on('message', (message: FromFleetScan) => {
        if (message.kind === 'ready') resolve(message);
        else if (message.kind === 'outcome') this.#hear(message.call, message.outcome);
        else void this.#scan.terminate();
      });
      for (const thread of [this.#chain, this.#scan]) thread.on('error', reject);
    });
    this.ready.catch(() => undefined);
    this.lost = new Promise((resolve) => {
      const lose = (which: 'chain' | 'scan'): void => {
        for (const call of [...this.#calls.keys()]) this.#hear(call, 'try again');
        if (!this.#isClosing) resolve(which);
      };
      this.#chain.once('exit', () => lose('chain'));
      this.#scan.once('exit', () => lose('scan'));
    });
  }

  readonly work: WorkOnJob = (id, job) =>
    new Promise((resolve) => {
      const call = ++this.#call;
      this.#calls.set(call, resolve);
      const moved = Uint8Array.from(job);
      this.#scan.postMessage({ kind: 'job', id, job: moved, call } satisfies ToFleetScan, [moved.buffer]);
    });

  async close(): Promise<void> {
    this.#isClosing = true;
    const ended = new Promise<void>((resolve) => this.#scan.once('exit', () => resolve()));
    if (this.#scan.threadId !== -1) {
      this.#scan.postMessage({ kind: 'close' } satisfies ToFleetScan);
      await ended;
    }
    await this.#chain.terminate();
  }

  #hear(call: number, outcome: JobOutcome): void {
    this.#calls.get(call)?.(outcome);
    this.#calls.delete(call);
  }
}
