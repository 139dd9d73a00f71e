// How a file of an earlier version is brought to today's. Versions of a format count from 1 and each step leads to the
// next one, so adding a step creates a version. Old steps stay for ever, so that every file ever written can be opened.

import fs from 'node:fs';
import path from 'node:path';
import { replaceFile } from './atomicFile.ts';
import { isKeptCopy, keptCopyFile } from './names.ts';

export interface Step<Migrate> {
  readonly from: number;
  /** `from + 1`; spelled out so that a step can be read and checked on its own. */
  readonly to: number;
  readonly migrate: Migrate;
}

/** The version that the last step leads to. Throws when the steps are not numbered consecutively from 1. */
export function latestVersion(steps: readonly Step<unknown>[]): number {
  steps.forEach(({ from, to }, i) => {
    if (from !== i + 1 || to !== i + 2)
      throw new RangeError(`migration ${i + 1} leads from ${from} to ${to}`);
  });
  return steps.length + 1;
}

export const isKnownVersion = (version: number, steps: readonly Step<unknown>[]): boolean =>
  Number.isInteger(version) && version >= 1 && version <= latestVersion(steps);

/** The steps that a file of this version still needs, in order. */
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

/** Replaces the file by the migrated bytes; a copy of the old ones stays beside it until `removeKeptCopies`. */
export async function replaceKeepingCopy(
  file: string,
  version: number,
  old: Uint8Array,
  migrated: Uint8Array,
): Promise<void> {
  await replaceFile(keptCopyFile(file, version), old);
  await replaceFile(file, migrated);
}

/** The copies that migrations of this file have left beside it. */
export function keptCopiesOf(file: string): string[] {
  const { dir, base } = path.parse(file);
  return fs
    .readdirSync(dir)
    .filter((name) => isKeptCopy(name, base))
    .map((name) => path.join(dir, name));
}

/**
 * To be called after a write to a file of today's version, which then has proved to work. Failing to remove a copy
 * fails nothing; the next write tries again.
 */
export function removeKeptCopies(file: string, isOfFile: (copy: string) => boolean = () => true): void {
  try {
    for (const copy of keptCopiesOf(file).filter(isOfFile)) fs.rmSync(copy, { force: true });
  } catch {
    // The next write tries again.
  }
}
