// An output file of the command line: private to its owner, written completely or not at all, and it never replaces a
// file without the user's consent.

import { constants, type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises';
import { errnoOf, systemWords } from '@wallet-companion/client/contract';
import { CompanionError } from '../protocol/errors.ts';

const PRIVATE = 0o600;
/** Errors of file systems without hard links. */
const NO_LINKS: readonly (string | undefined)[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

export interface OutputFile {
  readonly path: string;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
}

/** Checks before any prompt. Throws `INVALID_REQUEST`. */
export async function refuseExisting({ path, force }: OutputFile): Promise<void> {
  if (!force && (await exists(path))) throw taken(path);
}

/** Errors: `INVALID_REQUEST` where the file exists, `STORAGE_FAILED`, and errors of the content. */
export async function writeOutputFile(
  file: OutputFile,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const beside = `${file.path}.${process.pid}.part`;
  const handle = await writing(file, () =>
    open(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, PRIVATE),
  );
  try {
    try {
      for await (const piece of content) await writing(file, () => writeAll(handle, piece));
      await writing(file, () => handle.sync());
    } finally {
      await handle.close();
    }
    await writing(file, () => putInPlace(beside, file));
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}

async function writeAll(handle: FileHandle, piece: string | Uint8Array): Promise<void> {
  await (typeof piece === 'string' ? handle.writeFile(piece, 'utf8') : handle.writeFile(piece));
}

/** A link fails where a file exists by now; a rename would replace it. */
async function putInPlace(beside: string, file: OutputFile): Promise<void> {
  if (file.force) return rename(beside, file.path);
  try {
    await link(beside, file.path);
  } catch (error) {
    if (!NO_LINKS.includes(errnoOf(error))) throw error;
    await refuseExisting(file);
    return rename(beside, file.path);
  }
  await unlink(beside);
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const taken = (path: string): CompanionError =>
  new CompanionError('INVALID_REQUEST', `${path} is there already; --force replaces it.`);

async function writing<T>({ path }: OutputFile, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof CompanionError) throw error;
    if (errnoOf(error) === 'EEXIST') throw taken(path);
    throw new CompanionError('STORAGE_FAILED', `${path} cannot be written${systemWords(error)}`);
  }
}
