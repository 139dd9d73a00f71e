// Whole files that a crash leaves old or new, and files of earlier versions.

export {
  createFile,
  moveFile,
  replaceFile,
  replaceFileIf,
  sweepTemporaries,
  syncFolder,
  temporaryName,
} from '../disk/files/atomicFile.ts';
export { errnoOf, storageFailed } from '../disk/files/failures.ts';
export { freeDiskBytes, makeFolder, networkFileSystem, renameFolder } from '../disk/files/folders.ts';
export {
  type FileStep,
  isKnownVersion,
  latestVersion,
  migrateBytes,
  pendingSteps,
  removeKeptCopies,
  replaceKeepingCopy,
  type Step,
} from '../disk/files/migrations.ts';
export { LOCK_FILE, LOCK_HOLDER_FILE, SQLITE_SIDE_FILES } from '../disk/files/names.ts';
export { isPrivateFile, openPasswordFile } from '../disk/files/privateFile.ts';
