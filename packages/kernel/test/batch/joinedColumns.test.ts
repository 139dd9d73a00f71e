// Every row of the whole is one row of one part, whatever part of the whole is read.

import type { OutputColumns } from '@wallet-companion/zcash/scan';
import test from 'ava';
import fc from 'fast-check';
import { JoinedColumns } from '../../src/kernel/batch/joinedColumns.ts';

const columnsOf = (count: number) => ({ count }) as OutputColumns;

test('rows and spans are those of the parts, in order', (t) => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 4 }), fc.nat(24), fc.nat(24), (counts, a, b) => {
      const parts = counts.map(columnsOf);
      const joined = new JoinedColumns(parts);
      const places = parts.flatMap((columns) =>
        Array.from({ length: columns.count }, (_, row) => ({ columns, row })),
      );
      t.is(joined.count, places.length);
      for (const [row, place] of places.entries()) {
        t.is(joined.placeOf(row).columns, place.columns);
        t.is(joined.placeOf(row).row, place.row);
      }
      const [first, end] = [Math.min(a, b, joined.count), Math.min(Math.max(a, b), joined.count)];
      const spans = joined.between(first, end);
      const read = spans.flatMap((span) =>
        Array.from({ length: span.end - span.first }, (_, i) => ({
          columns: span.columns,
          row: span.first + i,
          at: span.at + i,
        })),
      );
      t.deepEqual(
        read.map(({ at }) => at),
        Array.from({ length: end - first }, (_, i) => i),
      );
      for (const [i, { columns, row }] of read.entries()) {
        t.is(columns, places[first + i]!.columns);
        t.is(row, places[first + i]!.row);
      }
    }),
  );
});
