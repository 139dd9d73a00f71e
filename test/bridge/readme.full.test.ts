// The README of the bridge's package: its example runs as it stands, but for the port, against a companion with a wallet.

import test from 'ava';
import { startDevnetService } from '../helpers/devnetService.ts';
import { exampleOf, runsAsShown } from '../helpers/readmeExample.ts';

const ROOT = 'packages/bridge';

test('the example prints what is shown', async (t) => {
  const { code, shown } = exampleOf(ROOT);
  const { service } = await startDevnetService(t, { seed: 'bridge' });
  await service.post('/api/wallet/create', { password: 'correct horse battery', birthday_height: 1 });
  const example = code.replace('http://127.0.0.1:3000', service.url);
  t.not(example, code);
  await runsAsShown(t, ROOT, { code: example, shown });
});
