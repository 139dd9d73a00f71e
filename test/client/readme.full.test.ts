// The README of the client's package: its example runs as it stands, but for the port, against a companion with a wallet on
// a chain of its own.

import test from 'ava';
import { startDevnetService } from '../helpers/devnetService.ts';
import { exampleOf, runsAsShown } from '../helpers/readmeExample.ts';

const ROOT = 'packages/client';

test('the example prints what is shown', async (t) => {
  const { code, shown } = exampleOf(ROOT);
  const { devnet, service } = await startDevnetService(t, { seed: 'client' });
  await service.post('/api/wallet/create', { password: 'correct horse battery', birthday_height: 1 });
  const { body } = await service.get<{ unified_address: string }>('/api/address');
  devnet.payTo(body.unified_address, { pool: 'sapling', zatoshi: 777_000 });
  await service.post('/api/wallet/lock', {});

  const example = code.replace('http://127.0.0.1:3000', service.url);
  t.not(example, code);
  await runsAsShown(t, ROOT, { code: example, shown });
});
