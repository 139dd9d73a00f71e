// All memory of the allowance signer's process, after it has signed: no password and no phrase. Its seed and its spending keys are
// there while it runs.

import { once } from 'node:events';
import { canReadMemory, findInMemory } from '@wallet-companion/disk/test/memoryScan';
import { PHRASE, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import anyTest from 'ava';
import { makePayment, ZEC } from '../helpers/allowanceBed.ts';
import { makeSigner, SIGNER_PASSWORD } from '../helpers/signerProcess.ts';

const test = canReadMemory ? anyTest : anyTest.skip;

test('the signer has its seed while it runs, and neither its password nor its phrase', async (t) => {
  const { ask, start } = await makeSigner(t, { crossing: true, day_zatoshi: 100 * ZEC });
  const child = await start();
  for (const pool of ['ironwood', 'sapling'] as const)
    t.true(
      (await ask(makePayment({ pool, options: { consents: ['crossing_pools'] } }).bytes)).signatures!.length >
        0,
      pool,
    );
  const asText = (text: string): Buffer[] => [Buffer.from(text), Buffer.from(text, 'utf16le')];
  const latterHalf = (secret: Uint8Array): Buffer => Buffer.from(secret).subarray(secret.length / 2);
  const secrets = new Map([
    ['password', asText(SIGNER_PASSWORD.slice(-20))],
    ['phrase', asText(PHRASE.split(' ').slice(-4).join(' '))],
  ]);
  t.deepEqual([...findInMemory(child.pid!, secrets)], []);
  t.true(
    findInMemory(child.pid!, new Map([['seed', [latterHalf(SEED)]]])).size > 0,
    'what is there is found',
  );
  child.kill('SIGTERM');
  t.deepEqual(await once(child, 'exit'), [0, null]);
});
