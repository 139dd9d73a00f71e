// The end of a companion that is told to end: in order where it can, by force where a thread hangs.

import type { Listening } from '../http/listen.ts';
import { type Companion, STOP_PATIENCE_MS } from '../workers/companion.ts';
import type { Log } from '../workers/threadLog.ts';

/**
 * Requests that run when the companion is told to stop may end: they do as soon as it has stopped, which may take its
 * patience with a scan that commits, and so long beyond.
 */
const HTTP_GRACE_MS = 2_000;
/**
 * After both the process ends as it is: a thread may be held by a disk that hangs, which nothing interrupts. All stores
 * survive a kill.
 */
const STOP_FORCED_MS = 8_000;

/** Resolves with the name of the signal. */
export const toldToEnd = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });

export async function stopInOrder(
  companion: Companion,
  listening: Listening,
  stopping: AbortController,
  log: Log,
): Promise<void> {
  const graceMs = STOP_PATIENCE_MS + HTTP_GRACE_MS;
  forceStop(log, graceMs + STOP_FORCED_MS);
  // A running scan is told to commit first: its request can then still be answered.
  const stopped = companion.stop().finally(() => stopping.abort());
  await listening.close(graceMs);
  await stopped;
}

function forceStop(log: Log, afterMs: number): void {
  const force = () => {
    log.error({}, 'a thread did not end in time; the process ends without it');
    // An exit waits for every thread.
    process.kill(process.pid, 'SIGKILL');
  };
  setTimeout(force, afterMs).unref();
}
