import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ExecutionContext } from 'ava';

/** Starts a program of test/storage/children; it is killed with the test at the latest. */
export function startChild(t: ExecutionContext, name: string, ...args: readonly string[]): ChildProcess {
  const program = path.join(import.meta.dirname, '..', 'children', `${name}.js`);
  const child = fork(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** The next message of the child, or how it ended. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null)
    return { ended: child.signalCode ?? child.exitCode };
  const answered = new AbortController();
  const { signal } = answered;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code, killedBy]) => ({ ended: killedBy ?? code })),
    ]);
  } finally {
    answered.abort();
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
