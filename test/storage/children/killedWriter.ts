// Runs one storage operation and kills itself, as the power switch would, just before the file system call whose number
// is given; a write is cut in half first. Arguments: operation, folder, number of the call. Says `done` when it was not
// reached.

import fs from 'node:fs';
import { OPERATIONS } from '../support/operations.ts';

const [operation = '', folder = '', lastCall = ''] = process.argv.slice(2);
let calls = 0;

const beforeCall = (): void => {
  calls++;
  if (calls === Number(lastCall)) process.kill(process.pid, 'SIGKILL');
};

type Call = (...values: unknown[]) => unknown;

function interrupt(owner: object, names: readonly string[]): void {
  const calls = owner as Record<string, Call>;
  for (const name of names) {
    const original = calls[name]!;
    calls[name] = (...values) => {
      beforeCall();
      return original.apply(owner, values);
    };
  }
}

const openHandle = fs.promises.open;
fs.promises.open = async (...values) => {
  beforeCall();
  const handle = await openHandle(...values);
  const write = handle.writeFile.bind(handle);
  handle.writeFile = async (data) => {
    const bytes = data as Uint8Array;
    await handle.write(bytes, 0, bytes.length >> 1, 0);
    beforeCall();
    return write(data);
  };
  interrupt(handle, ['sync', 'close']);
  return handle;
};
interrupt(fs.promises, ['rename', 'link', 'rm', 'mkdir']);
interrupt(fs, ['openSync', 'closeSync', 'fsyncSync', 'linkSync', 'renameSync', 'rmSync', 'mkdirSync']);

await OPERATIONS[operation]?.(folder);
process.send?.('done', () => process.exit(0));
