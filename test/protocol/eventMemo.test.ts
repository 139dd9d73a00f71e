import test from 'ava';
import fc from 'fast-check';
import { takeMemo, textWithMemo } from '../../src/protocol/eventMemo.ts';
import type { CompanionEvent } from '../../src/protocol/events.ts';

const place = { account: 0, pool: 'ironwood', height: 5, txid: 'ab'.repeat(32), output_index: 1 } as const;
const memos = fc.oneof(
  fc.constant(null),
  fc.record({ text: fc.string({ unit: 'binary' }) }),
  fc.record({ hex: fc.string() }),
);
const names = fc.constantFrom('note.received' as const, 'note.memo' as const);
const ends = fc.constantFrom('', '\n\n', '}\n');

test('a memo is taken out of its event, and written back where it was', (t) => {
  fc.assert(
    fc.property(names, memos, ends, (event, memo, end) => {
      const given = { event, data: { ...place, memo } } as CompanionEvent;
      const { event: without, memo: taken } = takeMemo(given);
      t.deepEqual(without, { event, data: place } as CompanionEvent);
      t.is(taken?.byteLength, taken?.buffer.byteLength);
      const bytes = textWithMemo(`before ${JSON.stringify(without.data)}${end}`, end, taken!);
      const text = new TextDecoder().decode(bytes);
      t.true(text.startsWith('before {') && text.endsWith(`}${end}`));
      t.deepEqual(JSON.parse(text.slice('before '.length, text.length - end.length)), given.data);
    }),
  );
});

test('an event without a memo stays as it is', (t) => {
  const unknown: CompanionEvent = { event: 'note.received', data: place };
  t.deepEqual(takeMemo(unknown), { event: unknown });
  const reorg: CompanionEvent = { event: 'reorg', data: { fork_height: 5, depth: 2 } };
  t.deepEqual(takeMemo(reorg), { event: reorg });
});
