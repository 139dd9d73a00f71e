// The benches' input, found as the benches expect it: a bench runs only when somebody wants its figures.

import { POOLS } from '@wallet-companion/zcash/pools';
import { ReferenceDecryptor } from '@wallet-companion/zcash/scan';
import test from 'ava';
import { randomKeys, scanInput } from '../bench/scanInput.ts';

for (const pool of POOLS) {
  test(`${pool}: every note of a bench's input is found, and nothing else`, (t) => {
    const [key] = randomKeys(pool, 1);
    const { columns, noteRows } = scanInput(pool, 8, key!, 2);
    const found = new ReferenceDecryptor().decrypt(columns, [key!]).map(({ row }) => row);
    t.deepEqual(found, noteRows);
  });
}
