// The fleet's pre-shared key: 64 hexadecimal digits in a file that no other user can read. The key opens every job,
// viewing keys included, so it is never an argument, part of a URL, or in config.json.

import fs from 'node:fs';
import { FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { badField, CompanionError } from '@wallet-companion/client/contract';

const KEY_DIGITS = 64;
/** With a line break. */
const MAX_KEY_FILE = KEY_DIGITS + 2;
const MAX_PASSWORD_FILE = 1024;
const OTHERS = 0o077;

/** Returns 32 bytes, which the caller wipes. `INVALID_REQUEST` states what is wrong with the file. */
export function readFleetKey(file: string): Uint8Array {
  const bytes = readOwnFile(file, MAX_KEY_FILE, 'fleet_key_file');
  try {
    const text = bytes.toString('latin1').replace(/\r?\n$/, '');
    if (text.length !== KEY_DIGITS) throw new FormatError('wrong length');
    return hexToBytes(text);
  } catch {
    throw unfit('fleet_key_file', 'must hold 64 hexadecimal digits, as `openssl rand -hex 32` makes them');
  } finally {
    bytes.fill(0);
  }
}

/** The password of Redis. */
export function readRedisPassword(file: string): string {
  const bytes = readOwnFile(file, MAX_PASSWORD_FILE, 'fleet_redis_password_file');
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  bytes.fill(0);
  if (text === '') throw unfit('fleet_redis_password_file', 'is empty');
  return text;
}

function readOwnFile(file: string, maxSize: number, key: string): Buffer {
  let handle: number | undefined;
  try {
    handle = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    const stats = fs.fstatSync(handle);
    if (!stats.isFile()) throw unfit(key, 'is no regular file');
    const { getuid } = process;
    if (getuid !== undefined) {
      if (stats.uid !== getuid.call(process)) throw unfit(key, 'belongs to another user');
      if ((stats.mode & OTHERS) !== 0) throw unfit(key, 'can be read by others: chmod 600 it');
    }
    if (stats.size > maxSize) throw unfit(key, 'is too large');
    return fs.readFileSync(handle);
  } catch (cause) {
    if (cause instanceof CompanionError) throw cause;
    throw unfit(key, 'cannot be read', cause);
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}

const unfit = (key: string, what: string, cause?: unknown): CompanionError =>
  badField(key, what, `The file that ${key} names ${what}.`, 'INVALID_REQUEST', cause);
