// Notifies systemd about a service with `Type=notify`: ready, stopping, and that the threads still answer. Node has no
// datagram sockets of the Unix family, so `systemd-notify` sends the messages, which exists wherever systemd does; the
// unit has `NotifyAccess=all` for that.

import { execFile } from 'node:child_process';

/** Resolves when the message was sent; rejects where that failed. */
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
  /** Notifies the watchdog three times per period while `isAlive` resolves with true. Returns the stop function. */
  watch(isAlive: () => Promise<boolean>): () => void;
}

export interface ManagerContext {
  readonly env: Environment;
  readonly pid: number;
  readonly every: (intervalMs: number, callback: () => void) => () => void;
  /** Called once: later notifications will fail as well. */
  readonly warn: (why: string) => void;
  readonly notify?: Notify;
}

/** Does nothing without a service manager that expects notifications. */
export function serviceManager(context: ManagerContext): ServiceManager {
  const { env, every, notify = systemNotify } = context;
  const isAwaited = (env['NOTIFY_SOCKET'] ?? '') !== '';
  let hasWarned = false;
  const send: Notify = async (state) => {
    if (!isAwaited) return;
    try {
      await notify(state);
    } catch (error) {
      if (!hasWarned) context.warn(String((error as { code?: unknown }).code ?? 'failed'));
      hasWarned = true;
    }
  };
  return {
    ready: () => send(['--ready']),
    stopping: () => send(['STOPPING=1']),
    watch: (isAlive) => {
      const intervalMs = watchdogInterval(context);
      if (!isAwaited || intervalMs === undefined) return () => undefined;
      let isAsking = false;
      return every(intervalMs, () => {
        // No second check while one is running: without an answer, the watchdog is not notified.
        if (isAsking) return;
        isAsking = true;
        void isAlive()
          .catch(() => false)
          .then((alive) => (alive ? send(['WATCHDOG=1']) : undefined))
          .finally(() => {
            isAsking = false;
          });
      });
    },
  };
}

/** A third of the allowed time, so that one late message does not end the service. */
function watchdogInterval({ env, pid }: ManagerContext): number | undefined {
  const { WATCHDOG_USEC: allowed = '', WATCHDOG_PID: meant = String(pid) } = env;
  if (!/^[1-9]\d{0,15}$/.test(allowed) || meant !== String(pid)) return undefined;
  return Math.max(1, Math.floor(Number(allowed) / 3000));
}
