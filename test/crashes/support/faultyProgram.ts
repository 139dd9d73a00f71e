// A process of its own whose files faultyFiles.c sees. It answers each message with one.

import { type ChildProcess, fork } from 'node:child_process';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import { missingCompiler } from '../../helpers/companionLibrary.ts';
import { nextMessage } from '../../storage/support/child.ts';
import { faultyEnvironment } from './faultyFiles.ts';

/** Why there can be none; undefined where there can. */
export const notHere = process.platform === 'linux' ? missingCompiler : 'needs Linux';

export interface FaultyProgram {
  ask(message: object): Promise<unknown>;
  end(): void;
}

/** One process for all messages: what is open in it at the end of one shows in the next. It starts with the first. */
export function faultyProgram(program: URL, args: readonly string[] = []): FaultyProgram {
  let child: ChildProcess | undefined;
  const ends: (() => unknown)[] = [() => child?.kill('SIGKILL')];
  const start = async (): Promise<ChildProcess> => {
    const folder = temporaryFolder({ teardown: (end) => ends.push(end) });
    const env = { ...process.env, ...(await faultyEnvironment(folder)) };
    return fork(program, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  };
  return {
    async ask(message) {
      if (child?.connected !== true) child = await start();
      child.send(message);
      return nextMessage(child);
    },
    end() {
      for (const end of ends) end();
    },
  };
}
