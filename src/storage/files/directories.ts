// Where our files are (docs/operations/configuration.md): config.json in the per-user configuration directory, everything else in the
// data directory. A flag or the environment can move both.

import fs from 'node:fs';
import path from 'node:path';
import {
  errnoOf,
  LOCK_FILE,
  makeFolder,
  networkFileSystem,
  storageFailed,
  sweepTemporaries,
} from '@wallet-companion/disk/files';
import { CompanionError } from '../../protocol/errors.ts';
import { CONFIG_FILE, WALLET_FILE } from './dataFiles.ts';

export interface Directories {
  readonly configDir: string;
  readonly dataDir: string;
}

export interface Context {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly workingDir: string;
}

const NAME = 'wallet-companion';

/**
 * Flags take precedence over the environment, and that over the platform's convention. The result is absolute; nothing
 * is created.
 */
export function locateDirectories(
  { platform, env, homeDir, workingDir }: Context,
  flags: Partial<Directories> = {},
): Directories {
  const { join, resolve, isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  /** The XDG base directory specification says to ignore relative values. */
  const base = (variable: string, ...fallback: string[]): string => {
    const value = env[variable];
    return value !== undefined && isAbsolute(value) ? value : join(homeDir, ...fallback);
  };
  const usual = (): Directories => {
    // Joined with it, the folders would be wherever the command happens to run.
    if (!isAbsolute(homeDir)) throw noHome();
    if (platform === 'win32') {
      // The block store is large and belongs to this machine, so the data directory does not roam.
      return {
        configDir: join(base('APPDATA', 'AppData', 'Roaming'), NAME),
        dataDir: join(base('LOCALAPPDATA', 'AppData', 'Local'), NAME),
      };
    }
    if (platform === 'darwin') {
      const folder = join(homeDir, 'Library', 'Application Support', NAME);
      return { configDir: folder, dataDir: folder };
    }
    return {
      configDir: join(base('XDG_CONFIG_HOME', '.config'), NAME),
      dataDir: join(base('XDG_DATA_HOME', '.local', 'share'), NAME),
    };
  };
  const chosen = (flag: string | undefined, variable: string): string | undefined => {
    const value = flag ?? env[variable];
    return value === undefined || value === '' ? undefined : resolve(workingDir, value);
  };
  return {
    configDir: chosen(flags.configDir, 'WALLET_COMPANION_CONFIG_DIR') ?? usual().configDir,
    dataDir: chosen(flags.dataDir, 'WALLET_COMPANION_DATA_DIR') ?? usual().dataDir,
  };
}

const noHome = (): CompanionError =>
  new CompanionError(
    'STORAGE_FAILED',
    'HOME is no absolute path, and the system names no home folder. Set it, or give --config-dir and --data-dir.',
  );

/** A folder that has one of these files is our data directory. */
const TELLING_FILES = [WALLET_FILE, LOCK_FILE, CONFIG_FILE];

const OWNER_ONLY = 0o700;

/** Creates the data directory, or closes an existing one to other users. */
const OPEN_TO_OTHERS = 0o077;
/** Another user may put files there, or it is a public folder (sticky) like /tmp. */
const SHARED = 0o1022;

/**
 * Makes the data directory, or closes an existing one to other users. A folder that others use too is left as it is and
 * refused: closing /tmp or a home directory would break it. So is one on another machine. Errors: `STORAGE_FAILED`.
 */
export function createDataDirectory(dataDir: string, networkOf = networkFileSystem): void {
  try {
    makeFolder(dataDir);
    const network = networkOf(dataDir);
    if (network !== undefined) throw onNetwork(network);
    if (process.getuid === undefined) return;
    const { mode, uid } = fs.statSync(dataDir);
    if (uid !== process.getuid()) throw notPrivate('belongs to another user');
    if ((mode & OPEN_TO_OTHERS) === 0) return;
    const names = fs.readdirSync(dataDir);
    const isOurs = (mode & SHARED) === 0 && TELLING_FILES.some((name) => names.includes(name));
    if (names.length > 0 && !isOurs) throw notPrivate('is open to others and holds other files');
    fs.chmodSync(dataDir, OWNER_ONLY);
  } catch (cause) {
    throw storageFailed('made, or closed to others', 'The data directory', cause);
  }
}

const onNetwork = (type: string): CompanionError =>
  new CompanionError(
    'STORAGE_FAILED',
    `The data directory is on a network file system (${type}). Locks there do not keep another machine from writing the same wallet. Choose a folder on a disk of this machine with --data-dir.`,
  );

const notPrivate = (why: string): CompanionError =>
  new CompanionError(
    'STORAGE_FAILED',
    `The data directory ${why}. Choose a folder of your own with --data-dir, closed to others (chmod 700).`,
  );

/** Removes what a killed process left half-written, where the disk allows. For the holder of the directory lock. */
export function tidyDirectories({ configDir, dataDir }: Directories): void {
  for (const folder of new Set([configDir, dataDir])) {
    if (!fs.existsSync(folder)) continue;
    try {
      sweepTemporaries(folder);
    } catch (error) {
      if (errnoOf(error) !== 'EROFS') throw storageFailed('read', folder, error);
    }
  }
}
