// Where our files are (docs/operations.md): config.json in the per-user configuration directory, everything else in the
// data directory. A flag or the environment can move both.

import fs from 'node:fs';
import path from 'node:path';
import { CompanionError } from '../../protocol/errors.ts';
import { sweepTemporaries } from './atomicFile.ts';
import { errnoOf, storageFailed } from './failures.ts';

export interface Directories {
  readonly configDir: string;
  readonly dataDir: string;
}

export interface Surroundings {
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
  { platform, env, homeDir, workingDir }: Surroundings,
  flags: Partial<Directories> = {},
): Directories {
  const { join, resolve, isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  /** The XDG base directory specification says to ignore relative values. */
  const base = (variable: string, ...fallback: string[]): string => {
    const value = env[variable];
    return value !== undefined && isAbsolute(value) ? value : join(homeDir, ...fallback);
  };
  const usual = (): Directories => {
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
  const defaults = usual();
  return {
    configDir: chosen(flags.configDir, 'WALLET_COMPANION_CONFIG_DIR') ?? defaults.configDir,
    dataDir: chosen(flags.dataDir, 'WALLET_COMPANION_DATA_DIR') ?? defaults.dataDir,
  };
}

const OWNER_ONLY = 0o700;

/** Creates the data directory, or closes an existing one to other users. */
export function createDataDirectory(dataDir: string): void {
  try {
    fs.mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
    if (process.platform !== 'win32' && (fs.statSync(dataDir).mode & 0o077) !== 0) {
      fs.chmodSync(dataDir, OWNER_ONLY);
    }
  } catch (cause) {
    throw new CompanionError(
      'STORAGE_FAILED',
      'The data directory cannot be made private to you. Choose a folder of your own with --data-dir.',
      { cause },
    );
  }
}

/**
 * Removes temporary files that a killed process left, if the disk allows it. Only for the holder of the directory lock.
 */
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
