// Where this process finds its files, from flags, environment and system; its version, and the file that Node runs.

import { existsSync, readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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

// The program's identity: its version, and the file that Node runs.
export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
export const VERSION = packageVersion(path.dirname(MAIN));

/** From the package.json above the compiled code. */
function packageVersion(folder: string): string {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) return packageVersion(path.dirname(folder));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
