// One process for each folder.

export { acquireDirectoryLock, type DirectoryLock, type LockHolder } from '../disk/lock/directoryLock.ts';
