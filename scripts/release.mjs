// `npm run release`: writes what a release publishes into release/, or the folder of `--out`: the packages as npm installs them, one for Debian, the page that
// checks receipts, the bill of materials, and checksums of all. `--sapling-params FOLDER` adds Sapling's parameters, which are an asset of their own; `--node FILE` adds
// the executable, which has that Node in itself; `--sign-with KEY`
// signs the checksums with an SSH key: a file, or the public half of one that an agent or a device has.
// The same sources give the same bytes, under the same versions of Node and npm.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DASHBOARD, PACKAGES } from './packages.mjs';
import { releaseTime, tar } from './release/archive.mjs';
import { deb, debName } from './release/deb.mjs';
import { executable, executableName } from './release/executable.mjs';
import { tarball, tarballName, thisMachine } from './release/packed.mjs';

const FOLDER = 'release';
const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: FOLDER },
    'sapling-params': { type: 'string' },
    'sign-with': { type: 'string' },
    node: { type: 'string' },
  },
});
const out = path.resolve(options.out);
const time = releaseTime();
const write = (name, bytes) => writeFileSync(path.join(out, name), bytes);

const changes = spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' });
if (changes.status !== 0 || changes.stdout !== '')
  console.error(
    'This is not what a commit has: nobody else can make the same bytes. Publish from a clean checkout.',
  );

// Checksums are of what lies there, which of a folder of somebody's choice is not ours to remove.
if (options.out === FOLDER) rmSync(out, { recursive: true, force: true });
else if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} is not empty.`);
mkdirSync(out, { recursive: true });

for (const root of ['.', ...PACKAGES]) write(tarballName(root), tarball(root, time));
write('receipt.html', readFileSync(path.join(DASHBOARD, 'dist/receipt.html')));

const machine = thisMachine();
const ofDebian = debName(machine);
if (ofDebian === undefined)
  console.error('No package for Debian: its native modules are installed on Debian alone.');
else write(ofDebian, deb(machine, time));

const node = options.node;
if (node !== undefined) executable(node, path.join(out, executableName(machine)), machine);

const parameters = options['sapling-params'];
if (parameters !== undefined) {
  const files = ['sapling-output.params', 'sapling-spend.params'].map((name) => [
    `sapling-params/${name}`,
    { kind: 'file', bytes: readFileSync(path.join(parameters, name)), runs: false },
  ]);
  write('sapling-params.tar', tar(new Map(files), time));
}

const { status } = spawnSync(process.execPath, ['scripts/sbom.mjs', out], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (status !== 0) process.exit(status ?? 1);

/** As `sha256sum --check` reads it. */
const sums = readdirSync(out)
  .sort()
  .map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(path.join(out, name)))
      .digest('hex');
    return `${digest}  ${name}\n`;
  })
  .join('');
write('SHA256SUMS', sums);
process.stdout.write(sums);

/** A signature for one purpose is none for another. */
const PURPOSE = 'wallet-companion-release';
const key = options['sign-with'];
if (key !== undefined) {
  const { status: signed } = spawnSync(
    'ssh-keygen',
    ['-Y', 'sign', '-n', PURPOSE, '-f', key, path.join(out, 'SHA256SUMS')],
    { stdio: 'inherit' },
  );
  if (signed !== 0) throw new Error('ssh-keygen has not signed the checksums.');
}
