// Where this process finds its files, from flags, environment and system.

import { homedir } from 'node:os';
import type { LocalOptions } from '../cli/cliEnvironment.ts';
import { type Directories, locateDirectories } from '../storage/files/directories.ts';

export function directoriesFor({ configDir, dataDir }: LocalOptions): Directories {
  const context = {
    platform: process.platform,
    env: process.env,
    homeDir: homedir(),
    workingDir: process.cwd(),
  };
  return locateDirectories(context, {
    ...(configDir === undefined ? {} : { configDir }),
    ...(dataDir === undefined ? {} : { dataDir }),
  });
}
