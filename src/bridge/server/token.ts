// Who knows the token may ask the bridge: 32 random bytes in a file that only its owner can read, made at the first start.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import { CompanionError } from '@wallet-companion/client/contract';
import { createFile, errnoOf, isPrivateFile, storageFailed } from '@wallet-companion/disk/files';

const TOKEN_BYTES = 32;
/** As base64url. */
const TOKEN = /^[\w-]{43}$/;

export interface Token {
  readonly text: string;
  readonly isNew: boolean;
}

/** Throws `INVALID_REQUEST` for a file that others can read or that has no token, else `STORAGE_FAILED`. */
export async function tokenIn(file: string): Promise<Token> {
  try {
    const known = readToken(file);
    if (known !== undefined) return { text: known, isNew: false };
    const text = randomBytes(TOKEN_BYTES).toString('base64url');
    if (await createFile(file, Buffer.from(`${text}\n`))) return { text, isNew: true };
  } catch (error) {
    throw storageFailed('written', file, error);
  }
  // Another bridge was faster.
  return tokenIn(file);
}

/** Undefined where there is no file. */
function readToken(file: string): string | undefined {
  let handle: number;
  try {
    handle = fs.openSync(file, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stats = fs.fstatSync(handle);
    const text = isPrivateFile(stats) ? fs.readFileSync(handle, 'latin1').replace(/\r?\n$/, '') : '';
    if (TOKEN.test(text)) return text;
    throw new CompanionError(
      'INVALID_REQUEST',
      'The token file must be yours, be readable by nobody else (chmod 600), and contain what the bridge wrote. Remove it for a new token.',
    );
  } finally {
    fs.closeSync(handle);
  }
}

/** Takes as long for a wrong one, whatever of it is right. */
export const isSame = (token: string, given: string): boolean =>
  timingSafeEqual(digest(token), digest(given));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
