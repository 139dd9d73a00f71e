// Rules for files with a password that the program reads without a prompt.

import { badField, type CompanionError } from '@wallet-companion/client/contract';

export interface FileReader {
  readonly platform: string;
  /** Undefined where the system has no user ids. */
  readonly uid: number | undefined;
}

export const isPrivateFile = (
  stats: { readonly mode: number; readonly uid: number },
  { platform, uid }: FileReader = { platform: process.platform, uid: process.getuid?.() },
): boolean =>
  platform === 'win32' || ((uid === undefined || stats.uid === uid) && (stats.mode & 0o077) === 0);

export const openPasswordFile = (): CompanionError =>
  badField(
    'password_file',
    'must be a file of yours that nobody else can read',
    'The password file must be there, be yours, and be readable by nobody else (chmod 600).',
  );
