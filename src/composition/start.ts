// Takes the data directory and starts the threads, or reports which process holds it: the first step of every command
// that works on a wallet's files.

import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { systemAfter } from '@wallet-companion/base/async';
import { Outgoing } from '@wallet-companion/base/proxy';
import {
  DEFAULT_WALLET,
  faultFields,
  isOnion,
  isServerOnThisMachine,
} from '@wallet-companion/client/contract';
import { acquireDirectoryLock, type DirectoryLock, type LockHolder } from '@wallet-companion/disk/lock';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import type { AccessSettings } from '../grants/access.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { ScheduledPrices } from '../prices/priceFeed.ts';
import { groupMemory } from '../programs/groupMemory.ts';
import { CompanionError } from '../protocol/errors.ts';
import { EventLogs } from '../protocol/eventLogs.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import { type OpenedConfigFile, openConfigFile } from '../storage/config/configFile.ts';
import { proxyOf } from '../storage/config/configValues.ts';
import { CONFIG_FILE } from '../storage/files/dataFiles.ts';
import { createDataDirectory, type Directories, tidyDirectories } from '../storage/files/directories.ts';
import { tidyLogFile } from '../storage/files/logFile.ts';
import { tidyWalletFolders } from '../storage/files/walletFolders.ts';
import type { Companion } from '../workers/companion.ts';
import type { Log } from '../workers/threadLog.ts';
import { directoriesFor, VERSION } from './directories.ts';
import { type Grants, grantsOf } from './grants.ts';
import type { PcztPrograms } from './pcztPrograms.ts';
import { flagOverrides, type StartFlags, withNetworkOfWallet } from './settings.ts';

/** Scanning may use every core: the other threads have little to do, and the system still schedules them. */
const SCAN_THREADS = Math.min(16, availableParallelism());

export interface Started {
  readonly companion: Companion;
  readonly events: EventLogs;
  readonly lock: DirectoryLock;
  readonly dataDir: string;
  readonly hooks: Hooks;
  readonly programs: PcztPrograms;
  readonly prices: ScheduledPrices;
  /** The configuration at the start. */
  readonly config: Config;
  /** As it is now. */
  readonly settings: () => Config;
  /** Whether config.json or a flag names a node or a compact-block server. */
  readonly namesServer: boolean;
  /** Keys of config.json without effect. */
  readonly configWarnings: readonly string[];
  readonly grants: Grants;
}

/** Another process has the data directory. */
export interface Held {
  readonly heldBy: LockHolder | undefined;
  readonly dataDir: string;
}

interface StartOptions {
  /** By wallet. */
  readonly passwords?: ReadonlyMap<string, StartPassword>;
  /** The process ends with the command. */
  readonly oneCommand?: boolean;
}

export async function start(
  flags: StartFlags,
  logOf: (config: Config) => Log | Promise<Log>,
  options: StartOptions = {},
): Promise<Started | Held> {
  const directories = directoriesFor(flags);
  const taken = await takeDirectories(directories, flagOverrides(flags));
  return 'heldBy' in taken ? taken : compose(directories, taken, logOf, options);
}

interface Taken {
  readonly lock: DirectoryLock;
  readonly configFile: OpenedConfigFile;
  readonly overrides: Partial<Config>;
}

async function takeDirectories(directories: Directories, flags: Partial<Config>): Promise<Taken | Held> {
  const { configDir, dataDir } = directories;
  // A config.json that cannot be read stops the start before anything is created.
  const configFile = openConfigFile({ configDir, overrides: flags });
  const { fleet_redis_url: fleet } = configFile.get();
  if (fleet !== null) (await import('./fleet.ts')).checkFleet(configFile.get());
  const overrides = withNetworkOfWallet(flags, configFile, dataDir);
  createDataDirectory(dataDir);
  const lock = await acquireDirectoryLock(dataDir, configDir);
  if (lock.state === 'held') return { heldBy: lock.holder, dataDir };
  // The previous holder of the directory may have written the file. From here on, only edits can change it.
  const taken = {
    lock,
    overrides,
    configFile: orRelease(lock, () => openConfigFile({ configDir, overrides })),
  };
  tidyDirectories(directories);
  tidyWalletFolders(dataDir);
  tidyLogFile(dataDir);
  return taken;
}

async function compose(
  directories: Directories,
  { lock, configFile, overrides }: Taken,
  logOf: (config: Config) => Log | Promise<Log>,
  { passwords = new Map(), oneCommand = false }: StartOptions,
): Promise<Started> {
  // A command that goes through a running companion does not need these modules.
  const { Companion } = await import('../workers/companion.ts');
  const { doctorOf } = await import('./doctor.ts');
  const { hooksOf } = await import('./hooks.ts');
  const { pcztProgramsOf } = await import('./pcztPrograms.ts');
  const { ScheduledPrices } = await import('../prices/priceFeed.ts');
  const config = configFile.get();
  const log = await logOf(config);
  const settings = (): AccessSettings => accessSettings(configFile.get());
  const grants = orRelease(lock, () => grantsOf(directories, settings, () => companion));
  const outgoing = new Outgoing({
    proxy: proxyOf(config),
    isHere: isServerOnThisMachine,
    isOnion,
    randomBytes,
    after: systemAfter,
  });
  const hooks = hooksOf(config, directories, grants, log, outgoing.wayOf('hooks'));
  warnOfMissingGrants(config, grants, log);
  const programs = pcztProgramsOf(config, directories, log);
  const prices = new ScheduledPrices({
    source: config.price_source,
    maxAgeMinutes: config.price_max_age_minutes,
    ratesFile: config.rates_file,
    now: Date.now,
    after: systemAfter,
    wayTo: outgoing.wayOf('prices'),
    program: { env: process.env, memoryOf: groupMemory },
    settingsFile: path.join(directories.configDir, CONFIG_FILE),
    warn: (problem) => log.warn({ problem }, 'there are no newer prices'),
  });
  const running = () => ({
    link: companion,
    isServing: !oneCommand,
    cookieFile: config.node_cookie_file,
    outgoing: { ...config, fault: () => outgoing.fault() },
    prover: () => programs.prover.kind(),
    provesSapling: () => programs.prover.provesSapling(),
  });
  const companion: Companion = Companion.start({
    ...directories,
    overrides,
    config: configFile,
    version: VERSION,
    scanThreads: SCAN_THREADS,
    oneCommand,
    log,
    service: { ...hooks.handlers, ...grants.handlers, ...doctorOf(directories, running) },
    walletMoved: async (wallet, to) => {
      for (const name of [wallet, ...(to === undefined ? [] : [to])]) events.forget(name);
      // In memory it has happened all the same.
      await grants.book
        .walletMoved(wallet, to)
        .catch((error) => log.error(faultFields(error), 'grants.json'));
      if (wallet !== DEFAULT_WALLET) await hooks.walletMoved(wallet, to);
    },
    programs,
    prices,
    passwords,
  });
  const events = new EventLogs(companion);
  return {
    companion,
    events,
    lock,
    dataDir: directories.dataDir,
    hooks,
    programs,
    prices,
    grants,
    config,
    settings: () => configFile.get(),
    namesServer: configFile.isSet('node_url') || configFile.isSet('compact_server_url'),
    configWarnings: configFile.warnings(),
  };
}

function warnOfMissingGrants({ on_event }: Config, { book }: Grants, log: Log): void {
  for (const { name, grant } of on_event)
    if (grant !== undefined && book.withName(grant) === undefined)
      log.warn({ hook: name }, 'on_event names a grant that is not there: the hook hears nothing');
}

/** Gives the directory back where a file of it cannot be read. */
function orRelease<T>(lock: DirectoryLock, read: () => T): T {
  try {
    return read();
  } catch (error) {
    lock.release();
    throw error;
  }
}

const accessSettings = ({ anonymous_access, allowed_origins }: Config): AccessSettings => ({
  anonymousAccess: anonymous_access,
  allowedOrigins: allowed_origins,
});

export const holderOf = ({ heldBy: holder }: Held): string =>
  holder === undefined ? 'Another process' : `Process ${holder.pid}`;

export function heldError(held: Held): CompanionError {
  const { heldBy: holder } = held;
  const who = holderOf(held);
  const where = holder?.url === undefined ? '' : ` (at ${holder.url})`;
  return new CompanionError(
    'BUSY',
    `${who}${where} already uses this data directory. Stop it, or choose another with --data-dir.`,
  );
}
