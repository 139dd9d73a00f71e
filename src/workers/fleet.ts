// The pools of a companion with a fleet. Loaded only by a wallet thread whose config.json names one.

import { randomBytes } from 'node:crypto';
import { wipe } from '@wallet-companion/shielded/bytes';
import type { ScanPool } from '../actors/wallet/ports/scanPool.ts';
import { systemAfter } from '../async/after.ts';
import { FleetPool } from '../fleet/companion/fleetPool.ts';
import { readFleetKey } from '../fleet/files/secretFile.ts';
import { FleetSeal } from '../fleet/sealed/fleetSeal.ts';
import { faultFields } from '../protocol/faultFields.ts';
import type { FleetSettings } from './fleetMessages.ts';
import { ThreadJobQueue } from './fleetQueue.ts';
import type { Log } from './threadLog.ts';

const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length));

/** Makes a pool for each session; `openLocal` opens one in this process. */
export const fleetPools =
  (settings: FleetSettings, scanThreads: number, log: Log) =>
  (openLocal: () => ScanPool): ScanPool => {
    const key = readFleetKey(settings.fleet_key_file ?? '');
    const seal = new FleetSeal(key, random);
    wipe(key);
    const queue = new ThreadJobQueue(settings, (fault) =>
      log.error({ where: 'fleet.queue', ...faultFields(fault) }, 'fault'),
    );
    return new FleetPool({
      openLocal,
      concurrency: scanThreads,
      queue,
      seal,
      randomBytes: random,
      now: () => performance.now(),
      after: systemAfter,
      trouble: (what) =>
        log.warn({ trouble: what }, 'the scan fleet does not do its work; blocks are scanned here'),
    });
  };
