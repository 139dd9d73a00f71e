import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asBlockHash, type BlockHash } from '@wallet-companion/zcash/identifiers';
import test from 'ava';
import { HeaderFile } from '../../src/chain/headers/headerFile.ts';
import type { HeaderRow } from '../../src/chain/headers/headerRows.ts';

const GENESIS = asBlockHash(new Uint8Array(32).fill(9));
const row = (seed: number): HeaderRow => ({
  hash: asBlockHash(new Uint8Array(32).fill(seed)),
  work: (BigInt(seed) << 70n) + 1n,
  time: 1_700_000_000 + seed,
  bits: 0x1f07ffff,
});
const rows = (count: number, from = 1) => Array.from({ length: count }, (_, i) => row(from + i));

const folder = mkdtempSync(path.join(tmpdir(), 'headers-'));
test.after.always(() => rmSync(folder, { recursive: true }));
let files = 0;

function written(count: number) {
  const name = path.join(folder, `${files++}.bin`);
  const file = new HeaderFile(name, GENESIS);
  file.begin(500, 501, rows(count));
  return { name, file };
}

function read(name: string, genesis: BlockHash = GENESIS, ...limits: number[]) {
  const file = new HeaderFile(name, genesis);
  const kept = file.read(...limits);
  file.close();
  return kept;
}

test('rows come back as they were written, and so do those that a reorganisation put in their place', (t) => {
  const { name, file } = written(20);
  t.deepEqual(read(name), { height: 500, headers: rows(20), trusted: 501 });
  t.true(statSync(name).size <= 64 * 21);
  file.replace(510, rows(4, 100));
  file.replace(514, rows(1, 200));
  file.close();
  t.deepEqual(read(name)?.headers, [...rows(10), ...rows(4, 100), row(200)]);
});

test('a torn file ends where it is torn, and goes on from there', (t) => {
  const { name, file } = written(6);
  file.close();
  const whole = readFileSync(name);
  const rowAt = (at: number) => Math.floor((at - (whole.length - 6 * 60)) / 60);
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(name, whole.subarray(0, length));
    const left = Math.max(0, rowAt(length));
    t.deepEqual(read(name)?.headers, left < 2 ? undefined : rows(left), `${length} bytes`);
  }
  for (let at = 0; at < whole.length; at++) {
    const bytes = Uint8Array.from(whole);
    bytes[at]! ^= 1;
    writeFileSync(name, bytes);
    const left = rowAt(at);
    t.deepEqual(read(name)?.headers, left < 2 ? undefined : rows(left), `byte ${at}`);
  }
  const again = new HeaderFile(name, GENESIS);
  t.is(again.read()?.headers.length, 5);
  again.replace(505, rows(1, 50));
  again.close();
  t.deepEqual(read(name)?.headers, [...rows(5), row(50)]);
});

test('a file of another chain is not read, and one that is too long loses its oldest', (t) => {
  const { name, file } = written(30);
  file.close();
  t.is(read(name, asBlockHash(new Uint8Array(32))), undefined);
  t.deepEqual(read(name, GENESIS, 29, 10), { height: 520, headers: rows(10, 21), trusted: 529 });
  t.deepEqual(read(name), { height: 520, headers: rows(10, 21), trusted: 529 });
});
