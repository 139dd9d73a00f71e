// Installs the real node (zebrad, from its crate) and the test sender into a cache folder outside the checkout, named by
// version, compiler and flags. The first run takes tens of minutes. `--check` only reports whether it is there.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const ZEBRAD = '7.0.0';
/** Proving code is unusable without optimisation; the rest compiles four times faster at level 1. */
const FAST_CRATES = ['halo2_proofs', 'pasta_curves', 'bls12_381', 'orchard'];
/** Flags of cargo: the same for all tools, so that they share a build folder. */
export const CARGO_FLAGS = FAST_CRATES.flatMap((crate) => [
  '--config',
  `profile.release.package.${crate}.opt-level=3`,
]);
export const CARGO_PROFILE = { CARGO_PROFILE_RELEASE_OPT_LEVEL: '1', CARGO_PROFILE_RELEASE_DEBUG: '0' };
/** The Java binding's Linux library contains RocksDB's whole C interface, which avoids a C++ build. */
const ROCKSDB_JNI = 'org.rocksdb:rocksdbjni:10.4.2';

export function capture(command, args) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

export function must(command, args, options = {}) {
  console.log(`> ${command} ${args.join(' ')}`);
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (error) console.error(error.message);
  if (status !== 0) {
    console.error(`What the suite runs against could not be installed: ${command} failed.`);
    process.exit(status ?? 1);
  }
}

/** A folder outside the checkout, named by its contents, the compiler and the flags. */
export function cacheFolder(name) {
  const base =
    process.env.WALLET_COMPANION_TEST_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'wallet-companion-test');
  const rustc = /^rustc (\S+)/.exec(capture('rustc', ['--version']) ?? '')?.[1] ?? 'none';
  return path.join(base, `${name}-rustc-${rustc}-o1`);
}

/** The folder of `zebrad`, `librocksdb.so` and `regsend`, whether they are installed or not. */
export const realNodeFolder = () => cacheFolder(`zebrad-${ZEBRAD}`);

export const isRealNodeInstalled = () =>
  ['zebrad', 'librocksdb.so', 'regsend'].every((file) => existsSync(path.join(realNodeFolder(), file)));

export function installRealNode() {
  if (isRealNodeInstalled()) return;
  for (const tool of ['cargo', 'mvn', 'protoc', 'python3']) {
    if (capture(tool, ['--version']) === undefined) {
      console.error(
        `The real node is built from source and needs ${tool} (and libclang); see docs/operations.md.`,
      );
      process.exit(1);
    }
  }
  const target = realNodeFolder();
  const work = `${target}.build`;
  mkdirSync(path.join(work, 'rdb'), { recursive: true });
  must('mvn', [
    '-q',
    '-B',
    'dependency:copy',
    `-Dartifact=${ROCKSDB_JNI}:jar:linux64`,
    `-DoutputDirectory=${work}/rdb`,
  ]);
  must('python3', ['-m', 'zipfile', '-e', `${work}/rdb/rocksdbjni-10.4.2-linux64.jar`, `${work}/rdb/x`]);
  mkdirSync(path.join(work, 'rdb/lib'), { recursive: true });
  cpSync(path.join(work, 'rdb/x/librocksdbjni-linux64.so'), path.join(work, 'rdb/lib/librocksdb.so'));

  const env = {
    ...process.env,
    ROCKSDB_LIB_DIR: path.join(work, 'rdb/lib'),
    LD_LIBRARY_PATH: path.join(work, 'rdb/lib'),
    CARGO_TARGET_DIR: path.join(work, 'target'),
    ...CARGO_PROFILE,
  };
  must(
    'cargo',
    [
      'install',
      'zebrad',
      '--version',
      ZEBRAD,
      '--locked',
      '--no-default-features',
      '--root',
      path.join(work, 'root'),
      ...CARGO_FLAGS,
    ],
    { env },
  );
  const sender = path.resolve(process.env.WALLET_COMPANION_SHARED ?? '../shared', 'tools/regsend');
  cpSync(sender, path.join(work, 'regsend'), { recursive: true });
  must('cargo', ['build', '--release', '--locked', ...CARGO_FLAGS], { env, cwd: path.join(work, 'regsend') });

  const ready = `${target}.ready`;
  rmSync(ready, { recursive: true, force: true });
  mkdirSync(ready, { recursive: true });
  cpSync(path.join(work, 'root/bin/zebrad'), path.join(ready, 'zebrad'));
  cpSync(path.join(work, 'rdb/lib/librocksdb.so'), path.join(ready, 'librocksdb.so'));
  cpSync(path.join(work, 'target/release/regsend'), path.join(ready, 'regsend'));
  capture('strip', [path.join(ready, 'zebrad'), path.join(ready, 'regsend')]);
  rmSync(target, { recursive: true, force: true });
  renameSync(ready, target);
}

if (process.argv.includes('--check')) process.exit(isRealNodeInstalled() ? 0 : 1);
