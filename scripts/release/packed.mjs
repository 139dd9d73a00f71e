// The packages as npm would pack them, and what npm installs beside one: npm and the lock file say which files and packages, and
// the archive is written here, because npm's has the modes of this machine.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzip, tar } from './archive.mjs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The files of a package by their names in it. */
export function packedFiles(root) {
  const { stdout, stderr, status } = spawnSync(
    'npm',
    ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26, shell: process.platform === 'win32' },
  );
  if (status !== 0) throw new Error(`npm cannot pack ${root}: ${stderr}`);
  const [{ files }] = JSON.parse(stdout);
  const { bin = {} } = readJson(path.join(root, 'package.json'));
  const programs = new Set(Object.values(bin).map((file) => path.posix.normalize(file)));
  return new Map(
    files.map(({ path: name, mode }) => [
      name,
      {
        kind: 'file',
        bytes: readFileSync(path.join(root, name)),
        runs: programs.has(name) || (mode & 0o100) !== 0,
      },
    ]),
  );
}

/** `@wallet-companion/base` 0.1.0 -> `wallet-companion-base-0.1.0.tgz`, as npm names it. */
export function tarballName(root) {
  const { name, version } = readJson(path.join(root, 'package.json'));
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

export function tarball(root, time) {
  const files = [...packedFiles(root)].map(([name, entry]) => [`package/${name}`, entry]);
  return gzip(tar(new Map(files), time));
}

/** Folders in which Node looks for the packages of the one in `folder`, the nearest first: as keys of the lock file begin. */
function* placesFor(folder) {
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/'))))
    yield `${at}/node_modules/`;
  yield 'node_modules/';
}

const isFor = ({ os, cpu, libc }, machine) =>
  (os?.includes(machine.os) ?? true) &&
  (cpu?.includes(machine.cpu) ?? true) &&
  (libc?.includes(machine.libc) ?? true);

/** Those that the package in this folder declares, and the peers that npm installs with it. */
export function neededBy(folder) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    lock().packages[folder];
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !(peerDependenciesMeta?.[name]?.optional ?? false),
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/**
 * What npm installs with these packages on a machine, by the lock file: folders of packages. One of the workspace is its folder
 * in `packages`. `os`, `cpu` and `libc` are npm's words.
 */
export function installedWith(names, machine, folder = '', found = new Set()) {
  const { packages } = lock();
  for (const name of names) {
    const place = [...placesFor(folder)].find((before) => packages[`${before}${name}`]);
    if (place === undefined) continue;
    const entry = packages[`${place}${name}`];
    const target = entry.link ? entry.resolved : `${place}${name}`;
    if (found.has(target) || !isFor(packages[target], machine)) continue;
    found.add(target);
    installedWith(neededBy(target), machine, target, found);
  }
  return found;
}

let read;
function lock() {
  read ??= readJson('package-lock.json');
  return read;
}

/** Node's report names glibc's version where it runs on that. */
export const thisMachine = () => ({
  os: process.platform,
  cpu: process.arch,
  libc: process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc',
});

/** Sources, declarations, and native modules of other systems: half of what npm installs, and nothing reads it. */
const isRead = (machine) => (inPackage) =>
  !/\.(?:map|[cm]?ts|c|cc|cpp|h|gypi?)$/.test(inPackage) &&
  !/(?:^|\/)(?:node_modules|\.bin)\//.test(inPackage) &&
  (!inPackage.startsWith('prebuilds/') || inPackage.startsWith(`prebuilds/${machine.os}-${machine.cpu}/`)) &&
  !inPackage.endsWith('.musl.node');

/** What the program reads of the packages that npm installs beside it: their folders, and files by their paths here and there. */
export function modulesFor(machine) {
  const folders = [...installedWith(neededBy(''), machine)];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
      )
      .filter(isRead(machine))
      .map((inPackage) => `${folder}/${inPackage}`),
  );
  return { folders, files: files.sort() };
}
