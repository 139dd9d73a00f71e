// Tools that a suite needs and no registry has ready: built once into a folder outside the checkout, which is named by the
// tool's version, the compiler and the flags.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Proving code is unusable without optimisation; the rest compiles four times faster at level 1. */
const FAST_CRATES = ['halo2_proofs', 'pasta_curves', 'bls12_381', 'orchard'];
/** The same for all tools, so that they can share a build folder. */
export const CARGO_FLAGS = FAST_CRATES.flatMap((crate) => [
  '--config',
  `profile.release.package.${crate}.opt-level=3`,
]);
export const CARGO_PROFILE = { CARGO_PROFILE_RELEASE_OPT_LEVEL: '1', CARGO_PROFILE_RELEASE_DEBUG: '0' };

export function capture(command, args, options = {}) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', ...options });
  return status === 0 ? stdout.trim() : undefined;
}

export function must(command, args, options = {}) {
  console.log(`> ${command} ${args.join(' ')}`);
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (error) console.error(error.message);
  if (status !== 0) throw new Error(`What the suite runs against could not be installed: ${command} failed.`);
}

/** Says what is missing, before minutes of building. */
export function needs(tools, what) {
  for (const [tool, flag = '--version'] of tools.map((tool) => tool.split(' '))) {
    if (capture(tool, [flag]) !== undefined) continue;
    throw new Error(`${what} is built from source and needs ${tools.join(', ')}; see CONTRIBUTING.md.`);
  }
}

export const testCache = () =>
  process.env.WALLET_COMPANION_TEST_CACHE ??
  path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'wallet-companion-test');

const rustc = () => /^rustc (\S+)/.exec(capture('rustc', ['--version']) ?? '')?.[1] ?? 'none';

/** The folder of a tool that cargo builds, whether it is installed or not. */
export const rustFolder = (name) => path.join(testCache(), `${name}-rustc-${rustc()}-o1`);

export const isInstalled = (folder, files) => files.every((file) => existsSync(path.join(folder, file)));

/** `build(work, ready)` makes `files` in `ready`; `work` stays from one attempt to the next. */
export function installTool(folder, files, build) {
  if (isInstalled(folder, files)) return;
  const work = `${folder}.build`;
  const ready = `${folder}.ready`;
  mkdirSync(work, { recursive: true });
  rmSync(ready, { recursive: true, force: true });
  mkdirSync(ready);
  build(work, ready);
  for (const file of files.filter((name) => !name.includes('.'))) capture('strip', [path.join(ready, file)]);
  rmSync(folder, { recursive: true, force: true });
  renameSync(ready, folder);
}
