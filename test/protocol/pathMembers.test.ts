// Members of an input that stand in a path: taken from it, filled into it, and never given twice.

import test from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';
import { requestTo } from '../../src/protocol/httpRequest.ts';
import { filledPath, membersIn, pathMembers, withPathMembers } from '../../src/protocol/pathMembers.ts';

const ROUTE = '/api/things/{thing_id}/part';

test('members are what stands in braces', (t) => {
  t.deepEqual(pathMembers(ROUTE), ['thing_id']);
  t.deepEqual(pathMembers('/api/{a}/{b}'), ['a', 'b']);
  t.deepEqual(pathMembers('/api/things'), []);
});

test('a path of the form has its members as they are spelt', (t) => {
  t.deepEqual(membersIn(ROUTE, '/api/things/5/part'), { thing_id: '5' });
  t.deepEqual(membersIn(ROUTE, '/api/things/a%2Fb/part'), { thing_id: 'a%2Fb' });
  t.deepEqual(membersIn(ROUTE, '/api/things/{thing_id}/part'), { thing_id: '{thing_id}' });
  for (const path of [
    '/api/things//part',
    '/api/things/5',
    '/api/things/5/part/',
    '/api/things/5/6/part',
    '/api/thing/5/part',
    '/api/things/5/Part',
  ])
    t.is(membersIn(ROUTE, path), undefined, path);
});

test('a path is filled, and what is in it is left out of the rest', (t) => {
  t.deepEqual(filledPath(ROUTE, { thing_id: 7, b: 1 }), { path: '/api/things/7/part', rest: { b: 1 } });
  t.deepEqual(filledPath('/api/things', { b: null }), { path: '/api/things', rest: { b: null } });
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

test('the path adds to a body, and one of both has each member', (t) => {
  t.deepEqual(withPathMembers({ a: 1 }, { thing_id: '5' }), { a: 1, thing_id: '5' });
  // Null counts as absent, here as everywhere.
  t.deepEqual(withPathMembers({ thing_id: null }, { thing_id: '5' }), { thing_id: '5' });
  const error = t.throws(() => withPathMembers({ thing_id: '5' }, { thing_id: '5' }), {
    instanceOf: CompanionError,
  });
  t.deepEqual((error as CompanionError).toRecord().errors, [
    { path: 'thing_id', message: 'is in the path already' },
  ]);
  // Refused for what they are, where inputs are looked at.
  t.deepEqual(withPathMembers([1], { thing_id: '5' }), [1]);
  t.deepEqual(withPathMembers({ a: 1 }, undefined), { a: 1 });
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
