// `scan-worker`: the queue in the main thread, which sees only sealed bytes, and one thread each for the chain side and
// the keys, as in the companion. When a thread is lost the process ends, and other workers take its jobs.

import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { ChainSettings } from '@wallet-companion/chain/ports';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import { BullWorker, loadQueuePackages } from '@wallet-companion/fleet/queue';
import { networkParameters } from '@wallet-companion/zcash/network';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import type { ScanWorkerOptions } from '../cli/cliEnvironment.ts';
import { CompanionError } from '../protocol/errors.ts';
import { openConfigFile } from '../storage/config/configFile.ts';
import { proxyOf } from '../storage/config/configValues.ts';
import { createDataDirectory, type Directories } from '../storage/files/directories.ts';
import { LineWriter } from '../terminal/lineWriter.ts';
import { FleetScan } from '../workers/fleetScan.ts';
import { createLog, environmentLevel } from '../workers/threadLog.ts';
import { directoriesFor } from './directories.ts';
import { checkFleet } from './fleet.ts';
import { flagOverrides } from './settings.ts';
import { heldError } from './start.ts';
import { endRequested, forceStop } from './stopping.ts';

const MAX_THREADS = 16;
/** Each job reads a separate range; the chain side keeps eight ranges open. */
const MOST_JOBS = 7;
/** What is not done by then, or a Redis that is silent, another worker takes over. */
const STOP_FORCED_MS = 30_000;

export async function scanWorker(options: ScanWorkerOptions): Promise<number> {
  const directories = directoriesFor(options);
  const configFile = openConfigFile({
    configDir: directories.configDir,
    overrides: { ...flagOverrides({ ...options, follow: false }), ...fleetOverrides(options) },
  });
  const config = configFile.get();
  const fleet = checkFleet(config);
  const packages = await loadQueuePackages();
  createDataDirectory(directories.dataDir);
  const lock = await acquireDirectoryLock(directories.dataDir);
  if (lock.state === 'held') throw heldError({ heldBy: lock.holder, dataDir: directories.dataDir });
  const log = createLog('main', config.log_level ?? environmentLevel());
  const scanThreads = options.threads ?? Math.min(MAX_THREADS, availableParallelism());
  const scan = new FleetScan({
    keyFile: fleet.keyFile,
    settings: chainSettings(config, directories, configFile.namedNodes()),
    source: options.source,
    scanThreads,
    scanKernel: config.scan_kernel,
    logLevel: log.level,
    proxy: proxyOf(config),
  });
  try {
    const endReason = endRequested();
    const { kernel, worker: identity } = await scan.ready;
    const worker = new BullWorker({
      packages,
      address: fleet.address,
      password: fleet.password,
      concurrency: Math.min(MOST_JOBS, scanThreads + 1),
      lockMs: options.lockSeconds * 1_000,
      work: scan.work,
    });
    worker.onAway(() => log.warn({}, 'Redis cannot be reached; jobs come again when it is back'));
    const ended = Promise.race([endReason, scan.lost.then((thread) => ({ thread }))]);
    const ready = worker.ready().then(() => {
      log.info({ worker: identity, threads: scanThreads, kernel }, 'ready');
      new LineWriter(process.stdout).write(
        `scan worker ready: ${scanThreads} threads, kernel ${kernel}, identity ${identity}\n`,
      );
    });
    await Promise.race([ready, ended]);
    const end = await ended;
    if (typeof end !== 'string') {
      log.error(end, 'a thread was lost');
      await worker.close(true);
      throw new CompanionError('THREAD_LOST', 'A thread of the scan worker ended. Start it again.');
    }
    log.info({ signal: end }, 'stopping');
    forceStop(log, STOP_FORCED_MS);
    await worker.close();
    return 0;
  } finally {
    await scan.close();
    lock.release();
  }
}

const fleetOverrides = (options: ScanWorkerOptions): Partial<Config> => ({
  ...(options.fleetRedisUrl === undefined ? {} : { fleet_redis_url: options.fleetRedisUrl }),
  ...(options.fleetRedisPasswordFile === undefined
    ? {}
    : { fleet_redis_password_file: path.resolve(options.fleetRedisPasswordFile) }),
  ...(options.fleetKeyFile === undefined ? {} : { fleet_key_file: path.resolve(options.fleetKeyFile) }),
});

/** The chain settings without a wallet: this machine scans nothing for itself. */
function chainSettings(
  config: Config,
  { configDir, dataDir }: Directories,
  namedNodes: readonly string[],
): ChainSettings {
  return {
    network: config.network,
    activation: networkParameters(config.network, config.activation_heights).activation,
    nodeUrl: config.node_url,
    nodeCookieFile: config.node_cookie_file,
    namedNodes,
    compactServerUrl: config.compact_server_url,
    dataDir,
    configDir,
    restrictDbPath: config.restrict_db_path,
    compactTailBlocks: config.compact_tail_blocks,
    birthdayHeight: null,
    lastScanHeight: null,
  };
}
