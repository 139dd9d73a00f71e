// The pools of a companion with a fleet. Loaded only by a wallet thread whose config.json names one.

import { systemAfter } from '@wallet-companion/base/async';
import { faultFields } from '@wallet-companion/client/contract';
import { FleetPool } from '@wallet-companion/fleet/pool';
import type { ScanPool } from '../actors/wallet/ports/scanPool.ts';
import { MAX_BLOCKS_PER_SYNC } from '../protocol/syncRange.ts';
import { logAccused } from './fleetAccused.ts';
import type { FleetPoolSettings } from './fleetMethods.ts';
import { ThreadJobQueue } from './fleetQueue.ts';
import { fleetScanPool } from './fleetScanPool.ts';
import { fleetSealOf, systemRandom } from './fleetSeal.ts';
import type { Log } from './threadLog.ts';

/** Makes a pool for each session; `openLocal` opens one in this process. */
export const fleetPools =
  (settings: FleetPoolSettings, scanThreads: number, log: Log) =>
  (openLocal: () => ScanPool): ScanPool => {
    const seal = fleetSealOf(settings.fleet_key_file ?? '');
    const queue = new ThreadJobQueue(settings, (fault) =>
      log.error({ where: 'fleet.queue', ...faultFields(fault) }, 'fault'),
    );
    const fleet = new FleetPool({
      openLocal,
      requestBlocks: MAX_BLOCKS_PER_SYNC,
      queue,
      seal,
      randomBytes: systemRandom,
      now: () => performance.now(),
      after: systemAfter,
      trouble: (what) =>
        log.warn({ trouble: what }, 'the scan fleet does not do its work; blocks are scanned here'),
      doubleJobs: settings.fleet_double_jobs,
      accuse: (accused) => logAccused(log, accused),
    });
    return fleetScanPool(fleet, scanThreads);
  };
