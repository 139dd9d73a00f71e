// Calls as the bytes of JSON texts: what is taken for one, and the way to a link with and without such calls.
import test from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';
import { encodeJson, jsonLink, parseJsonBody } from '../../src/protocol/jsonCalls.ts';
import type { JsonLink, Link } from '../../src/protocol/link.ts';
import { failure, ok } from '../../src/protocol/result.ts';
import { answerJson } from '../../src/workers/jsonMessages.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const context = { requestId: 'r' };

test('a body is an object or an array; none is an empty object', (t) => {
  t.deepEqual(parseJsonBody(bytes(' \t\r\n{"a":1}')), { a: 1 });
  t.deepEqual(parseJsonBody(bytes('[1]')), [1]);
  t.deepEqual(parseJsonBody(new Uint8Array(0)), {});
});

for (const body of [
  '"text"',
  '7',
  'null',
  '{"password":"hunter2"',
  '{"password":"hunter2"}}',
  ' ',
  '\u00a0{}',
]) {
  test(`${JSON.stringify(body)} is refused, and not quoted`, (t) => {
    const error = t.throws<CompanionError>(() => parseJsonBody(bytes(body)), { instanceOf: CompanionError });
    t.is(error?.code, 'INVALID_REQUEST');
    t.false(JSON.stringify(error?.toRecord()).includes('hunter2'));
    t.is(error?.cause, undefined);
  });
}

test('the way of the link itself is taken where it has one', async (t) => {
  const link: Pick<Link, 'dispatch'> & JsonLink = {
    dispatch: async () => t.fail() as never,
    async dispatchJson(name, body) {
      t.is(this, link);
      t.is(name, 'wallet.unlock');
      return ok(body);
    },
  };
  const given = bytes('{}');
  t.deepEqual(await jsonLink(link).dispatchJson('wallet.unlock', given, context), ok(given));
});

test('a link without one is asked with the parsed input, and answers as bytes', async (t) => {
  const asked: unknown[] = [];
  const link: Pick<Link, 'dispatch'> = {
    dispatch: async (...words) => {
      asked.push(words);
      return ok({ unlocked: true }) as never;
    },
  };
  const answer = await jsonLink(link).dispatchJson('wallet.unlock', bytes('{"password":"p"}'), context);
  t.deepEqual(asked, [['wallet.unlock', { password: 'p' }, context]]);
  t.deepEqual(answer, ok(encodeJson({ unlocked: true })));
});

test('a failure passes as it is', async (t) => {
  const refusal = failure(new CompanionError('WALLET_LOCKED', 'locked'));
  const link = jsonLink({ dispatch: async () => refusal as never });
  t.deepEqual(await link.dispatchJson('wallet.lock', bytes('{}'), context), refusal);
});

test('what stood in the path is added to the body where it is read, once', async (t) => {
  const asked: unknown[] = [];
  const dispatch = async (...words: unknown[]) => {
    asked.push(words);
    return ok({}) as never;
  };
  const inPath = { payment_id: '5f'.repeat(16) };
  const call = (body: string) =>
    jsonLink({ dispatch }).dispatchJson('payments.discard', bytes(body), { ...context, inPath });
  await call('{"password":"p"}');
  t.deepEqual(asked, [['payments.discard', { ...inPath, password: 'p' }, context]]);
  const twice = await t.throwsAsync(call(JSON.stringify(inPath)), { instanceOf: CompanionError });
  t.is((twice as CompanionError).code, 'INVALID_REQUEST');
  t.is(asked.length, 1);
});

test('so it is between threads, where a body that has it as well is refused and wiped', async (t) => {
  const asked: unknown[] = [];
  const dispatch = async (message: unknown) => {
    asked.push(message);
    return {};
  };
  const inPath = { payment_id: '5f' };
  const json = bytes('{"a":1}');
  t.deepEqual(await answerJson({ name: 'n', json, inPath }, dispatch), encodeJson({}));
  t.deepEqual(asked, [{ name: 'n', input: { a: 1, payment_id: '5f' } }]);
  const twice = bytes('{"payment_id":"5e"}');
  await t.throwsAsync(answerJson({ name: 'n', json: twice, inPath }, dispatch), { code: 'INVALID_REQUEST' });
  t.true(twice.every((byte) => byte === 0));
  t.is(asked.length, 1);
});
