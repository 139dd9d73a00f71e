// Members of an input that a server reads from the path, which are never given twice.

import test from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';
import { withPathMembers } from '../../src/protocol/jsonCalls.ts';

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
