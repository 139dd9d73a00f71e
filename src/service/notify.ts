// What systemd is told of a service with `Type=notify`: ready, stopping, and that the threads still answer. Node has no
// datagram sockets of the Unix family, so `systemd-notify` sends it, which is there wherever systemd is; the unit has
// `NotifyAccess=all` for that.

import { execFile } from 'node:child_process';

/** Resolves when it has been taken; rejects where it could not be told. */
export type Notify = (state: readonly string[]) => Promise<void>;

type Environment = Readonly<Record<string, string | undefined>>;

const NOTIFY_DEADLINE_MS = 30_000;

const systemNotify: Notify = (state) =>
  new Promise((resolve, reject) => {
    execFile('systemd-notify', [...state], { timeout: NOTIFY_DEADLINE_MS }, (error) =>
      error === null ? resolve() : reject(error),
    );
  });

export interface ServiceManager {
  ready(): Promise<void>;
  stopping(): Promise<void>;
  /** Tells three times in the time that the unit allows, as long as the question is answered with yes. Returns the end. */
  watch(isAlive: () => Promise<boolean>): () => void;
}

export interface ManagerSurroundings {
  readonly env: Environment;
  readonly pid: number;
  readonly every: (intervalMs: number, callback: () => void) => () => void;
  /** Once is enough: the next time will fail as well. */
  readonly warn: (why: string) => void;
  readonly notify?: Notify;
}

/** Without a service manager that waits to hear, nobody is told anything. */
export function serviceManager(surroundings: ManagerSurroundings): ServiceManager {
  const { env, every, notify = systemNotify } = surroundings;
  const isAwaited = (env['NOTIFY_SOCKET'] ?? '') !== '';
  let hasWarned = false;
  const tell: Notify = async (state) => {
    if (!isAwaited) return;
    try {
      await notify(state);
    } catch (error) {
      if (!hasWarned) surroundings.warn(String((error as { code?: unknown }).code ?? 'failed'));
      hasWarned = true;
    }
  };
  return {
    ready: () => tell(['--ready']),
    stopping: () => tell(['STOPPING=1']),
    watch: (isAlive) => {
      const intervalMs = watchdogInterval(surroundings);
      if (!isAwaited || intervalMs === undefined) return () => undefined;
      let isAsking = false;
      return every(intervalMs, () => {
        // Who has not answered yet is not asked again: no answer, no word to the watchdog.
        if (isAsking) return;
        isAsking = true;
        void isAlive()
          .catch(() => false)
          .then((alive) => (alive ? tell(['WATCHDOG=1']) : undefined))
          .finally(() => {
            isAsking = false;
          });
      });
    },
  };
}

/** A third, so that one late word is no end. */
function watchdogInterval({ env, pid }: ManagerSurroundings): number | undefined {
  const { WATCHDOG_USEC: allowed = '', WATCHDOG_PID: meant = String(pid) } = env;
  if (!/^[1-9]\d{0,15}$/.test(allowed) || meant !== String(pid)) return undefined;
  return Math.max(1, Math.floor(Number(allowed) / 3000));
}
