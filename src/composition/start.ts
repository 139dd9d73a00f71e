// Takes the data directory and starts the threads, or reports which process holds it: the first step of every command
// that works on a wallet's files.

import { availableParallelism } from 'node:os';
import { DEFAULT_WALLET, faultFields } from '@wallet-companion/client/contract';
import { acquireDirectoryLock, type DirectoryLock, type LockHolder } from '@wallet-companion/disk/lock';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import type { AccessSettings } from '../grants/access.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { CompanionError } from '../protocol/errors.ts';
import { EventLogs } from '../protocol/eventLogs.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import { openConfigFile } from '../storage/config/configFile.ts';
import { createDataDirectory, tidyDirectories } from '../storage/files/directories.ts';
import { tidyLogFile } from '../storage/files/logFile.ts';
import { tidyWalletFolders } from '../storage/files/walletFolders.ts';
import type { Companion } from '../workers/companion.ts';
import type { Log } from '../workers/threadLog.ts';
import { directoriesFor } from './directories.ts';
import { type Grants, grantsOf } from './grants.ts';
import { flagOverrides, type StartFlags, withNetworkOfWallet } from './overrides.ts';
import type { PcztPrograms } from './pcztPrograms.ts';
import { VERSION } from './program.ts';

/** Scanning may use every core: the other threads have little to do, and the system still schedules them. */
const SCAN_THREADS = Math.min(16, availableParallelism());

export interface Started {
  readonly companion: Companion;
  readonly events: EventLogs;
  readonly lock: DirectoryLock;
  readonly dataDir: string;
  readonly hooks: Hooks;
  readonly programs: PcztPrograms;
  /** The configuration at the start. */
  readonly config: Config;
  /** Whether config.json or a flag names a node or a compact-block server. */
  readonly namesServer: boolean;
  /** Keys of config.json without effect. */
  readonly configWarnings: readonly string[];
  readonly grants: Grants;
  /** Settings that an edited config.json changes while the companion runs. */
  readonly settings: { current: AccessSettings };
}

/** Another process has the data directory. */
export interface Held {
  readonly heldBy: LockHolder | undefined;
  readonly dataDir: string;
}

interface StartOptions {
  readonly password?: StartPassword;
  readonly otherPasswords?: ReadonlyMap<string, StartPassword>;
  /** The process ends with the command. */
  readonly oneCommand?: boolean;
}

export async function start(
  options: StartFlags,
  logOf: (config: Config) => Log | Promise<Log>,
  { password, otherPasswords, oneCommand = false }: StartOptions = {},
): Promise<Started | Held> {
  const directories = directoriesFor(options);
  const { configDir, dataDir } = directories;
  const flags = flagOverrides(options);
  // A config.json that cannot be read stops the start before anything is created.
  const configFile = openConfigFile({ configDir, overrides: flags });
  const { fleet_redis_url: fleet } = configFile.get();
  if (fleet !== null) (await import('./fleet.ts')).checkFleet(configFile.get());
  const overrides = withNetworkOfWallet(flags, configFile, dataDir);
  createDataDirectory(dataDir);
  const lock = await acquireDirectoryLock(dataDir);
  if (lock.state === 'held') return { heldBy: lock.holder, dataDir };
  // The previous holder of the directory may have written the file. From here on, only edits can change it.
  const configuration = orRelease(lock, () => openConfigFile({ configDir, overrides }));
  const config = configuration.get();
  tidyDirectories(directories);
  tidyWalletFolders(dataDir);
  tidyLogFile(dataDir);
  // A command that goes through a running companion does not need these modules.
  const { Companion } = await import('../workers/companion.ts');
  const { doctorOf } = await import('./doctor.ts');
  const { hooksOf } = await import('./hooks.ts');
  const { pcztProgramsOf } = await import('./pcztPrograms.ts');
  const log = await logOf(config);
  const settings = { current: accessSettings(config) };
  const grants = orRelease(lock, () =>
    grantsOf(
      directories,
      () => settings.current,
      () => companion,
    ),
  );
  const hooks = hooksOf(config, directories, grants, log);
  for (const { name, grant } of config.on_event)
    if (grant !== undefined && grants.book.withName(grant) === undefined)
      log.warn({ hook: name }, 'on_event names a grant that is not there: the hook hears nothing');
  const programs = pcztProgramsOf(config, directories, log);
  const running = () => ({
    link: companion,
    isServing: !oneCommand,
    cookieFile: config.node_cookie_file,
    prover: () => programs.prover.kind(),
  });
  const companion: Companion = Companion.start({
    ...directories,
    overrides,
    config: configuration.carried(),
    version: VERSION,
    scanThreads: SCAN_THREADS,
    oneCommand,
    log,
    service: { ...hooks.handlers, ...grants.handlers, ...doctorOf(directories, running) },
    walletMoved: async (wallet, to) => {
      for (const name of [wallet, ...(to === undefined ? [] : [to])])
        events.forget(name === DEFAULT_WALLET ? undefined : name);
      // In memory it has happened all the same.
      await grants.book
        .walletMoved(wallet, to)
        .catch((error) => log.error(faultFields(error), 'grants.json'));
      if (wallet !== DEFAULT_WALLET) await hooks.walletMoved(wallet, to);
    },
    programs,
    ...(password === undefined ? {} : { password }),
    ...(otherPasswords === undefined ? {} : { otherPasswords }),
  });
  const events = new EventLogs(companion);
  companion.subscribe(({ event, data }) => {
    if (event === 'config.changed')
      settings.current = { ...settings.current, allowedOrigins: data.allowed_origins };
  });
  const configWarnings = configuration.warnings();
  const namesServer = configuration.isSet('node_url') || configuration.isSet('compact_server_url');
  return {
    companion,
    events,
    lock,
    dataDir,
    hooks,
    programs,
    grants,
    config,
    namesServer,
    configWarnings,
    settings,
  };
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
