// When a wallet's own scan workers are started.
import test from 'ava';
import { WalletPools } from '../../src/workers/walletPools.ts';
import { emptyPool } from '../helpers/emptyPool.ts';

function pools(isLazy: boolean) {
  let opened = 0;
  const openOwn = () => {
    opened += 1;
    return emptyPool()();
  };
  return {
    pools: new WalletPools({ threads: 1, openOwn, isLazy, report: () => undefined }),
    opened: () => opened,
  };
}

test('a session of a service has its workers at once', async (t) => {
  const { pools: own, opened } = pools(false);
  const pool = own.open();
  t.is(opened(), 1);
  await pool.close();
});

test('one of a single command has none until it scans', async (t) => {
  const { pools: own, opened } = pools(true);
  const pool = own.open();
  t.is(opened(), 0);
  await pool.combine('sapling', 0, new Uint8Array(64)).catch(() => undefined);
  t.is(opened(), 1);
  await pool.close();
});

test('one of a single command that scans nothing has none at its end either', async (t) => {
  const { pools: own, opened } = pools(true);
  await own.open().close();
  t.is(opened(), 0);
});
