// The pools of a companion with a fleet. Loaded only by a wallet thread whose config.json names one.

import { systemAfter } from '@wallet-companion/base/async';
import { faultFields } from '@wallet-companion/client/contract';
import { type Accused, FleetPool } from '@wallet-companion/fleet/pool';
import type { ScanPool } from '../actors/wallet/ports/scanPool.ts';
import { MAX_BLOCKS_PER_SYNC } from '../protocol/syncRange.ts';
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

// What an operator reads about a scan worker whose answer was wrong: which machine it is, and what to scan again. Its
// earlier answers are in the wallet, and what they hid is not.
export function logAccused(log: Log, { worker, offence, from, fleetFrom }: Accused): void {
  const again =
    from === undefined
      ? 'No answer with this identity was used before'
      : `Scan again what it answered before: rescan with from_height ${from}`;
  log.error(
    { worker, offence, from_height: from ?? null, fleet_from_height: fleetFrom ?? null },
    `a scan worker is broken, lies, or reads from a server that does: no fleet is used until the session ends. Stop the worker whose ready line has this identity. ${again}, or from fleet_from_height if the identity may be wrong.`,
  );
}
