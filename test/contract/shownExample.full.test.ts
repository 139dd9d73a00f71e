// A client author copies the sample requests of the documentation: what the schema cannot say, that two fields do not go
// together, is said by the wallet actor, so the samples are sent to it.

import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { shownInput } from '../../scripts/generate/shownExample.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { type OperationName, operationNames } from '../../src/protocol/operations.ts';
import { startWallet } from '../helpers/walletHarness.ts';

/** Too long to be shown whole, so the sample has something in their place. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['address', 'uri', 'viewing_key']);

const MAKES_A_WALLET: ReadonlySet<OperationName> = new Set([
  'wallet.create',
  'wallet.restore',
  'wallet.import_viewing_key',
]);

const offline = (): never => {
  throw new CompanionError('NODE_UNREACHABLE', 'No node here.');
};

for (const name of operationNames) {
  test(`${name}: the sample that is shown goes with itself, as the wallet actor sees it`, async (t) => {
    const wallet = await startWallet(t, { openNode: offline, openCompact: offline });
    t.teardown(() => wallet.stop());
    if (!MAKES_A_WALLET.has(name)) await wallet.call('wallet.restore', shownInput('wallet.restore'));
    const result = await wallet.link.dispatch(name, shownInput(name) as never, { requestId: 'sample' });
    const refused = !result.ok && result.error.code === 'INVALID_REQUEST' ? result.error : undefined;
    const paths = refused?.errors?.map(({ path }) => path) ?? [];
    t.true(refused === undefined || paths.length > 0, refused?.detail);
    t.deepEqual(
      paths.filter((path) => !PLACEHOLDERS.has(path)),
      [],
      refused?.detail,
    );
  });
}

test('with the fields that are not shown these are refused, so the checks are there to be met', async (t) => {
  const refused: string[] = [];
  for (const name of operationNames) {
    if (examples[name].unshown === undefined) continue;
    const wallet = await startWallet(t, { openNode: offline, openCompact: offline });
    t.teardown(() => wallet.stop());
    if (!MAKES_A_WALLET.has(name)) await wallet.call('wallet.restore', shownInput('wallet.restore'));
    const result = await wallet.link.dispatch(name, examples[name].input as never, { requestId: 'sample' });
    if (!result.ok && result.error.code === 'INVALID_REQUEST') refused.push(name);
  }
  t.deepEqual(refused, [
    'wallet.restore',
    'wallet.device',
    'accounts.create',
    'accounts.import_viewing_key',
    'notes.list',
    'transactions.list',
    'changes.list',
    'transactions.export',
    'balance.at',
    'statement.get',
    'statement.gains',
    'payment_uri.create',
    'payment_uri.qr',
    'invoices.create',
    'invoices.list',
    'payments.pay',
    'payments.prepare',
    'payments.shield',
    'payments.list',
    'receipts.verify',
    'sync.run',
    'sync.estimate',
  ]);
});

test('the birthday that the sample of a restore answers with is the one it asks for', async (t) => {
  const wallet = await startWallet(t);
  t.teardown(() => wallet.stop());
  const { birthday_height: height } = await wallet.call('wallet.restore', shownInput('wallet.restore'));
  t.is(height, examples['wallet.restore'].output.birthday_height);
});
