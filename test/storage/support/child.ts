import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ExecutionContext } from 'ava';

/** Each by its own name: that is how their bundles are found. */
const CHILDREN = {
  compactPace: new URL('../children/compactPace.js', import.meta.url),
  compactPruner: new URL('../children/compactPruner.js', import.meta.url),
  compactWriter: new URL('../children/compactWriter.js', import.meta.url),
  lockHolder: new URL('../children/lockHolder.js', import.meta.url),
  noteStoreWriter: new URL('../children/noteStoreWriter.js', import.meta.url),
  paymentWriter: new URL('../children/paymentWriter.js', import.meta.url),
  photographedWriter: new URL('../children/photographedWriter.js', import.meta.url),
};

/** Starts a program of test/storage/children; it is killed with the test at the latest. */
export function startChild(
  t: ExecutionContext,
  name: keyof typeof CHILDREN,
  ...args: readonly string[]
): ChildProcess {
  const child = fork(CHILDREN[name], args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
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
