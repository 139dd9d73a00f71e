// A scan of the main chain begins years below NU5, where no payment can be made yet: each operation answers there, too.

import test from 'ava';
import { CompanionError } from '../../../src/protocol/errors.ts';
import { type OperationName, operations } from '../../../src/protocol/operations.ts';
import { companionWorld } from '../../helpers/companionWorld.ts';
import { leastInput } from '../../helpers/grantedInput.ts';

test('every operation that only reads answers at a height below NU5, or names what is wrong', async (t) => {
  const { devnet, wallet, address } = await companionWorld(t, { activation: { nu5: 40 } });
  devnet.payTo(address, { pool: 'sapling', zatoshi: 700_000n });
  devnet.mineEmpty(20);
  await wallet.call('sync.run');
  const answered: string[] = [];
  for (const [name, { actor, reach }] of Object.entries(operations)) {
    if (actor !== 'wallet' || !(reach as readonly string[]).includes('read')) continue;
    try {
      await wallet.call(name as OperationName, leastInput(name as OperationName));
      answered.push(name);
    } catch (error) {
      t.not((error as CompanionError).code, 'INTERNAL', name);
      t.true(error instanceof CompanionError, name);
    }
  }
  for (const name of ['balance.get', 'notes.list', 'statement.get', 'changes.list', 'wallet.status'])
    t.true(answered.includes(name), `${name} of ${answered.join()}`);
});
