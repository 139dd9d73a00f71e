import test from 'ava';
import { type EventMessage, EventMessageReader } from '../../../src/contract/eventMessages.ts';

function read(...pieces: string[]): EventMessage[] {
  const reader = new EventMessageReader();
  return pieces.flatMap((piece) => reader.push(piece));
}

const STREAM = 'retry: 2000\n\nid: a.1\nevent: reorg\ndata: {"depth":\ndata: 1}\n\n:\n\nid:b\n\ndata\n\n';
const MESSAGES = [
  { id: undefined, event: 'message', data: undefined },
  { id: 'a.1', event: 'reorg', data: '{"depth":\n1}' },
  { id: 'a.1', event: 'message', data: undefined },
  { id: 'b', event: 'message', data: undefined },
  { id: 'b', event: 'message', data: '' },
];

test('the same messages come out however the text is cut, and whatever ends its lines', (t) => {
  for (const ending of ['\n', '\r\n', '\r']) {
    const text = STREAM.replaceAll('\n', ending);
    t.deepEqual(read(text), MESSAGES, JSON.stringify(ending));
    t.deepEqual(read(...text), MESSAGES, `${JSON.stringify(ending)}, one by one`);
    for (let cut = 0; cut <= text.length; cut++)
      t.deepEqual(read(text.slice(0, cut), '', text.slice(cut)), MESSAGES, `cut at ${cut}`);
  }
});

test('one space after the colon is no part of the value, and unknown fields are ignored', (t) => {
  t.deepEqual(read('data:  x \nother: y\nid: with\0null\n\n'), [
    { id: undefined, event: 'message', data: ' x ' },
  ]);
});

test('the time to wait is taken from digits alone', (t) => {
  const reader = new EventMessageReader();
  reader.push('retry: soon\nretry: -1\nretry: 99999999999\n');
  t.is(reader.retryMs, undefined);
  reader.push('retry: 250\n');
  t.is(reader.retryMs, 250);
});

test('a message without an end is refused before it fills the memory, months of heartbeats are not', (t) => {
  const reader = new EventMessageReader();
  for (let i = 0; i < 3; i++) reader.push(`:${'.'.repeat(1 << 19)}\n`);
  for (let i = 0; i < 3; i++) reader.push(':\n\n');
  reader.push('data: ');
  reader.push('x'.repeat(1 << 19));
  t.throws(() => reader.push('x'.repeat(1 << 19)), { instanceOf: RangeError });
  const lines = new EventMessageReader();
  t.throws(
    () => {
      for (let i = 0; i < 100; i++) lines.push(`data: ${'x'.repeat(20_000)}\n`);
    },
    { instanceOf: RangeError },
  );
});
