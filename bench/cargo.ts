// Compiles a Rust program of the benches. BENCH_PEERS_TARGET names another folder than `target` beside its sources.
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

export interface Build {
  readonly name: string;
  readonly features: readonly string[];
  readonly rustFlags: string;
}

/** The path of the program. */
export function compile(
  folder: string,
  program: string,
  { name, features, rustFlags }: Build,
  built = join(folder, 'target'),
): string {
  // Absolute: cargo runs in its own folder.
  const target = resolve(process.env['BENCH_PEERS_TARGET'] ?? built, name);
  execFileSync(
    'cargo',
    [
      'build',
      '--release',
      '--locked',
      '--quiet',
      '--target-dir',
      target,
      ...features.flatMap((f) => ['--features', f]),
    ],
    { cwd: folder, env: { ...process.env, RUSTFLAGS: rustFlags }, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return join(target, 'release', program);
}
