import test from 'ava';
import { bytesToHex, hexToBytes, randomBelow } from '../src/bytes/bytes.ts';
import { collectGarbage } from './helpers/garbage.ts';

test('hex has two digits for each byte of the part that is meant, and comes back', (t) => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  t.regex(bytesToHex(all), /^000102[0-9a-f]{500}fdfeff$/);
  t.deepEqual(hexToBytes(bytesToHex(all)), all);
  t.is(bytesToHex(all.subarray(15, 18)), '0f1011');
  t.is(bytesToHex(new Uint8Array()), '');
});

test('a name that is kept takes little more than its characters', async (t) => {
  const NAMES = 20_000;
  const bytes = new Uint8Array(32);
  const numbers = new DataView(bytes.buffer);
  const kept = new Array<string>(NAMES).fill('');
  await collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < NAMES; i++) {
    numbers.setUint32(0, i);
    kept[i] = bytesToHex(bytes);
  }
  await collectGarbage();
  const each = (process.memoryUsage().heapUsed - before) / NAMES;
  t.is(new Set(kept).size, NAMES);
  t.true(each < 200, `${Math.round(each)} bytes for 64 characters`);
});

test('a draw favours no number, and ends where the source gives nothing', (t) => {
  // 2^32 is no multiple of three: its last number is not taken, which would favour 0.
  const draws = [0xff, 1];
  t.is(
    randomBelow(3, (length) => new Uint8Array(length).fill(draws.shift()!)),
    0x01010101 % 3,
  );
  t.throws(() => randomBelow(3, (length) => new Uint8Array(length).fill(0xff)), { message: /randomness/ });
});
