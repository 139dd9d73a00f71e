// The READMEs of the packages whose examples need no companion: each runs as it stands and prints what it shows.

import test from 'ava';
import { exampleOf, runsAsShown } from './helpers/readmeExample.ts';

for (const name of ['chain', 'devices', 'devnet', 'disk'])
  test(`the example of ${name} prints what is shown`, async (t) => {
    const root = `packages/${name}`;
    const example = exampleOf(root);
    t.not(example.code, '');
    await runsAsShown(t, root, example);
  });

test('the devnet takes ten lines', (t) => {
  const { code } = exampleOf('packages/devnet');
  t.true(code.split('\n').filter((line) => line !== '').length <= 10);
});
