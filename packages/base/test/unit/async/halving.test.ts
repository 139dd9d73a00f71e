import test from 'ava';
import fc from 'fast-check';
import { lowestNotHolding } from '../../../src/async/halving.ts';

/** Heights are 32-bit: the middle of two of them must not wrap. */
const HEIGHT = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const ROW = fc.record({ low: HEIGHT, length: fc.nat(300), holding: fc.nat(400) });

function linear(low: number, high: number, holds: (n: number) => boolean): number {
  for (let n = low; n < high; n++) if (!holds(n)) return n;
  return high;
}

test('finds what a linear search finds', async (t) => {
  await fc.assert(
    fc.asyncProperty(ROW, async ({ low, length, holding }) => {
      const holds = (n: number): boolean => n < low + holding;
      const high = low + length;
      t.is(await lowestNotHolding(low, high, async (n) => holds(n)), linear(low, high, holds));
    }),
  );
});

test('asks a logarithm of the row, each number once, and never about the end', async (t) => {
  await fc.assert(
    fc.asyncProperty(ROW, async ({ low, length, holding }) => {
      const asked: number[] = [];
      await lowestNotHolding(low, low + length, async (n) => {
        asked.push(n);
        return n < low + holding;
      });
      t.true(asked.length <= Math.ceil(Math.log2(length + 1)));
      t.is(new Set(asked).size, asked.length);
      t.true(asked.every((n) => n >= low && n < low + length));
    }),
  );
});

test('a question that fails ends the search', async (t) => {
  const failure = new Error('away');
  const thrown = await t.throwsAsync(lowestNotHolding(0, 100, () => Promise.reject(failure)));
  t.is(thrown, failure);
});
