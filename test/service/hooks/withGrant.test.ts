// A hook with a grant: it hears what the grant may hear, looked at before each delivery, until the grant ends.

import test from 'ava';
import { mayDeliver } from '../../../src/protocol/events.ts';
import { type Permit, SCOPES } from '../../../src/protocol/grants.ts';
import type { HookSetting } from '../../../src/protocol/hookEvents.ts';
import { grantBed } from '../../helpers/grantBed.ts';
import { Bench, settled } from './support.ts';

const HOOK: HookSetting = {
  name: 'till',
  grant: 'till',
  events: ['change', 'wallet.unlocked', 'wallet.locked', 'server.changed', 'sync.failed', 'reorg'],
  command: ['/bin/true'],
};
const OPEN: HookSetting = { ...HOOK, name: 'open', grant: undefined };

test('what the grant may not hear is not delivered, and holds nothing up', async (t) => {
  const { book, access } = grantBed(t.title);
  const wanted = {
    name: 'till',
    scopes: ['sync'],
    wallets: ['default'],
    expiresAt: null,
    limits: {},
  } as const;
  const { token } = await book.create(wanted);
  const bench = new Bench([HOOK, OPEN]);
  bench.make('savings');
  bench.mayHear = (name, { event, wallet, data }) => {
    t.is(name, 'till');
    const permit = access.permitOf({ token });
    return mayDeliver(permit, event, data, wallet);
  };
  bench.start();
  bench.unlock('savings');
  await settled();
  bench.write('received');
  bench.writeIn('savings', 'received');
  bench.emit({ event: 'server.changed', data: { server: 'node', state: 'up', code: null } });
  await settled();
  const events = bench.arrived.map(({ event, wallet }) => `${wallet ?? 'default'} ${event}`);
  // Both hooks hear of the server; of changes and of the other wallet the one without a grant alone.
  t.is(events.filter((event) => event === 'default server.changed').length, 2);
  t.is(events.filter((event) => event === 'default change.received').length, 1);
  t.is(events.filter((event) => event === 'savings change.received').length, 1);
  t.is(events.filter((event) => event === 'savings wallet.unlocked').length, 1);
  t.deepEqual(
    bench.views.map(({ failures, queued }) => failures + queued),
    [0, 0, 0, 0],
    'what is left out counts as delivered',
  );
  await book.revoke('till');
  const before = bench.arrived.length;
  bench.emit({ event: 'server.changed', data: { server: 'node', state: 'lost', code: 'NODE_UNREACHABLE' } });
  await settled();
  t.is(bench.arrived.length, before + 1);
});

test('each scope hears its events under the names that hooks have for them', (t) => {
  const permit = (scope: (typeof SCOPES)[number]): Permit => ({
    id: 'own',
    name: 'own',
    scopes: [scope],
    wallets: ['*'],
    limits: {},
  });
  const hears = (scope: (typeof SCOPES)[number], event: string, data: object = {}) =>
    mayDeliver(permit(scope), event, data);
  for (const change of ['change.received', 'change.memo', 'change.spent', 'change.unreceived'])
    t.deepEqual(
      SCOPES.filter((scope) => hears(scope, change)),
      ['read', 'admin'],
      change,
    );
  t.deepEqual(
    SCOPES.filter((scope) => hears(scope, 'sync.failed')),
    ['read', 'sync', 'admin'],
  );
  t.deepEqual(
    SCOPES.filter((scope) => hears(scope, 'payment.changed')),
    ['read', 'prepare', 'send', 'admin'],
  );
  t.deepEqual(
    SCOPES.filter((scope) => hears(scope, 'hook.started')),
    [...SCOPES],
  );
  const limited = { ...permit('send'), limits: { day_zatoshi: 5 } };
  t.true(mayDeliver(limited, 'payment.changed', { grant_id: 'own' }));
  t.false(mayDeliver(limited, 'payment.changed', { grant_id: null }));
  t.true(hears('invoice', 'invoice.changed', { grant_id: 'own' }));
  t.false(hears('invoice', 'invoice.changed', { grant_id: 'another' }));
  t.false(hears('invoice', 'invoice.changed', { grant_id: null }));
  t.true(hears('read', 'invoice.changed', { grant_id: null }));
  t.false(hears('admin', 'of.tomorrow'), 'what nobody knows is delivered to no grant');
});
