// Payments that the allowance signer of config.json signs, over its socket: with nobody there, by grants, after a delay, and not at all.

import test from 'ava';
import type { CallingGrant } from '../../../../src/protocol/grants.ts';
import { ZEC } from '../../../helpers/allowanceBed.ts';
import { startAllowanceStory } from '../../../helpers/allowanceStory.ts';

test('a program with a grant pays unattended, from Ironwood and from Sapling', async (t) => {
  for (const pool of ['ironwood', 'sapling'] as const) {
    const { bed, events } = await startAllowanceStory(t, { crossing: true }, pool);
    const grant: CallingGrant = { id: 'till', scopes: ['prepare', 'send'], wallets: ['*'], limits: {} };
    const call = async (name: 'payments.prepare' | 'payments.sign' | 'payments.prove', input: object) => {
      const result = await bed.wallet.link.dispatch(name, input as never, { requestId: 'till', grant });
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      return result.value;
    };
    const order = { address: bed.other, zatoshi: ZEC / 2, source: 'node', privacy: ['crossing_pools'] };
    const { payment_id, txid } = await call('payments.prepare', order);
    t.true((await call('payments.sign', { payment_id })).missing.every(({ signatures }) => signatures === 0));
    t.is((await call('payments.prove', { payment_id })).status, 'complete');
    t.is((await bed.broadcast(payment_id)).txid, txid);
    await bed.mine(1);
    t.is((await bed.get(payment_id)).status, 'mined');
    t.deepEqual(events, ['signed']);
  }
});

test('what the policy refuses is ALLOWANCE_LIMIT, and a signer that is not there SIGNER_FAILED', async (t) => {
  const { bed, sign, stop } = await startAllowanceStory(t, { payment_zatoshi: ZEC / 10 });
  const { payment_id } = await bed.prepare({ zatoshi: ZEC / 2 });
  await t.throwsAsync(sign(payment_id), { code: 'ALLOWANCE_LIMIT', message: /one payment may take 0.1 ZEC/ });
  stop();
  await t.throwsAsync(sign(payment_id), { code: 'SIGNER_FAILED', message: /Start it with "signer run"/ });
  t.true((await bed.get(payment_id)).missing[0]!.signatures > 0);
});

test('a delay is a state, across a lock, and when it is over the next block has it signed', async (t) => {
  const { bed, clock, sign, events } = await startAllowanceStory(t, {
    delay: { above_zatoshi: 0, seconds: 600 },
  });
  const { payment_id } = await bed.prepare({ zatoshi: ZEC / 2 });
  const { waits_for: waits, status, missing } = await sign(payment_id);
  t.deepEqual(waits, { kind: 'delay', until: new Date(clock.now() + 600_000).toISOString() });
  t.is(status, 'prepared');
  t.true(missing[0]!.signatures > 0);
  await bed.mine(1);
  t.deepEqual((await bed.get(payment_id)).waits_for, waits);
  t.deepEqual(events, ['waits']);
  clock.advance(600_000);
  await bed.mine(1);
  await bed.until(async () => (await bed.get(payment_id)).missing[0]!.signatures === 0);
  t.is((await bed.get(payment_id)).waits_for, null);
  t.deepEqual(events, ['waits', 'signed']);
});

test('a payment that waits for a person is asked about with each block, until it is refused', async (t) => {
  const { bed, sign, signer, unconfirmed } = await startAllowanceStory(t, { confirm: { above_zatoshi: 0 } });
  const { payment_id } = await bed.prepare({ zatoshi: ZEC / 2 });
  t.deepEqual((await sign(payment_id)).waits_for, { kind: 'confirmation', until: null });
  await signer.cancel(unconfirmed[0]!.txid);
  await bed.mine(1);
  await bed.until(async () => (await bed.get(payment_id)).waits_for === null);
  await t.throwsAsync(sign(payment_id), { code: 'ALLOWANCE_LIMIT', message: /cancelled at the signer/ });
});
