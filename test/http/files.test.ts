// Answers that are files: a CSV in as many pages as there are, images, and JSON for whoever asks for it by name.
import { elementsOf, memberOf, stringMember } from '@wallet-companion/base/memory';
import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { examples } from '../../scripts/generate/examples.ts';
import { ok } from '../../src/protocol/result.ts';
import { startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const page = (text: string, next: string | null) => {
  const { rows: _, ...rest } = examples['transactions.export'].output;
  return { ...rest, format: 'csv' as const, next_cursor: next, text };
};
const PATH = '/api/transactions/export?format=csv';

test('a string member is read from JSON as the bytes that it stands for', (t) => {
  const read = (value: unknown, name = 'text'): string | undefined => {
    const found = stringMember(bytes(JSON.stringify(value)), name);
    return found === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(found);
  };
  t.is(read({ text: 'plain' }), 'plain');
  t.is(read({ a: { text: 'inner' }, b: ['text'], c: 'text', text: 'outer' }), 'outer');
  t.is(read({ a: '"text":"no"', text: 'yes' }), 'yes');
  t.is(read({ a: { text: 'inner' } }), undefined);
  t.is(read({ text: null }), undefined);
  t.is(read({ text: 5 }), undefined);
  t.is(read({ text: ['x'] }), undefined);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, before) => {
      t.is(read({ before, nested: { text: before }, text }), text);
      const list = memberOf(bytes(JSON.stringify({ before, list: [before, text], text })), 'list');
      const parts = elementsOf(list!).map((part) => new TextDecoder().decode(part));
      t.deepEqual(parts, [JSON.stringify(before), JSON.stringify(text)]);
    }),
    { numRuns: runs(60, 300) },
  );
});

test('a CSV of many pages comes as one file', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const cursors: unknown[] = [];
  front.link.answerWith('transactions.export', ({ cursor }) => {
    cursors.push(cursor);
    if (cursor === undefined) return ok(page('memo\r\n"é, ""x"""\r\n', 'one'));
    return ok(cursor === 'one' ? page('"\u{1f600}\\n"\r\n', 'two') : page('"end"\r\n', null));
  });
  const response = await front.get(PATH);
  t.is(response.status, 200);
  t.is(await response.text(), 'memo\r\n"é, ""x"""\r\n"\u{1f600}\\n"\r\n"end"\r\n');
  t.deepEqual(cursors, [undefined, 'one', 'two']);
  t.is(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  t.is(response.headers.get('content-disposition'), 'attachment; filename="transactions.csv"');
  t.is(response.headers.get('cache-control'), 'no-store');
  t.is(response.headers.get('x-content-type-options'), 'nosniff');
});

test('one page that was asked for comes alone, with the cursor of the next', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  front.link.answerWith('transactions.export', ({ cursor }) =>
    ok(cursor === 'one' ? page('second\r\n', null) : page('first\r\n', 'one')),
  );
  const first = await front.get(`${PATH}&limit=1`);
  t.is(await first.text(), 'first\r\n');
  t.is(first.headers.get('x-next-cursor'), 'one');
  const second = await front.get(`${PATH}&limit=1&cursor=one`);
  t.is(await second.text(), 'second\r\n');
  t.is(second.headers.get('x-next-cursor'), null);
});

test('a failure before the first byte is a problem; one later breaks the connection', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const locked = { code: 'WALLET_LOCKED', detail: 'The wallet is locked.' } as const;
  front.link.answerWith('transactions.export', ({ cursor }) =>
    cursor === undefined ? ok(page('first\r\n', 'one')) : { ok: false, error: locked },
  );
  await t.throwsAsync(async () => (await front.get(PATH)).text());
  front.link.failWith('transactions.export', locked);
  await problemOf(t, await front.get(PATH), 'WALLET_LOCKED');
});

test('a client that accepts JSON by name gets JSON, and json is JSON for everybody', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const output = page('first\r\n', 'one');
  front.link.answerWith('transactions.export', () => ok(output));
  const response = await front.get(PATH, { accept: 'application/json' });
  t.deepEqual(await response.json(), output);
  t.is(response.headers.get('content-disposition'), null);
  front.link.answerWith('transactions.export', () => ok(examples['transactions.export'].output));
  const json = await front.get('/api/transactions/export?format=json');
  t.deepEqual(await json.json(), examples['transactions.export'].output);
});

test('HEAD of a file has its headers and asks for no further page', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  front.link.answerWith('transactions.export', () => ok(page('first\r\n', 'one')));
  const response = await fetch(front.url + PATH, { method: 'HEAD' });
  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  t.is(front.link.calls.length, 1);
});

test('QR codes come as images', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const { output } = examples['payment_uri.qr'];
  front.link.answerWith('payment_uri.qr', ({ format }) =>
    ok(
      format === 'png'
        ? { ...output, format, image: Buffer.from([0x89, 0x50, 0, 255]).toString('base64') }
        : { ...output, format: 'svg', image: '<svg viewBox="0 0 1 1"/>\n' },
    ),
  );
  const png = await front.post('/api/payment-uri/qr', { format: 'png' });
  t.is(png.headers.get('content-type'), 'image/png');
  t.is(png.headers.get('cache-control'), 'no-store');
  t.deepEqual([...new Uint8Array(await png.arrayBuffer())], [0x89, 0x50, 0, 255]);
  const svg = await front.post('/api/payment-uri/qr', { format: 'svg' });
  t.is(svg.headers.get('content-type'), 'image/svg+xml');
  t.is(await svg.text(), '<svg viewBox="0 0 1 1"/>\n');
});
