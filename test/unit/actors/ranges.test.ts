import test from 'ava';
import fc from 'fast-check';
import {
  addRange,
  contiguousEnd,
  missingRanges,
  removeRange,
} from '../../../src/actors/wallet/noteStore/book/ranges.ts';
import type { HeightRange } from '../../../src/actors/wallet/ports/noteDatabase.ts';

const range = fc.tuple(fc.nat(60), fc.nat(12)).map(([start, length]) => ({ start, end: start + length }));
const operations = fc.array(fc.record({ add: fc.boolean(), range }), { maxLength: 30 });

const members = (set: readonly HeightRange[]): number[] =>
  set.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, i) => start + i));

test('any sequence of additions and removals equals a plain set of heights', (t) => {
  fc.assert(
    fc.property(operations, (steps) => {
      let set: HeightRange[] = [];
      const model = new Set<number>();
      for (const step of steps) {
        set = step.add ? addRange(set, step.range) : removeRange(set, step.range);
        for (let h = step.range.start; h <= step.range.end; h++) model[step.add ? 'add' : 'delete'](h);
        t.deepEqual(
          members(set),
          [...model].sort((a, b) => a - b),
        );
        for (let i = 1; i < set.length; i++) t.true(set[i]!.start > set[i - 1]!.end + 1);
      }
      const within = { start: 5, end: 50 };
      const missing = members([within]).filter((h) => !model.has(h));
      t.deepEqual(members(missingRanges(set, within)), missing);
      const floor = 10;
      let end = floor - 1;
      while (model.has(end + 1)) end++;
      t.is(contiguousEnd(set, floor), end);
    }),
  );
});

test('an empty window has nothing missing', (t) => {
  t.deepEqual(missingRanges([], { start: 5, end: 4 }), []);
});
