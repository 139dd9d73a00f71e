import test from 'ava';
import { lastBlockOf } from '../../src/chain/source/serverChecks.ts';

test('the last block of a release is known by its version alone', (t) => {
  const written = ['/Zebra:7.0.0/', '/zebrad:7.0.0/', 'Zebra v7.0.0', '/Zakura:1.7.0/'];
  t.deepEqual(written.map(lastBlockOf), [3_684_728, 3_684_728, 3_684_728, 3_640_098]);
  for (const other of [
    '',
    '/Zebra:7.0.1/',
    '/Zebra:7.0.0-rc.1/',
    '/Zebra:17.0.0/',
    '/MagicBean:6.3.0/',
    '/Devnet/',
  ])
    t.is(lastBlockOf(other), undefined, other);
});
