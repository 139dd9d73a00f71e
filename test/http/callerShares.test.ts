// Places that callers share: however greedy some of them are, others still get one, and the owner's pages have their own.

import test from 'ava';
import fc from 'fast-check';
import { CallerShares } from '../../src/http/callerShares.ts';
import { EXTENSION_ORIGIN, startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';
import { until } from '../helpers/until.ts';

type Caller = Parameters<CallerShares['take']>;

const grant = (id: string): Caller =>
  [{ req: { headers: {} } }, { id, scopes: ['invoice'] }] as unknown as Caller;
const page = [
  { req: { headers: { 'sec-fetch-site': 'same-origin' } } },
  { id: 'owner', scopes: 'all' },
] as unknown as Caller;

function takeAll(shares: CallerShares, caller: Caller): number {
  let taken = 0;
  while (shares.take(...caller) !== undefined) taken += 1;
  return taken;
}

test('a lone caller has a third, callers that come later have fewer, and each of the first five has some', (t) => {
  const shares = new CallerShares(48, 16);
  t.deepEqual(
    ['one', 'two', 'three', 'four', 'five'].map((id) => takeAll(shares, grant(id))),
    [16, 11, 7, 5, 3],
  );
  t.is(takeAll(shares, page), 16);
});

test('whatever callers take and give back, the pages find their places, and a caller that holds nothing one of the free', (t) => {
  const step = fc.record({ caller: fc.integer({ min: 0, max: 6 }), isTaking: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const shares = new CallerShares(24, 8);
      const held = Array.from({ length: 7 }, (): (() => void)[] => []);
      for (const { caller, isTaking } of steps) {
        const own = held[caller] ?? [];
        const free = 24 - held.reduce((sum, { length }) => sum + length, 0);
        if (!isTaking) own.pop()?.();
        else {
          const giveBack = shares.take(...grant(`${caller}`));
          t.is(giveBack !== undefined, own.length < free / 2);
          if (giveBack !== undefined) own.push(giveBack);
        }
      }
      t.is(takeAll(shares, page), 8);
    }),
  );
});

test('callers that wait for a silent server leave places to the owner and to others', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const waiting: (() => void)[] = [];
  front.link.answerWith('lwd.chain_tip', async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return {
      ok: true,
      value: { height: 1, hash: '00'.repeat(32), compact_server_url: '', stored_height: null },
    };
  });
  const look = (headers: Record<string, string> = {}) => front.get('/api/lwd/chain-tip', headers);
  const calls = Array.from({ length: 8 }, () => look());
  await until(() => waiting.length === 8);
  const refused = await look();
  t.is(refused.headers.get('retry-after'), '1');
  await problemOf(t, refused, 'BUSY');
  const others = [
    look({ 'sec-fetch-site': 'same-origin', referer: `${front.url}/` }),
    look({ origin: EXTENSION_ORIGIN }),
  ];
  await until(() => waiting.length === 10);
  for (const answer of waiting.splice(0)) answer();
  for (const { status } of await Promise.all([...calls, ...others])) t.is(status, 200);
});
