// A program that a test needs, and that not every machine has.
import { spawnSync } from 'node:child_process';

/** The first of these names that runs, or undefined. `variable` of the environment names another one. */
export function installedProgram(names: readonly string[], variable?: string): string | undefined {
  const named = variable === undefined ? undefined : process.env[variable];
  return (named === undefined ? names : [named]).find(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
  );
}
