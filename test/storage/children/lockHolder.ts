// Takes the lock of the directory named by the first argument, says how that went, and waits. The second argument: the
// user that it becomes before, where it is the administrator.

import { CompanionError } from '@wallet-companion/client/contract';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';

const [, , folder = '', user] = process.argv;
if (user !== undefined && process.getuid?.() === 0) process.seteuid?.(Number(user));
try {
  const lock = await acquireDirectoryLock(folder);
  process.send?.(lock.state === 'held' ? lock : { state: lock.state });
  process.on('message', () => {
    if (lock.state === 'acquired') lock.release();
    process.exit(0);
  });
} catch (error) {
  process.send?.({ state: error instanceof CompanionError ? error.code : String(error) });
}
