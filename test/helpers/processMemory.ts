// The memory of a companion in a process of its own, thread by thread: what `memoryProbe` there tells here.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ThreadMemory {
  readonly thread: string;
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
}

export interface ProcessMemory {
  readonly rss: number;
  readonly threads: readonly ThreadMemory[];
}

/** To the probe. `snapshots`: also write each heap into that folder. */
export interface MeasureMessage {
  readonly measure: true;
  readonly snapshots?: string;
}

const PROBE = fileURLToPath(new URL('memoryProbe.js', import.meta.url));

/** Runs a script with the probe in every thread, quietly. `options`: of Node itself. */
export const spawnProbed = (
  script: string,
  words: readonly string[],
  options: readonly string[] = [],
): ChildProcess =>
  spawn(process.execPath, ['--expose-gc', ...options, '--import', PROBE, script, ...words], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, WALLET_COMPANION_LOG: 'silent' },
  });

/** The answer to a message over the IPC channel; rejects when the process ends first. */
export function ask<T>(child: ChildProcess, message: object, member: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onMessage = (answer: unknown): void => {
      if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, member)) return;
      settle();
      resolve((answer as Record<string, unknown>)[member] as T);
    };
    const onExit = (code: number | null): void => {
      settle();
      reject(new Error(`the process ended with ${code}`));
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(message);
  });
}

/** After collecting the garbage of every thread. */
export const measure = (child: ChildProcess, snapshots?: string): Promise<ProcessMemory> =>
  ask(
    child,
    { measure: true, ...(snapshots === undefined ? {} : { snapshots }) } satisfies MeasureMessage,
    'measured',
  );

/** What the heaps of all threads hold, buffers included. */
export const heldBytes = ({ threads }: ProcessMemory): number =>
  threads.reduce((sum, { heapUsed, external }) => sum + heapUsed + external, 0);
