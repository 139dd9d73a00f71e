// An input as a request: members in the path, and the rest in query or body.

import test from 'ava';
import { CompanionError } from '../../../src/contract/errors.ts';
import { filledPath, pathMembers, requestTo } from '../../../src/contract/httpRequest.ts';

const ROUTE = '/api/things/{thing_id}/part';

test('members are what stands in braces', (t) => {
  t.deepEqual(pathMembers(ROUTE), ['thing_id']);
  t.deepEqual(pathMembers('/api/{a}/{b}'), ['a', 'b']);
  t.deepEqual(pathMembers('/api/things'), []);
});

test('a path is filled, and what is in it is left out of the rest', (t) => {
  t.deepEqual(filledPath(ROUTE, { thing_id: 7, b: 1 }), { path: '/api/things/7/part', rest: { b: 1 } });
  t.deepEqual(filledPath('/api/things', { b: null }), { path: '/api/things', rest: { b: null } });
  t.is(filledPath(ROUTE, { thing_id: '\u200b 7\n' }).path, '/api/things/7/part');
  t.is(filledPath(ROUTE, { thing_id: 'a/b?c#d e' }).path, '/api/things/a%2Fb%3Fc%23d%20e/part');
});

for (const thing of [undefined, null, '', '.', '..']) {
  test(`a request with ${JSON.stringify(thing)} in its path would be another request`, (t) => {
    const error = t.throws(() => filledPath(ROUTE, { thing_id: thing }), { instanceOf: CompanionError });
    t.is((error as CompanionError).code, 'INVALID_REQUEST');
    t.deepEqual(
      (error as CompanionError).toRecord().errors?.map(({ path }) => path),
      ['thing_id'],
    );
  });
}

test('what every URL parser does to dots changes no path that was filled', (t) => {
  for (const thing of ['...', '.a', '%2e', '%2e%2e', '..%2f'])
    t.is(
      new URL(`http://h${filledPath(ROUTE, { thing_id: thing }).path}`).pathname.split('/').length,
      5,
      thing,
    );
});

test('a GET has the rest in its query, a POST in its body', (t) => {
  t.deepEqual(requestTo('GET', ROUTE, { thing_id: '5', a: 'x y', b: null, c: undefined }), {
    target: '/api/things/5/part?a=x+y',
    body: undefined,
  });
  t.deepEqual(requestTo('GET', ROUTE, { thing_id: '5' }), { target: '/api/things/5/part', body: undefined });
  t.deepEqual(requestTo('POST', ROUTE, { thing_id: '5', a: null }), {
    target: '/api/things/5/part',
    body: '{"a":null}',
  });
});
