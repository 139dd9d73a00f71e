// Takes the lock of the directory named by the first argument, says how that went, and waits.

import { acquireDirectoryLock } from '@wallet-companion/disk/lock';

const lock = await acquireDirectoryLock(process.argv[2] ?? '');
process.send?.(lock.state === 'held' ? lock : { state: lock.state });
process.on('message', () => {
  if (lock.state === 'acquired') lock.release();
  process.exit(0);
});
