// The list of public servers: nobody is asked before the request, and each one that fails stays, with why.

import type { CompactUpstream } from '@wallet-companion/chain/compact';
import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import test from 'ava';
import { publicServers } from '../../../src/actors/chain/lwd/publicServers.ts';
import { CompanionError } from '../../../src/protocol/errors.ts';

const HASH = asBlockHash(new Uint8Array(32));
const listed = (host: string) =>
  ({ compact_server_url: `https://${host}`, operator: host, where: '', network: 'main' }) as const;

test('the built-in list has at most ten servers, each of one network, over TLS and once', async (t) => {
  const urls = new Set<string>();
  for (const network of ['main', 'test', 'regtest'] as const) {
    const { servers, list_date } = await publicServers(network, null, undefined);
    t.regex(list_date ?? '', /^\d{4}-\d\d-\d\d$/);
    for (const { compact_server_url: url, tried, operator } of servers) {
      t.regex(url, /^https:\/\/[a-z0-9.-]+:443$/);
      t.not(operator, '');
      t.is(tried, null);
      t.false(urls.has(url));
      urls.add(url);
    }
    t.is(servers.length === 0, network === 'regtest');
  }
  t.true(urls.size <= 10);
});

test('each is tried at the same time: up, behind the highest, failed with its code, or too slow', async (t) => {
  const tips: Readonly<Record<string, () => Promise<unknown>>> = {
    'https://good': async () => ({ height: 3_600_000, hash: HASH }),
    'https://close': async () => ({ height: 3_599_700, hash: HASH }),
    'https://old': async () => ({ height: 3_599_699, hash: HASH }),
    'https://other': () =>
      Promise.reject(new CompanionError('NETWORK_MISMATCH', 'It is of another network.')),
    'https://slow': () => new Promise(() => undefined),
  };
  let closed = 0;
  const open = (url: string): CompactUpstream => {
    const tip = tips[url];
    if (tip === undefined) throw new CompanionError('INVALID_URL', 'That is no address.');
    const close = (): void => {
      closed += 1;
    };
    return { tip, close } as unknown as CompactUpstream;
  };
  const waits: (() => void)[] = [];
  const after = (_ms: number, callback: () => void) => {
    waits.push(callback);
    return () => undefined;
  };
  const hosts = ['good', 'close', 'old', 'other', 'slow', 'wrong'];
  const ending = publicServers('main', [...hosts.map(listed), { ...listed('test'), network: 'test' }], {
    open,
    now: () => 5,
    after,
  });
  t.is(waits.length, 5);
  for (const expire of waits) setImmediate(expire);
  const { servers, list_date } = await ending;
  t.is(list_date, null);
  t.deepEqual(
    servers.map(({ operator, tried }) => [operator, tried?.state, tried?.height, tried?.code]),
    [
      ['good', 'up', 3_600_000, null],
      ['close', 'up', 3_599_700, null],
      ['old', 'behind', 3_599_699, null],
      ['other', 'failed', null, 'NETWORK_MISMATCH'],
      ['slow', 'failed', null, 'UPSTREAM_TIMEOUT'],
      ['wrong', 'failed', null, 'INVALID_URL'],
    ],
  );
  t.is(closed, 5);
});
