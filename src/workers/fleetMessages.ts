// The messages between the threads around a fleet's queue. The side with the network sees sealed bytes only.

import type { ChainSettings, Source } from '@wallet-companion/chain/ports';
import type { LostReason, QueuePlace } from '@wallet-companion/fleet/pool';
import type { JobOutcome } from '@wallet-companion/fleet/worker';
import type { Config } from '../actors/wallet/ports/storage.ts';

export type FleetSettings = Pick<Config, 'fleet_redis_url' | 'fleet_redis_password_file' | 'fleet_key_file'>;

/** Also what the side with the keys needs. */
export type FleetPoolSettings = FleetSettings & Pick<Config, 'fleet_double_jobs'>;

export interface FleetQueueThreadData {
  readonly settings: FleetSettings;
}

export type ToFleetQueue =
  | { readonly kind: 'workers'; readonly question: number }
  | {
      readonly kind: 'run';
      readonly id: string;
      readonly job: Uint8Array<ArrayBuffer>;
      readonly place: QueuePlace;
    }
  | { readonly kind: 'drop'; readonly id: string }
  | { readonly kind: 'close' };

export type FromFleetQueue =
  | { readonly kind: 'workers'; readonly question: number; readonly count: number }
  | { readonly kind: 'result'; readonly id: string; readonly result: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'lost'; readonly id: string; readonly reason: LostReason }
  | { readonly kind: 'closed' };

export interface FleetScanThreadData {
  readonly keyFile: string;
  readonly chain: MessagePortLike;
  readonly settings: ChainSettings;
  readonly source: Source;
  readonly scanThreads: number;
  readonly scanKernel: Config['scan_kernel'];
  readonly logLevel: string;
}

type MessagePortLike = import('node:worker_threads').MessagePort;

export type ToFleetScan =
  | {
      readonly kind: 'job';
      readonly id: string;
      readonly job: Uint8Array<ArrayBuffer>;
      readonly call: number;
    }
  | { readonly kind: 'close' };

export interface ReadyFleetScan {
  readonly kernel: string;
  /** The worker's identity in its results, in hexadecimal digits. */
  readonly worker: string;
}

export type FromFleetScan =
  | ({ readonly kind: 'ready' } & ReadyFleetScan)
  | { readonly kind: 'closed' }
  | { readonly kind: 'outcome'; readonly call: number; readonly outcome: JobOutcome };
