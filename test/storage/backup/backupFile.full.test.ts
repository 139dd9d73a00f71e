// The sealed form of a backup: it opens whole with its password or not at all, wherever it was cut, changed or mixed up.

import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { CompanionError } from '../../../src/protocol/errors.ts';
import { CHUNK_SIZE, openBackup, sealBackup } from '../../../src/storage/backup/backupFile.ts';
import { CHEAP_KDF } from '../../helpers/cheapKdf.ts';

const PASSWORD = new TextEncoder().encode('backup password');
const HEADER_SIZE = 24 + 2 + 28 + 32;

async function* inPieces(bytes: Uint8Array, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const sealed = (content: Uint8Array, size?: number): Promise<Buffer> =>
  buffer(sealBackup(inPieces(content, size), PASSWORD, { randomBytes, kdf: CHEAP_KDF }));
const opened = (file: Uint8Array, size?: number, password = PASSWORD): Promise<Buffer> =>
  buffer(openBackup(inPieces(file, size), password));
const refusal = async (file: Uint8Array, password = PASSWORD): Promise<string> => {
  try {
    await opened(file, 1 << 16, password);
    return 'opened';
  } catch (error) {
    return error instanceof CompanionError ? error.code : String(error);
  }
};
/** The chunks behind the header, with their lengths. */
function chunksOf(file: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = HEADER_SIZE; at < file.length; ) {
    const next = at + 4 + file.readUInt32LE(at);
    chunks.push(file.subarray(at, next));
    at = next;
  }
  return chunks;
}

test('what was sealed comes back, whatever its length and the pieces that it is read in', async (t) => {
  for (const length of [0, 1, CHUNK_SIZE - 1, CHUNK_SIZE, CHUNK_SIZE + 1, 2 * CHUNK_SIZE + 7]) {
    const content = randomBytes(length);
    const file = await sealed(content, 100_003);
    t.true((await opened(file, 99_991)).equals(content), `${length}`);
    t.true(chunksOf(file).every((chunk) => chunk.length <= CHUNK_SIZE + 44));
  }
});

test('nothing is held but a piece: a gigabyte would need no more', async (t) => {
  let made = 0;
  let taken = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    for (; made < 24; made += 1) yield new Uint8Array(CHUNK_SIZE / 2);
  }
  const file = sealBackup(source(), PASSWORD, { randomBytes, kdf: CHEAP_KDF });
  for await (const piece of openBackup(file, PASSWORD)) {
    taken += piece.length;
    t.true((made * CHUNK_SIZE) / 2 - taken <= 3 * CHUNK_SIZE);
  }
  t.is(taken, 12 * CHUNK_SIZE);
});

test('a wrong password, any changed byte, any cut and any other order are refused', async (t) => {
  const file = await sealed(randomBytes(2 * CHUNK_SIZE + 5));
  t.is(await refusal(file, new TextEncoder().encode('another one')), 'WRONG_PASSWORD');
  const places = [24, 25, 26, 40, 60, ...[0, 5, 40].map((more) => HEADER_SIZE + more), file.length - 1];
  for (const place of [...places, HEADER_SIZE + 5_000, CHUNK_SIZE + 5_000, 2 * CHUNK_SIZE + 200]) {
    const changed = Buffer.from(file);
    changed[place]! ^= 1;
    t.regex(await refusal(changed), /WALLET_CORRUPT|WRONG_PASSWORD/, `byte ${place}`);
  }
  for (const length of [
    0,
    10,
    30,
    HEADER_SIZE,
    HEADER_SIZE + 44,
    CHUNK_SIZE,
    file.length - 49,
    file.length - 1,
  ])
    t.regex(await refusal(file.subarray(0, length)), /WALLET_CORRUPT|INVALID_REQUEST/, `cut at ${length}`);
  t.is(await refusal(Buffer.concat([file, Buffer.of(0)])), 'WALLET_CORRUPT');

  const header = file.subarray(0, HEADER_SIZE);
  const [empty, first, second, last] = chunksOf(file) as [Buffer, Buffer, Buffer, Buffer];
  const another = chunksOf(await sealed(randomBytes(2 * CHUNK_SIZE + 5)));
  for (const chunks of [
    [empty, second, first, last],
    [empty, first, last],
    [empty, first, second],
    [empty, first, first, last],
    [empty, first, another[2]!, last],
  ])
    t.is(await refusal(Buffer.concat([header, ...chunks])), 'WALLET_CORRUPT');
  t.is(await refusal(Buffer.concat([header, empty, first, second, last])), 'opened');
});

test('another file is none, and a newer one names the program that it needs', async (t) => {
  t.is(await refusal(randomBytes(500)), 'INVALID_REQUEST');
  const { blake2b } = await import('@noble/hashes/blake2.js');
  const newer = Buffer.from(await sealed(randomBytes(5)));
  newer[24] = 2;
  newer.set(blake2b(newer.subarray(0, HEADER_SIZE - 32), { dkLen: 32 }), HEADER_SIZE - 32);
  await t.throwsAsync(opened(newer), { message: /newer version of this program/ });
});
