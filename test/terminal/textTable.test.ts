// Tables and grids cell by cell: what is cut first, and what a table does that lacks cells or columns.
import test from 'ava';
import { numberedGrid, tableLines } from '../../src/terminal/textTable.ts';

test('the widest text is cut, a number never, and what still does not fit is no table', (t) => {
  const columns = [
    { title: 'name', cells: ['a'.repeat(12)], mayBeCut: true },
    { title: 'memo', cells: ['b'.repeat(14)], mayBeCut: true },
    { title: 'value', cells: ['123456789012'], mayBeCut: false },
  ];
  const row = (width: number) => tableLines(columns, width)?.[1];
  t.is(row(42), `${'a'.repeat(12)}  ${'b'.repeat(14)}  123456789012`);
  t.is(row(40), `${'a'.repeat(12)}  ${'b'.repeat(9)}...  123456789012`);
  t.is(row(34), `${'a'.repeat(6)}...  ${'b'.repeat(6)}...  123456789012`);
  t.is(row(33), undefined);
});

test('a column with fewer cells has blanks, and no columns are an empty line', (t) => {
  const columns = [
    { title: 'a', cells: ['1', '2'], mayBeCut: false },
    { title: 'b', cells: ['3'], mayBeCut: false },
  ];
  t.deepEqual(tableLines(columns, 80), ['a  b', '1  3', '2   ']);
  t.deepEqual(tableLines([], 80), ['']);
});

test('words of a number that no columns divide fill their lines', (t) => {
  const words = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  t.deepEqual(numberedGrid(words, 80, 4), ['1 a  2 b  3 c  4 d', '5 e  6 f  7 g']);
  t.deepEqual(numberedGrid(words.slice(0, 6), 80, 4), ['1 a  2 b  3 c', '4 d  5 e  6 f']);
});
