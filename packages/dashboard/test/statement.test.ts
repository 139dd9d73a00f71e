// What a statement asks for, and what its list says.

import type { Client } from '@wallet-companion/client';
import test from 'ava';
import { periodOf, type Row, readExport, whatOf, yearsOf } from '../src/model/statement.ts';

test('a period is a year, a month with its own last day, or everything', (t) => {
  t.deepEqual(periodOf('', '3'), {});
  t.deepEqual(periodOf('2026', ''), { year: 2026 });
  t.deepEqual(periodOf('2026', '4'), { from: '2026-04-01', to: '2026-04-30' });
  t.deepEqual(periodOf('2026', '12'), { from: '2026-12-01', to: '2026-12-31' });
  t.deepEqual(periodOf('2024', '2'), { from: '2024-02-01', to: '2024-02-29' });
});

test('the years begin with the newest, and end with the first transaction or with Sapling', (t) => {
  const now = Date.UTC(2026, 5, 1);
  t.deepEqual(yearsOf('2025-06-03T00:00:00Z', now), [2026, 2025]);
  t.is(yearsOf(undefined, now).at(-1), 2018);
  t.deepEqual(yearsOf('2027-06-01T00:00:00Z', now), [2026]);
});

test('every page of the list is read', async (t) => {
  const call = (async (_name: string, { cursor }: { cursor?: string }) => ({
    rows: [{ height: Number(cursor ?? 0) }],
    text: cursor ?? 'head',
    next_cursor: cursor === '2' ? null : String(Number(cursor ?? 0) + 1),
  })) as unknown as Client['call'];
  const { rows, text } = await readExport(call, {}, 'json');
  t.deepEqual(
    rows.map(({ height }) => height),
    [0, 1, 2],
  );
  t.is(text, 'head12');
});

test('a row names who paid or was paid, and what for', (t) => {
  const row = {
    counterparties: ['Bakery'],
    labels: ['Shop'],
    references: ['1042'],
    refunds: [],
    memos: [{ text: 'thanks' }, { hex: 'ff' }],
  } as unknown as Row;
  t.is(whatOf(row), 'Bakery · Shop · 1042 · thanks');
});
