// The program's identity: its version, and the file that Node runs.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
export const VERSION = packageVersion(path.dirname(MAIN));

/** From the package.json above the compiled code. */
function packageVersion(folder: string): string {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) return packageVersion(path.dirname(folder));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
