// How a file of an earlier version becomes one of today's. Versions of a format count from 1, and each step leads from
// one to the next, so the list of steps says which version is today's: adding a step is what makes a new version.
// Old steps stay for ever, and with them every file that was ever written.

import fs from 'node:fs';
import path from 'node:path';
import { replaceFile } from './atomicFile.ts';
import { isKeptCopy, keptCopyFile } from './dataFiles.ts';

export interface Step<Migrate> {
  readonly from: number;
  /** `from + 1`; written out so that a step can be read, and checked, by itself. */
  readonly to: number;
  readonly migrate: Migrate;
}

/** The version that the last step leads to. Throws when the steps are not numbered one after the other from 1. */
export function latestVersion(steps: readonly Step<unknown>[]): number {
  steps.forEach(({ from, to }, i) => {
    if (from !== i + 1 || to !== i + 2)
      throw new RangeError(`migration ${i + 1} leads from ${from} to ${to}`);
  });
  return steps.length + 1;
}

export const isKnownVersion = (version: number, steps: readonly Step<unknown>[]): boolean =>
  Number.isInteger(version) && version >= 1 && version <= latestVersion(steps);

/** Those that a file of a known version has before it, in order. */
export function pendingSteps<S extends Step<unknown>>(steps: readonly S[], version: number): readonly S[] {
  if (!isKnownVersion(version, steps)) throw new RangeError(`no migration leads from version ${version}`);
  return steps.slice(version - 1);
}

export type FileStep<Keys> = Step<(bytes: Uint8Array, keys: Keys) => Uint8Array | Promise<Uint8Array>>;

/** A file's bytes in today's version. */
export async function migrateBytes<Keys>(
  steps: readonly FileStep<Keys>[],
  version: number,
  bytes: Uint8Array,
  keys: Keys,
): Promise<Uint8Array> {
  let migrated = bytes;
  for (const step of pendingSteps(steps, version)) migrated = await step.migrate(migrated, keys);
  return migrated;
}

/** Puts the migrated bytes in the file's place; the old ones stay beside it until `removeKeptCopies`. */
export async function replaceKeepingCopy(
  file: string,
  version: number,
  old: Uint8Array,
  migrated: Uint8Array,
): Promise<void> {
  await replaceFile(keptCopyFile(file, version), old);
  await replaceFile(file, migrated);
}

/** What migrations of this file have put beside it. */
export function keptCopiesOf(file: string): string[] {
  const { dir, base } = path.parse(file);
  return fs
    .readdirSync(dir)
    .filter((name) => isKeptCopy(name, base))
    .map((name) => path.join(dir, name));
}

/**
 * To be called when something was written to a file of today's version: it has proved itself. A copy that cannot be
 * removed is no reason for that to fail; the next write tries again.
 */
export function removeKeptCopies(file: string, isOfFile: (copy: string) => boolean = () => true): void {
  try {
    for (const copy of keptCopiesOf(file).filter(isOfFile)) fs.rmSync(copy, { force: true });
  } catch {
    // See above.
  }
}
