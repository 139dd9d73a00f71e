// The threads of a scan worker, for its main thread: the chain side with the network, and the thread with the keys that
// works on jobs. All bytes that pass through here are sealed.

import { MessageChannel } from 'node:worker_threads';
import type { ProxySetting } from '@wallet-companion/base/proxy';
import type { ChainSettings, Source } from '@wallet-companion/chain/ports';
import type { WorkOnJob } from '@wallet-companion/fleet/worker';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import { unwrap } from '../protocol/result.ts';
import { CHAIN_THREAD } from './chainSide.ts';
import { move } from './channel.ts';
import type { FleetScanMethods, FleetScanThreadData, ReadyFleetScan } from './fleetMethods.ts';
import { startThread, type Thread } from './thread.ts';
import type { ChainThreadMethods } from './threadMethods.ts';

export interface FleetScanOptions {
  readonly keyFile: string;
  readonly settings: ChainSettings;
  readonly source: Source;
  readonly scanThreads: number;
  readonly scanKernel: Config['scan_kernel'];
  readonly logLevel: string;
  readonly proxy: ProxySetting | null;
}

export class FleetScan {
  readonly #chain: Thread<ChainThreadMethods>;
  readonly #scan: Thread<FleetScanMethods>;
  /** Settles when jobs may come; rejects where a thread ends before. */
  readonly ready: Promise<ReadyFleetScan>;
  /** Settles when a thread has ended. */
  readonly lost: Promise<'chain' | 'scan'>;

  constructor(options: FleetScanOptions) {
    const { port1: port, port2: chain } = new MessageChannel();
    this.#chain = startThread(
      CHAIN_THREAD,
      { name: 'chain', data: { logLevel: options.logLevel, proxy: options.proxy } },
      () => ({}),
    );
    this.#chain.channel.emit('connectWallet', move({ port, isDefault: true }, [port]));
    const data: FleetScanThreadData = { ...options, chain };
    const entry = new URL('./fleetScanThread.js', import.meta.url);
    this.#scan = startThread(entry, { name: 'scan', data, moved: chain }, () => ({}));
    this.ready = new Promise((resolve, reject) => {
      for (const { worker } of [this.#chain, this.#scan]) worker.on('error', reject);
      void this.#scan.channel.call('start', undefined).then(unwrap).then(resolve, reject);
    });
    this.ready.catch(() => undefined);
    this.lost = Promise.race([
      this.#chain.ended.then(() => 'chain' as const),
      this.#scan.ended.then(() => 'scan' as const),
    ]);
  }

  readonly work: WorkOnJob = async (id, job) => {
    const moved = Uint8Array.from(job);
    const outcome = await this.#scan.channel.call('work', move({ id, job: moved }, [moved.buffer]));
    return outcome.ok ? outcome.value : 'try again';
  };

  async close(): Promise<void> {
    await this.#scan.channel.call('close', undefined);
    await Promise.all([this.#scan.worker.terminate(), this.#chain.worker.terminate()]);
  }
}
