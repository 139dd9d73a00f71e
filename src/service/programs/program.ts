// A program that config.json names: run without a shell, in a process group of its own, with as little of our
// environment as it needs, and only where nobody but the user and the system decides what it is.

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import { trustedFile } from './trustedFile.ts';

/** What a program needs to find others, its files and its language; the rest of ours is none of its business. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'SystemRoot'];

export type Environment = Readonly<Record<string, string | undefined>>;

export const passedOn = (env: Environment): NodeJS.ProcessEnv =>
  Object.fromEntries(PASSED_ON.flatMap((key) => (env[key] ? [[key, env[key]]] : [])));

/** Looked at each time: people change rights, and the program, while we run. Undefined where it must not be run. */
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

/** `env`: from `passedOn`. Throws where the process may start no others. */
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
    // A group of its own, so that its children can be ended with it.
    detached: process.platform !== 'win32',
    shell: false,
    windowsHide: true,
  });

/** Before its end was heard of, so that its number is nobody else's. */
export function endGroup(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) endLeftOvers(child);
}

/**
 * What it started and left behind, where it is called as soon as its end is heard of: the number of a group stays taken
 * while somebody is in it, and is not given to anybody else at once.
 */
export function endLeftOvers(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // There is nobody left.
  }
}
