// A program that config.json names: run without a shell, in a separate process group, with only the environment
// variables that it needs, and only where no other user can change what the program is.

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import { trustedFile } from './trustedFile.ts';

/** What a program needs to find others, its files and its language; it gets none of the other variables. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'SystemRoot'];

export type Environment = Readonly<Record<string, string | undefined>>;

export const passedEnvironment = (env: Environment): NodeJS.ProcessEnv =>
  Object.fromEntries(PASSED_ON.flatMap((key) => (env[key] ? [[key, env[key]]] : [])));

/** Checked before each run: permissions and the program can change meanwhile. Undefined where it must not be run. */
export function runnable(program: string): string | undefined {
  try {
    const trust = trustedFile(program);
    if ('problem' in trust) return undefined;
    fs.accessSync(trust.file, fs.constants.X_OK);
    return trust.file;
  } catch {
    return undefined;
  }
}

/** `env` is from `passedOn`. Throws where the process may not start others. */
export const startProgram = (
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  stdio: StdioOptions,
): ChildProcess =>
  spawn(file, args, {
    cwd: '/',
    env,
    stdio,
    // A separate group, so that the program's children can be ended with it.
    detached: process.platform !== 'win32',
    shell: false,
    windowsHide: true,
  });

/** Only while the child runs, so that its process id cannot belong to another process. */
export function endGroup(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) endLeftOvers(child);
}

/**
 * Ends the processes that a child left behind. Call it as soon as the child's end is reported: the group's id stays
 * reserved while the group has a member, and is not reused at once.
 */
export function endLeftOvers(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // No process is left.
  }
}
