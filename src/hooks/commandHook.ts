// A hook that is a program: run once for each event, without a shell, with the event as a line of JSON on its standard
// input. Exit code 0 means that the event was delivered; the program's output is not read.

import type { After } from '@wallet-companion/base/async';
import { endGroup, passedEnvironment, runnable, startProgram } from '../programs/program.ts';
import { bytesOf, type Deliver, type Failure } from './delivery.ts';

export const COMMAND_LIMIT_MS = 30_000;

export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly after: After;
}

export function commandHook(
  name: string,
  command: readonly string[],
  { env, after }: CommandContext,
): Deliver {
  const passed = passedEnvironment(env);
  const [program = '', ...args] = command;
  return async (delivery, stop) => {
    const file = runnable(program);
    if (file === undefined) return 'UNSAFE_COMMAND';
    if (stop.aborted) return 'STOPPED';
    const line = bytesOf(name, delivery, '\n');
    // `run` throws where the process may not start others.
    return run(file, args, line, passed, after, stop)
      .catch(() => 'NOT_STARTED')
      .finally(() => line.fill(0));
  };
}

function run(
  file: string,
  args: readonly string[],
  line: Uint8Array,
  env: NodeJS.ProcessEnv,
  after: After,
  stop: AbortSignal,
): Promise<Failure> {
  return new Promise((resolve) => {
    let reason: string | undefined;
    const child = startProgram(file, args, env, ['pipe', 'ignore', 'ignore']);
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
    // A program that does not read its input may still succeed.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(line, () => line.fill(0));
  });
}
