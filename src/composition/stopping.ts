// Stops a companion after a signal: in order where possible, by force where a thread hangs.

import type { Listening } from '../http/server/listen.ts';
import { type Companion, STOP_PATIENCE_MS } from '../workers/companion.ts';
import type { Log } from '../workers/threadLog.ts';

/**
 * Running requests may end after the stop signal: they do as soon as the companion has stopped, which may take
 * `STOP_PATIENCE_MS` for a scan that commits, plus this time.
 */
const HTTP_GRACE_MS = 2_000;
/**
 * After both times the process is killed: a disk that hangs may block a thread, and nothing interrupts that. All stores
 * survive a kill.
 */
const STOP_FORCED_MS = 8_000;

/** Resolves with what ends the process: a signal, or the end of standard input where `withStdin` is set. */
export const endRequested = (withStdin = false): Promise<string> =>
  new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
    if (!withStdin) return;
    const ended = () => resolve('end of stdin');
    process.stdin.once('end', ended).once('error', ended).resume();
  }).finally(() => {
    // It would keep the process alive.
    if (withStdin) process.stdin.pause();
  });

export async function stopInOrder(
  companion: Companion,
  listening: Listening | undefined,
  stopping: AbortController,
  log: Log,
): Promise<void> {
  const graceMs = STOP_PATIENCE_MS + HTTP_GRACE_MS;
  forceStop(log, graceMs + STOP_FORCED_MS);
  // A running scan must commit first: its request can then still be answered.
  const stopped = companion.stop().finally(() => stopping.abort());
  await listening?.close(graceMs);
  await stopped;
}

export function forceStop(log: Log, afterMs: number): void {
  const force = () => {
    log.error({}, 'not everything ended in time; the process ends without it');
    // `process.exit` would wait for every thread.
    process.kill(process.pid, 'SIGKILL');
  };
  setTimeout(force, afterMs).unref();
}
