// Runs one storage operation and copies its folder before each of its file system calls, and with a write half done: what a
// kill at that moment would leave. Arguments: operation, folder, an empty folder for the copies. Says `done`.

import fs from 'node:fs';
import path from 'node:path';
import { copyFolder } from '../../helpers/copyFolder.ts';
import { OPERATIONS } from '../support/operations.ts';

const [operation = '', folder = '', album = ''] = process.argv.slice(2);
let calls = 0;
let isCopying = false;

const beforeCall = (): void => {
  // The copying makes calls of its own.
  if (isCopying) return;
  isCopying = true;
  copyFolder(folder, path.join(album, String(++calls)));
  isCopying = false;
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
