// A program of others: started, asked until it answers, stopped.
import { type ChildProcess, spawn } from 'node:child_process';

export interface ForeignProgram {
  readonly pid: number | undefined;
  signal(signal: NodeJS.Signals): void;
  /** SIGTERM, or another signal that ends it. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const TRIES = 600;
const BETWEEN_TRIES_MS = 100;

/** Real time passes here: whether a foreign program is ready can only be polled. */
export async function untilTrue(what: string, probe: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (await probe()) return;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
  }
  throw new Error(`${what}: not within ${(TRIES * BETWEEN_TRIES_MS) / 1_000} s`);
}

/** Resolves once `probe` does. */
export async function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  probe: () => Promise<unknown>,
): Promise<ForeignProgram> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await untilTrue(command, async () => {
    if (hasEnded()) throw new Error(`${command} ended with ${child.exitCode ?? child.signalCode}`);
    return probe().then(
      () => true,
      () => false,
    );
  });
  return {
    pid: child.pid,
    signal: (signal) => void child.kill(signal),
    stop: (signal = 'SIGTERM') => (hasEnded() ? Promise.resolve() : ended(child, signal)),
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
