// What the threads around a fleet's queue offer each other. The side with the network sees sealed bytes only.

import type { MessagePort } from 'node:worker_threads';
import type { ChainSettings, Source } from '@wallet-companion/chain/ports';
import type { LostReason, QueuePlace } from '@wallet-companion/fleet/pool';
import type { JobOutcome } from '@wallet-companion/fleet/worker';
import type { Config } from '../actors/wallet/ports/configFile.ts';

export type FleetSettings = Pick<Config, 'fleet_redis_url' | 'fleet_redis_password_file' | 'fleet_key_file'>;

/** Also what the side with the keys needs. */
export type FleetPoolSettings = FleetSettings & Pick<Config, 'fleet_double_jobs'>;

export interface FleetQueueThreadData {
  readonly settings: FleetSettings;
}

interface SealedJob {
  readonly id: string;
  readonly job: Uint8Array<ArrayBuffer>;
}

/** What a wallet thread may ask of the thread with its fleet's queue. */
export interface FleetQueueMethods {
  readonly calls: {
    workers(): Promise<number>;
    run(job: SealedJob & { readonly place: QueuePlace }): Promise<Uint8Array | LostReason>;
    close(): Promise<void>;
  };
  readonly events: { drop(id: string): void };
}

export interface FleetScanThreadData {
  readonly keyFile: string;
  readonly chain: MessagePort;
  readonly settings: ChainSettings;
  readonly source: Source;
  readonly scanThreads: number;
  readonly scanKernel: Config['scan_kernel'];
  readonly logLevel: string;
}

/** What a scan worker's main thread may ask of its thread with the keys. */
export interface FleetScanMethods {
  readonly calls: {
    /** Jobs may come when it is answered. */
    start(): Promise<ReadyFleetScan>;
    work(job: SealedJob): Promise<JobOutcome>;
    close(): Promise<void>;
  };
}

export interface ReadyFleetScan {
  readonly kernel: string;
  /** The worker's identity in its results, in hexadecimal digits. */
  readonly worker: string;
}
