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

/** The next message of the child, or how it ended: the exit may be known before its last message has been read, so that
 * only the closed channel tells that there is none. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController();
  const { signal } = answered;
  const closed = child.connected ? once(child, 'disconnect', { signal }) : undefined;
  const left =
    child.exitCode === null && child.signalCode === null ? once(child, 'exit', { signal }) : undefined;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      Promise.all([closed, left]).then(() => ({ ended: child.signalCode ?? child.exitCode })),
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
