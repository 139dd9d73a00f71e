// Settings that the owner changes on the command line, in config.json itself.

import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import type { LocalOptions } from '../cli/cliEnvironment.ts';
import type { LocalSettings } from '../cli/localSettings.ts';
import { CompanionError } from '../protocol/errors.ts';
import { openConfigFile } from '../storage/config/configFile.ts';
import { createDataDirectory } from '../storage/files/directories.ts';
import { directoriesFor } from './directories.ts';

/** Refused while a companion runs: it has read the file, and would overwrite the change or miss it. */
export async function changeSettings(
  options: LocalOptions,
  change: (now: LocalSettings) => Partial<LocalSettings>,
): Promise<LocalSettings> {
  const { configDir, dataDir } = directoriesFor(options);
  createDataDirectory(dataDir);
  const lock = await acquireDirectoryLock(dataDir);
  if (lock.state === 'held') {
    const who = lock.holder === undefined ? 'a companion' : `the companion with pid ${lock.holder.pid}`;
    throw new CompanionError('BUSY', `Stop ${who} first, change the setting, and start it again.`);
  }
  try {
    const config = openConfigFile({ configDir });
    return await config.update(change(config.get()));
  } finally {
    lock.release();
  }
}

/** Keys of config.json without effect; none where the file cannot be read, which other calls report. */
export function configWarnings(options: LocalOptions): string[] {
  try {
    return openConfigFile({ configDir: directoriesFor(options).configDir }).warnings();
  } catch (error) {
    if (error instanceof CompanionError) return [];
    throw error;
  }
}
