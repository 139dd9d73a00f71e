import test from 'ava';
import { periodOfDate } from '../../../../src/actors/wallet/books/instant.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';

const lastSecondOf = (text: string) => periodOfDate(text).to;
const seconds = (text: string): number => Date.parse(text) / 1000;

test('a day means its last second, in UTC', (t) => {
  t.is(lastSecondOf('2025-12-31'), seconds('2025-12-31T23:59:59Z'));
  t.is(lastSecondOf('2024-02-29'), seconds('2024-02-29T23:59:59Z'));
});

test('an instant is what it says, in its zone', (t) => {
  t.is(lastSecondOf('2026-01-01T00:00:00Z'), seconds('2026-01-01T00:00:00Z'));
  t.is(lastSecondOf('2026-01-01t00:00:00.999z'), seconds('2026-01-01T00:00:00Z'));
  t.is(lastSecondOf('2026-01-01T00:00:00+01:30'), seconds('2025-12-31T22:30:00Z'));
  t.is(lastSecondOf('2026-01-01T00:00:00-01:30'), seconds('2026-01-01T01:30:00Z'));
});

test('what is no day or no time is refused', (t) => {
  for (const text of [
    '2025-02-29',
    '2025-13-01',
    '2025-00-10',
    '2025-04-31',
    '1969-12-31',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+00:60',
    '0000-01-01',
    '2026-1-1',
    'yesterday',
  ]) {
    const error = t.throws(() => lastSecondOf(text), { instanceOf: CompanionError }, text);
    t.is(error?.code, 'INVALID_REQUEST', text);
  }
});
