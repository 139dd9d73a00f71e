import test from 'ava';
import fc from 'fast-check';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import { eventWithTexts, takeTexts, withTexts } from '../../src/protocol/eventTexts.ts';

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
      const { event: without, texts: taken } = takeTexts(given);
      t.deepEqual(without, { event, data: place } as CompanionEvent);
      t.is(taken?.byteLength, taken?.buffer.byteLength);
      const bytes = withTexts(`before ${JSON.stringify(without.data)}${end}`, end, taken!);
      const text = new TextDecoder().decode(bytes);
      t.true(text.startsWith('before {') && text.endsWith(`}${end}`));
      t.deepEqual(JSON.parse(text.slice('before '.length, text.length - end.length)), given.data);
    }),
  );
});

test('what a shop wrote into an invoice is taken out of its event, whatever it is, and written back', (t) => {
  const texts = fc.record({
    reference: fc.option(fc.string({ unit: 'binary' })),
    label: fc.option(fc.string()),
    memo: fc.option(fc.string()),
    metadata: fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
    uri: fc.string(),
  });
  fc.assert(
    fc.property(texts, ends, (written, end) => {
      const rest = { invoice_id: 'a', sequence: 3 };
      const { event, texts: taken } = takeTexts({
        event: 'invoice.changed',
        data: { ...rest, ...written },
      } as never);
      t.deepEqual(event.data as object, rest);
      const text = new TextDecoder().decode(withTexts(`${JSON.stringify(event.data)}${end}`, end, taken!));
      const whole = JSON.parse(JSON.stringify({ ...rest, ...written })) as object;
      t.deepEqual(JSON.parse(text.slice(0, text.length - end.length)), whole);
      t.deepEqual(eventWithTexts(event, taken).data as object, whole);
    }),
  );
});

test('an event without a memo stays as it is', (t) => {
  const unknown: CompanionEvent = { event: 'note.received', data: place };
  t.deepEqual(takeTexts(unknown), { event: unknown });
  const reorg: CompanionEvent = { event: 'reorg', data: { fork_height: 5, depth: 2 } };
  t.deepEqual(takeTexts(reorg), { event: reorg });
});
