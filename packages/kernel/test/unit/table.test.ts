// Figures in columns.
import test from 'ava';
import { tableOf } from '../../bench/table.ts';

test('text stands to the left, figures to the right, and a missing cell is empty', (t) => {
  const rows = [
    { source: 'node', outputs: 7, seconds: '12.50' },
    { source: 'a longer one', outputs: 12_345 },
  ];
  t.is(
    tableOf(rows),
    ['source        outputs  seconds', 'node                7    12.50', 'a longer one    12345'].join('\n'),
  );
});
