// Takes the data directory and starts the threads, or reports which process holds it: the first step of every command
// that works on a wallet's files.

import { availableParallelism } from 'node:os';
import { acquireDirectoryLock, type DirectoryLock, type LockHolder } from '@wallet-companion/disk/lock';
import type { Hooks } from '@wallet-companion/hooks';
import type { Config } from '../actors/wallet/ports/storage.ts';
import { CompanionError } from '../protocol/errors.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import { openConfigFile } from '../storage/config/configFile.ts';
import { createDataDirectory, tidyDirectories } from '../storage/files/directories.ts';
import { tidyLogFile } from '../storage/files/logFile.ts';
import { tidyWalletFolders } from '../storage/files/walletFolders.ts';
import type { Companion } from '../workers/companion.ts';
import type { Log } from '../workers/threadLog.ts';
import { directoriesFor } from './directories.ts';
import { flagOverrides, type StartFlags, withNetworkOfWallet } from './overrides.ts';
import type { PcztPrograms } from './pcztPrograms.ts';
import { VERSION } from './program.ts';

/** Scanning may use every core: the other threads have little to do, and the system still schedules them. */
const SCAN_THREADS = Math.min(16, availableParallelism());

export interface Started {
  readonly companion: Companion;
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
  /** Settings that an edited config.json changes while the companion runs. */
  readonly settings: { allowedOrigins: readonly string[] };
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
  const configuration = readAgain(lock, configDir, overrides);
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
  const hooks = hooksOf(config, directories, log);
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
    service: { ...hooks.handlers, ...doctorOf(directories, running) },
    walletMoved: (wallet, to) => hooks.walletMoved(wallet, to),
    programs,
    ...(password === undefined ? {} : { password }),
    ...(otherPasswords === undefined ? {} : { otherPasswords }),
  });
  const settings = { allowedOrigins: config.allowed_origins };
  companion.subscribe(({ event, data }) => {
    if (event === 'config.changed') settings.allowedOrigins = data.allowed_origins;
  });
  const configWarnings = configuration.warnings();
  const namesServer = configuration.isSet('node_url') || configuration.isSet('compact_server_url');
  return { companion, lock, dataDir, hooks, programs, config, namesServer, configWarnings, settings };
}

/** The previous holder of the directory may have written the file. From here on, only edits can change it. */
function readAgain(
  lock: DirectoryLock,
  configDir: string,
  overrides: Partial<Config>,
): ReturnType<typeof openConfigFile> {
  try {
    return openConfigFile({ configDir, overrides });
  } catch (error) {
    lock.release();
    throw error;
  }
}

export function heldError({ heldBy: holder }: Held): CompanionError {
  const who = holder === undefined ? 'Another process' : `Process ${holder.pid}`;
  const where = holder?.url === undefined ? '' : ` (at ${holder.url})`;
  return new CompanionError(
    'BUSY',
    `${who}${where} already uses this data directory. Stop it, or choose another with --data-dir.`,
  );
}
