// Another wallet than the default one, named through every surface: each operation that a wallet has goes to that wallet,
// with its input and its answer, and what is no name goes nowhere.

import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { isOfWallet, operationNames } from '../../src/protocol/operations.ts';
import { FakeLink } from '../helpers/fakeLink.ts';
import { DEFAULT_WALLET_ONLY, surfaces } from './surfaces.ts';

const ofWallets = operationNames.filter(isOfWallet);

test('the operations of a wallet are those of the wallet actor, but what is of the companion as a whole', (t) => {
  t.true(ofWallets.includes('balance.get') && ofWallets.includes('follow.set'));
  for (const name of [
    'config.theme',
    'config.node_url',
    'pairing.allow',
    'system.version',
    'lwd.info',
  ] as const)
    t.false(isOfWallet(name), name);
});

for (const kind of surfaces.filter((one) => !DEFAULT_WALLET_ONLY.includes(one))) {
  if (kind.missing !== undefined) {
    test.skip(`${kind.name} (skipped: ${kind.missing})`, () => {});
    continue;
  }

  test(`${kind.name}: every operation of a wallet reaches the one that is named`, async (t) => {
    const link = new FakeLink();
    const surface = await kind.open(t, link, 'savings');
    for (const name of ofWallets) {
      const { input, output } = examples[name];
      link.calls.length = 0;
      t.deepEqual(await surface.call(name, input), { ok: true, value: output }, name);
      t.deepEqual(
        link.calls.map((call) => [call.name, call.input, call.context.wallet]),
        [[name, input, 'savings']],
      );
    }
  });

  test(`${kind.name}: the default wallet may be named, and is not reported as another one`, async (t) => {
    const link = new FakeLink();
    const surface = await kind.open(t, link, 'default');
    t.true((await surface.call('balance.get', {})).ok);
    t.true([undefined, 'default'].includes(link.calls[0]?.context.wallet));
  });

  for (const wallet of ['Savings', 'a/b', 'con', `a${'b'.repeat(32)}`]) {
    if (kind.name === 'HTTP' && wallet.includes('/')) continue;
    if (kind.name === 'in-process IPC') continue;

    test(`${kind.name}: "${wallet}" is no name`, async (t) => {
      const link = new FakeLink();
      const call = async () => (await kind.open(t, link, wallet)).call('balance.get', {});
      const outcome = await call().catch((error: { readonly code?: string }) => ({ thrown: error.code }));
      const code = 'thrown' in outcome ? outcome.thrown : outcome.ok ? 'OK' : outcome.problem.code;
      t.is(code, 'INVALID_REQUEST');
      t.is(link.calls.length, 0);
    });
  }
}
