// A hook that is a program: run once for each event, without a shell, with the event as a line of JSON on its standard
// input. It arrived when the program exits with 0; nothing that it prints is read.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { type After, bytesOf, type Deliver, type Failure } from './delivery.ts';
import { trustedFile } from './trustedFile.ts';

export const COMMAND_LIMIT_MS = 30_000;
/** What a program needs to find others, its files and its language; the rest of ours is none of its business. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'SystemRoot'];

export interface CommandSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly after: After;
}

export function commandHook(
  name: string,
  command: readonly string[],
  { env, after }: CommandSurroundings,
): Deliver {
  const passed = Object.fromEntries(PASSED_ON.flatMap((key) => (env[key] ? [[key, env[key]]] : [])));
  const [program = '', ...args] = command;
  return async (delivery, stop) => {
    const file = runnable(program);
    if (file === undefined) return 'UNSAFE_COMMAND';
    if (stop.aborted) return 'STOPPED';
    const line = Buffer.concat([bytesOf(name, delivery), Buffer.from('\n')]);
    // Where the process may start no others, that is thrown.
    return run(file, args, line, passed, after, stop).catch(() => 'NOT_STARTED');
  };
}

/** Looked at each time: people change rights, and the program, while we run. */
function runnable(program: string): string | undefined {
  try {
    const trust = trustedFile(program);
    if ('problem' in trust) return undefined;
    fs.accessSync(trust.file, fs.constants.X_OK);
    return trust.file;
  } catch {
    return undefined;
  }
}

function run(
  file: string,
  args: readonly string[],
  line: Buffer,
  env: NodeJS.ProcessEnv,
  after: After,
  stop: AbortSignal,
): Promise<Failure> {
  return new Promise((resolve) => {
    let reason: string | undefined;
    // A group of its own, so that its children can be ended with it.
    const child = spawn(file, args, {
      cwd: '/',
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: process.platform !== 'win32',
      shell: false,
      windowsHide: true,
    });
    const kill = (why: string) => (): void => {
      reason ??= why;
      endGroup(child);
    };
    const stopped = kill('STOPPED');
    const callOff = after(COMMAND_LIMIT_MS, kill('TIMEOUT'));
    const end = (failure: Failure): void => {
      callOff();
      stop.removeEventListener('abort', stopped);
      child.stdin?.destroy();
      resolve(failure);
    };
    stop.addEventListener('abort', stopped);
    child.once('error', () => end('NOT_STARTED'));
    child.once('exit', (code, signal) => {
      if (reason !== undefined) end(reason);
      else if (code === 0) end(undefined);
      else end(code === null ? `KILLED_${signal}` : `EXIT_${code}`);
    });
    // A program that does not read it may be done all the same.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(line);
  });
}

/** Before its end was heard of, so that its number is nobody else's. */
function endGroup(child: ReturnType<typeof spawn>): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
