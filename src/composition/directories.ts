// Where this process finds its files, from flags, environment and system.

import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import type { LocalOptions } from '../cli/cliEnvironment.ts';
import { type Directories, locateDirectories } from '../storage/files/directories.ts';

export function directoriesFor({ configDir, dataDir }: LocalOptions): Directories {
  const context = {
    platform: process.platform,
    env: process.env,
    homeDir: homeFolder(),
    workingDir: process.cwd(),
  };
  return locateDirectories(context, {
    ...(configDir === undefined ? {} : { configDir }),
    ...(dataDir === undefined ? {} : { dataDir }),
  });
}

/** HOME may be empty or relative (cron, containers): then the system's own entry counts, where there is one. */
export function homeFolder(): string {
  const named = homedir();
  if (path.isAbsolute(named)) return named;
  try {
    return userInfo().homedir;
  } catch {
    return named;
  }
}
