// What `npm run release` writes, made anew, and one of its packages installed alone: as npm would lay it, out of what is installed here.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

interface Machine {
  readonly os: string;
  readonly cpu: string;
  readonly libc: string;
}
interface Packed {
  neededBy(folder: string): readonly string[];
  installedWith(names: readonly string[], machine: Machine, folder?: string): ReadonlySet<string>;
  tarballName(root: string): string;
  thisMachine(): Machine;
}

// Tests run from the project's root.
export const { installedWith, neededBy, tarballName, thisMachine } = (await import(
  pathToFileURL('scripts/release/packed.mjs').href
)) as Packed;

/** `umask`: that of whoever makes it. */
export async function makeRelease(folder: string, { umask = '022', args = [] as readonly string[] } = {}) {
  const script = 'umask "$0" && exec "$@"';
  const command = [process.execPath, 'scripts/release.mjs', '--out', folder, ...args];
  await execute('sh', ['-c', script, umask, ...command], { maxBuffer: 1 << 26 });
}

export const unpack = async (archive: string, folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  await execute('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
};

/**
 * Into a folder: the package in `root` out of its tarball in `release`, those of the project that it declares out of theirs,
 * and copies of the others that it declares. Nothing else can be imported there.
 */
export async function installAlone(release: string, root: string, folder: string): Promise<void> {
  const modules = path.join(folder, 'node_modules');
  const { name } = await manifestOf(root);
  const key = root === '.' ? '' : root;
  await unpack(path.join(release, tarballName(root)), path.join(modules, name));
  for (const place of installedWith(neededBy(key), thisMachine(), key)) {
    const [, ofPackage, below = ''] = /^(packages\/\w+)(\/.*)?$/.exec(place) ?? [];
    if (ofPackage === undefined) cpSync(place, path.join(folder, place), { recursive: true });
    else {
      const its = path.join(modules, (await manifestOf(ofPackage)).name);
      if (below === '') await unpack(path.join(release, tarballName(ofPackage)), its);
      else cpSync(place, path.join(its, below), { recursive: true });
    }
  }
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

export async function manifestOf(root: string): Promise<Manifest> {
  const file = path.resolve(root, 'package.json');
  const { default: manifest } = (await import(file, { with: { type: 'json' } })) as {
    readonly default: Manifest;
  };
  return manifest;
}
