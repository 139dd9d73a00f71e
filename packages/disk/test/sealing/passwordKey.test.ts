import { randomBytes } from 'node:crypto';
import test from 'ava';
import { DEFAULT_KDF, derivePasswordKey, KDF_SALT_SIZE } from '../../src/disk/sealing/passwordKey.ts';

const PASSWORD = new TextEncoder().encode('correct horse battery staple');

/**
 * Turns of the event loop until the key is there. Derived on the loop itself, it would be there after the first one.
 */
async function turnsWhileDeriving(): Promise<number> {
  let done = false;
  const derivation = derivePasswordKey(PASSWORD, randomBytes(KDF_SALT_SIZE), DEFAULT_KDF).finally(() => {
    done = true;
  });
  let turns = 0;
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  await derivation;
  return turns;
}

test('with the real parameters the event loop turns on while the key is derived', async (t) => {
  // On a busy machine this thread may not run at all while the other one derives: one of several tries is enough.
  for (let i = 0; i < 10; i++) {
    const turns = await turnsWhileDeriving();
    if (turns > 2) {
      t.pass();
      return;
    }
  }
  t.fail('the key is derived on the event loop');
});
