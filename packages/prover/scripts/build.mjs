// Builds the module from rust/ with cargo, into dist/, with the licences of the crates in it: `npm run build:prover`. Sapling's
// parameters come out of a crate beside it, for the tests and as an asset of a release. `--check` only says on standard error
// whether a release would lack the module.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const TARGET = 'wasm32-wasip1-threads';
const root = path.resolve(import.meta.dirname, '..');
const rust = path.join(root, 'rust');
const built = path.join(root, 'dist', 'prover.wasm');
/** Without Sapling's parameters, which have 50 MB. */
const FEATURES = ['--no-default-features', '--features', 'multicore'];
const targetFolder = path.resolve(rust, process.env.CARGO_TARGET_DIR ?? 'target');
/** The crates ask for a target feature that a stable compiler hides (README.md). */
const env = { ...process.env, RUSTC_BOOTSTRAP: '1', CARGO_TARGET_DIR: targetFolder };

function output(command, args) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd: rust,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return error === undefined && status === 0 ? stdout : undefined;
}

function missing() {
  if (output('cargo', ['--version']) === undefined)
    return 'cargo is not there: install Rust (https://rustup.rs).';
  const folder = output('rustc', ['--print', 'target-libdir', '--target', TARGET])?.trim();
  if (folder === undefined || !existsSync(folder))
    return `the target is not there: rustup target add ${TARGET}`;
  return undefined;
}

function build() {
  const lacks = missing();
  if (lacks !== undefined) {
    console.error(`The prover cannot be built: ${lacks}`);
    process.exit(1);
  }
  const args = ['build', '--release', '--locked', '--bin', 'prover-module', '--target', TARGET, ...FEATURES];
  const { status } = spawnSync('cargo', [...args, ...process.argv.slice(2)], {
    cwd: rust,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(path.dirname(built), { recursive: true });
  copyFileSync(path.join(targetFolder, TARGET, 'release', 'prover-module.wasm'), built);
  writeFileSync(path.join(root, 'dist', 'LICENSES.txt'), licences());
  console.log(`${path.relative('.', built)}: ${statSync(built).size} bytes`);
  writeParameters();
}

/** The crate has one file in parts. Who reads them compares their digests. */
function writeParameters() {
  const folder = path.join(root, 'dist', 'sapling-params');
  const { packages } = JSON.parse(output('cargo', ['metadata', '--format-version', '1', '--locked']) ?? '{}');
  const parts = packages
    .filter(({ name }) => /^wagyu-zcash-parameters-\d$/.test(name))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ manifest_path: manifest }) => path.join(path.dirname(manifest), 'src'))
    .flatMap((source) => readdirSync(source).map((file) => path.join(source, file)));
  mkdirSync(folder, { recursive: true });
  for (const kind of ['spend', 'output']) {
    const own = parts.filter((file) => path.basename(file).startsWith(`sapling-${kind}-`));
    writeFileSync(
      path.join(folder, `sapling-${kind}.params`),
      Buffer.concat(own.map((file) => readFileSync(file))),
    );
  }
}

/** The licences of the crates require their text. */
function licences() {
  const args = ['metadata', '--format-version', '1', '--locked', '--filter-platform', TARGET, ...FEATURES];
  const { packages, resolve } = JSON.parse(output('cargo', args) ?? '{}');
  const used = new Set(resolve.nodes.map(({ id }) => id));
  return packages
    .filter(({ id, source }) => source !== null && used.has(id))
    .map(({ name, version, license, manifest_path: manifest }) => {
      const folder = path.dirname(manifest);
      const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
      const texts = files
        .map((file) => path.join(folder, file))
        .filter((file) => statSync(file).isFile())
        .map((file) => readFileSync(file, 'utf8').trim());
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

if (!process.argv.includes('--check')) build();
else if (!existsSync(built))
  console.error(`
THE PROVER IS MISSING. This release cannot prove payments by itself.
Run "npm run build:prover" before "npm pack".
`);
