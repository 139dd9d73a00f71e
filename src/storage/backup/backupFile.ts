// The sealed form of a backup: a stream of any length, read and written in pieces. All integers little-endian.
//
//   magic        24  "wallet-companion backup\n"
//   version       2     1
//   key          28  Argon2id memory KiB 4, passes 4, lanes 4, salt 16
//   checksum     32  BLAKE2b-256 of everything before it
//   chunks        4 + n   each a seal of at most 1 MiB under the password's key (the wallet file's seal and key derivation)
//
// Each seal authenticates the header, the number of its chunk, and whether it is the last: a chunk that is missing, moved, cut
// off or of another backup opens nothing. The first one is empty, so that a wrong password is known before anything is read.

import { blake2b } from '@noble/hashes/blake2.js';
import { asciiBytes, ByteReader, concatBytes, equalBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import {
  DEFAULT_KDF,
  derivePasswordKey,
  isAcceptableKdf,
  KDF_SALT_SIZE,
  type KdfParameters,
  type RandomBytes,
  SEAL_OVERHEAD,
  seal,
  unseal,
} from '@wallet-companion/disk/sealing';
import { CompanionError } from '../../protocol/errors.ts';
import { StreamReader } from './streamReader.ts';

const MAGIC = asciiBytes('wallet-companion backup\n');
const VERSION = 1;
const CHECKSUM_SIZE = 32;
const FIXED_SIZE = MAGIC.length + 2 + 12 + KDF_SALT_SIZE;
export const CHUNK_SIZE = 1 << 20;

type Stream = AsyncIterable<Uint8Array>;

export const damaged = (why: string): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The backup file is damaged: ${why}. Nothing was restored; use another copy of it.`,
  );

export const newerBackup = (): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    'The backup was made by a newer version of this program, which this one cannot read. Nothing was restored; install the newer version.',
  );

/** Seals the content. `password`: UTF-8, wiped by the caller. */
export async function* sealBackup(
  content: Stream,
  password: Uint8Array,
  { randomBytes, kdf = DEFAULT_KDF }: { readonly randomBytes: RandomBytes; readonly kdf?: KdfParameters },
): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(KDF_SALT_SIZE);
  const fixed = concatBytes(
    MAGIC,
    Uint8Array.of(VERSION, 0),
    u32ToLeBytes(kdf.memoryKib),
    u32ToLeBytes(kdf.passes),
    u32ToLeBytes(kdf.lanes),
    salt,
  );
  const header = concatBytes(fixed, blake2b(fixed, { dkLen: CHECKSUM_SIZE }));
  const key = await derivePasswordKey(password, salt, kdf);
  let index = 0;
  const chunk = (plain: Uint8Array, isLast = false): Uint8Array => {
    const sealed = seal(key, plain, contextOf(header, index, isLast), randomBytes);
    index += 1;
    return concatBytes(u32ToLeBytes(sealed.length), sealed);
  };
  try {
    yield header;
    yield chunk(new Uint8Array(0));
    let waiting: Uint8Array = new Uint8Array(0);
    for await (const piece of content) {
      waiting = concatBytes(waiting, piece);
      // One byte at least stays for the last chunk.
      while (waiting.length > CHUNK_SIZE) {
        yield chunk(waiting.subarray(0, CHUNK_SIZE));
        waiting = waiting.slice(CHUNK_SIZE);
      }
    }
    yield chunk(waiting, true);
  } finally {
    key.fill(0);
  }
}

/**
 * The content of a sealed backup. Nothing that it yields counts before it has ended: the end may be missing. Errors:
 * `INVALID_REQUEST` for another file, `WRONG_PASSWORD`, `WALLET_CORRUPT`.
 */
export async function* openBackup(source: Stream, password: Uint8Array): AsyncGenerator<Uint8Array> {
  const reader = new StreamReader(source);
  const { header, kdf, salt } = await readHeader(reader);
  const key = await derivePasswordKey(password, salt, kdf);
  try {
    for (let index = 0, isLast = false; !isLast; index += 1) {
      const length = new ByteReader(await take(reader, 4)).u32();
      if (length < SEAL_OVERHEAD || length > CHUNK_SIZE + SEAL_OVERHEAD) throw damaged('a length is wrong');
      const sealed = await take(reader, length);
      const open = (last: boolean) => unseal(key, sealed, contextOf(header, index, last));
      let plain = open(false);
      if (plain === undefined) {
        isLast = true;
        plain = open(isLast);
      }
      if (plain === undefined) throw index === 0 ? wrongPassword() : damaged('a part of it was changed');
      yield plain;
    }
    if (!(await reader.isAtEnd())) throw damaged('something follows its end');
  } finally {
    key.fill(0);
  }
}

async function readHeader(reader: StreamReader) {
  const magic = await reader.take(MAGIC.length);
  if (magic === undefined || !equalBytes(magic, MAGIC))
    throw new CompanionError('INVALID_REQUEST', 'This file is no backup of wallet-companion.');
  const rest = await take(reader, FIXED_SIZE - MAGIC.length);
  const checksum = await take(reader, CHECKSUM_SIZE);
  const fixed = concatBytes(magic, rest);
  const parts = new ByteReader(rest);
  const version = parts.u16();
  // Whatever a newer version changed in the rest, its number stands here.
  const isWhole = equalBytes(blake2b(fixed, { dkLen: CHECKSUM_SIZE }), checksum);
  if (isWhole && version > VERSION) throw newerBackup();
  if (!isWhole || version !== VERSION) throw damaged('its beginning was changed');
  const kdf: KdfParameters = { memoryKib: parts.u32(), passes: parts.u32(), lanes: parts.u32() };
  if (!isAcceptableKdf(kdf)) throw damaged('its key derivation parameters are out of bounds');
  return { header: concatBytes(fixed, checksum), kdf, salt: parts.take(KDF_SALT_SIZE) };
}

async function take(reader: StreamReader, length: number): Promise<Uint8Array> {
  const bytes = await reader.take(length);
  if (bytes === undefined) throw damaged('its end is missing');
  return bytes;
}

const contextOf = (header: Uint8Array, index: number, isLast: boolean): Uint8Array =>
  concatBytes(header, u32ToLeBytes(index), Uint8Array.of(isLast ? 1 : 0));

const wrongPassword = (): CompanionError =>
  new CompanionError('WRONG_PASSWORD', 'The password is not the one that the backup was made with.');
