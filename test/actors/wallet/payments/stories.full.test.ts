// Payments from their first block to their last, from a node and from a compact server alone: prepared here, signed by somebody
// who has the keys, proved, sent, mined, and what can go wrong on the way. Those that are told whole are proved by the
// product's prover, and the devnet verifies them.

import { SerialQueue } from '@wallet-companion/base/async';
import { inTurn } from '@wallet-companion/base/test/atLength';
import { ThreadedVerifier } from '@wallet-companion/halo2/load';
import type { Pczt } from '@wallet-companion/pczt/pczt';
import { createOwnProver } from '@wallet-companion/prover';
import { POOLS } from '@wallet-companion/zcash/pools';
import test, { type ExecutionContext } from 'ava';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { noProver } from '../../../helpers/noPrograms.ts';
import { base64Of, pcztIn, SOURCES, startPaymentStory } from '../../../helpers/paymentStoryBed.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

const ZEC = 100_000_000;
const ownProver = createOwnProver({ threads: 2 });
test.after.always(() => ownProver.close());
/** It makes one proof at a time; the product's callers wait for it, too. */
const turns = new SerialQueue();
const { findWrongProofs } = new ThreadedVerifier('post-nu6-3');

for (const source of SOURCES) {
  let place = 0;
  /** From each source in turn: what both have in common is told once, and at length from either. */
  const story = (what: string, body: (t: ExecutionContext) => Promise<void>): void => {
    if (inTurn(SOURCES, place++).includes(source)) test(`${source}: ${what}`, body);
  };

  story('prepared, signed, proved, sent, seen, mined, confirmed', async (t) => {
    const prover = {
      ...noProver,
      prove: (pczt: Uint8Array, signal: AbortSignal) => turns.run(() => ownProver.prove(pczt, { signal })),
    };
    const config = { verify_regtest_proofs: true };
    const bed = await startPaymentStory(t, { source, prover, config, devnet: { findWrongProofs } });
    const prepared = await bed.prepare({ zatoshi: 60_000_000 });
    const id = prepared.payment_id;
    t.is(prepared.status, 'prepared');
    t.is(await bed.reserved(), ZEC);
    bed.reported();
    const combined = await bed.complete(id);
    t.is(combined.status, 'complete');
    t.deepEqual(combined.missing, []);
    const sent = await bed.broadcast(id);
    t.is(sent.status, 'sent');
    t.like(sent.last_sent, { source, outcome: 'accepted', detail: null });
    t.is(bed.devnet.mempool.size, 1);
    await bed.look();
    t.is((await bed.get(id)).status, 'in_mempool');
    t.is(await bed.reserved(), ZEC, 'until it is mined');
    await bed.mine();
    const mined = await bed.get(id);
    const height = bed.devnet.tip.height;
    t.like(mined, { status: 'mined', mined_height: height, confirmations: 1, reserved_zatoshi: 0 });
    t.is(await bed.reserved(), 0);
    t.is(await bed.total(), ZEC - 60_000_000 - prepared.fee_zatoshi);
    t.is(Number(bed.account.balance()), ZEC - 60_000_000 - prepared.fee_zatoshi);
    await bed.mine(2);
    t.like(await bed.get(id), { status: 'confirmed', confirmations: 3 });
    t.deepEqual(bed.reported(), ['complete', 'sent', 'in_mempool', `mined ${height}`, `confirmed ${height}`]);
    t.is(
      await bed.wallet.failure('payments.combine', {
        payment_id: id,
        pczt: base64Of(pcztIn(await anyone(id))),
      }),
      'PAYMENT_STATE',
    );
    t.is((await bed.broadcast(id)).status, 'confirmed', 'and asking again sends nothing');

    function anyone(payment_id: string) {
      return bed.wallet.call('payments.pczt', { payment_id, reader: 'anyone' });
    }
  });

  story('a node that verifies refuses made-up proofs', async (t) => {
    const bed = await startPaymentStory(t, { source, devnet: { findWrongProofs } });
    const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
    await bed.complete(id);
    const refused = await t.throwsAsync(bed.broadcast(id), { instanceOf: CompanionError });
    t.is(refused.code, 'TRANSACTION_REFUSED');
    t.regex(refused.message, /Halo2 proof verification failed/);
    t.is(bed.devnet.mempool.size, 0);
  });

  story('two at once, from notes of their own', async (t) => {
    const bed = await startPaymentStory(t, {
      source,
      notes: [
        ['ironwood', ZEC],
        ['ironwood', ZEC],
      ],
    });
    const one = await bed.prepare({ zatoshi: 60_000_000 });
    const two = await bed.prepare({ zatoshi: 70_000_000 });
    t.is(await bed.reserved(), 2 * ZEC);
    await Promise.all([bed.complete(one.payment_id), bed.complete(two.payment_id)]);
    await Promise.all([bed.broadcast(one.payment_id), bed.broadcast(two.payment_id)]);
    t.is(bed.devnet.mempool.size, 2);
    await bed.mine();
    for (const { payment_id: id } of [one, two]) t.is((await bed.get(id)).status, 'mined');
    t.is(await bed.total(), 2 * ZEC - 130_000_000 - one.fee_zatoshi - two.fee_zatoshi);
  });

  story('expires, and its notes are free again', async (t) => {
    const bed = await startPaymentStory(t, { source });
    const { payment_id: id, expiry_height: expiry } = await bed.prepare({ zatoshi: 60_000_000 });
    await bed.complete(id);
    await bed.broadcast(id);
    bed.devnet.mine({ takesSent: false });
    await bed.sync();
    bed.reported();
    while (bed.devnet.tip.height < expiry - 1) bed.devnet.mine({ takesSent: false });
    await bed.sync();
    t.true(['sent', 'in_mempool'].includes((await bed.get(id)).status));
    t.is(await bed.reserved(), ZEC);
    bed.devnet.mine({ takesSent: false });
    t.is(await bed.wallet.failure('payments.discard', { payment_id: id }), 'PAYMENT_STATE');
    await bed.sync();
    t.like(await bed.get(id), { status: 'expired', expires_at: null, reserved_zatoshi: 0 });
    t.is(await bed.reserved(), 0);
    t.deepEqual(bed.reported(), ['expired']);
    t.is(await bed.wallet.failure('payments.broadcast', { payment_id: id, source }), 'PAYMENT_STATE');
  });

  story('what can no longer be mined is not sent, though nothing was scanned since', async (t) => {
    const bed = await startPaymentStory(t, { source });
    const { payment_id: id, expiry_height: expiry } = await bed.prepare({ zatoshi: 60_000_000 });
    await bed.complete(id);
    while (bed.devnet.tip.height < expiry) bed.devnet.mine();
    t.is(await bed.wallet.failure('payments.broadcast', { payment_id: id, source }), 'PAYMENT_STATE');
    t.like(await bed.get(id), { status: 'complete', last_sent: null });
  });

  story('a second wallet with the same key was first', async (t) => {
    const bed = await startPaymentStory(t, { source });
    const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
    await bed.complete(id);
    const payments = [{ address: bed.other, pool: 'ironwood', zatoshi: 1_000_000 }] as const;
    bed.devnet.mine({ transactions: [bed.devnet.spend(bed.account, { from: 'ironwood', payments })] });
    const refused = await t.throwsAsync<CompanionError>(bed.broadcast(id), { instanceOf: CompanionError });
    t.is(refused?.code, 'TRANSACTION_REFUSED');
    t.regex(refused!.message, /Something that it spends is spent elsewhere: scan/);
    t.like(await bed.get(id), { status: 'complete', last_sent: { outcome: 'refused' } });
    bed.reported();
    await bed.sync();
    t.like(await bed.get(id), { status: 'conflicted', reserved_zatoshi: 0 });
    t.deepEqual(bed.reported(), ['conflicted']);
    t.is(await bed.reserved(), 0);
    t.is(await bed.wallet.failure('payments.broadcast', { payment_id: id, source }), 'PAYMENT_STATE');
  });

  story('its branch is left, and it is mined again higher up', async (t) => {
    const bed = await startPaymentStory(t, { source });
    const { payment_id: id, fee_zatoshi: fee } = await bed.prepare({ zatoshi: 60_000_000 });
    await bed.complete(id);
    await bed.broadcast(id);
    await bed.mine();
    const first = bed.devnet.tip.height;
    t.like(await bed.get(id), { status: 'mined', mined_height: first });
    bed.reported();
    bed.devnet.reorganise(1, [{ takesSent: false }, { takesSent: false }]);
    await bed.sync();
    t.like(await bed.get(id), { status: 'sent', mined_height: null, reserved_zatoshi: ZEC });
    t.is(await bed.total(), ZEC);
    t.is(await bed.reserved(), ZEC, 'and it is nobody else’s');
    // The node has it in its mempool again, or is given it again.
    await bed.broadcast(id);
    await bed.mine();
    const second = bed.devnet.tip.height;
    t.true(second > first);
    t.like(await bed.get(id), { status: 'mined', mined_height: second });
    t.is(await bed.total(), ZEC - 60_000_000 - fee);
    t.deepEqual(bed.reported(), ['sent', `mined ${second}`]);
  });

  story('the answer is lost, and asking again settles it', async (t) => {
    const bed = await startPaymentStory(t, { source });
    const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
    await bed.complete(id);
    if (source === 'node')
      bed.devnet.node.misbehave({ kind: 'hang-up', method: 'sendrawtransaction', times: 1 });
    else bed.devnet.compact.misbehave({ kind: 'lost', method: 'SendTransaction', times: 1 });
    const lost = await t.throwsAsync<CompanionError>(bed.broadcast(id), { instanceOf: CompanionError });
    t.regex(lost!.message, /The payment may have arrived all the same\. Send it again: that asks first/);
    t.like(await bed.get(id), { status: 'sent', last_sent: { outcome: 'unanswered' } });
    t.is(bed.devnet.mempool.size, 1, 'it had arrived');
    t.is(await bed.wallet.failure('payments.discard', { payment_id: id }), 'PAYMENT_STATE');
    t.like(await bed.broadcast(id), { status: 'sent', last_sent: { outcome: 'accepted' } });
    t.is(bed.devnet.mempool.size, 1);
    await bed.mine();
    t.is((await bed.get(id)).status, 'mined');
  });

  story('away, and the payment stays as it is until it is back', async (t) => {
    const bed = await startPaymentStory(t, { source });
    const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
    const complete = await bed.complete(id);
    const server = source === 'node' ? bed.devnet.node : bed.devnet.compact;
    const { node_url, compact_server_url } = await bed.wallet.call('config.get');
    const port = Number(new URL(source === 'node' ? node_url : compact_server_url).port);
    await server.close();
    const codes = ['NODE_UNREACHABLE', 'COMPACT_SERVER_UNREACHABLE'];
    t.true(codes.includes(await bed.wallet.failure('payments.broadcast', { payment_id: id, source })));
    const { proofs_added: _, anchored_again: __, ...view } = complete;
    t.deepEqual(await bed.get(id), view);
    await server.listen({ port });
    t.is((await bed.broadcast(id)).status, 'sent');
  });

  story('killed after it was sent, the next one knows', async (t) => {
    const bed = await startPaymentStory(t, { source });
    const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
    await bed.complete(id);
    await bed.broadcast(id);
    await bed.killed();
    t.is((await bed.get(id)).status, 'sent');
    t.is(await bed.reserved(), ZEC);
    await bed.broadcast(id);
    t.is(bed.devnet.mempool.size, 1);
    await bed.mine();
    t.is((await bed.get(id)).status, 'mined');
    await bed.killed();
    t.is((await bed.get(id)).status, 'mined');
  });

  for (const pool of POOLS)
    story(`from ${pool} into Ironwood`, async (t) => {
      const bed = await startPaymentStory(t, { source, notes: [[pool, ZEC]] });
      const prepared = await bed.prepare({ zatoshi: 60_000_000, privacy: ['crossing_pools'] });
      const { payment_id: id } = prepared;
      if (pool === 'sapling') {
        t.like(prepared.missing[0], { pool, signer_keys: true });
        const incomplete = await t.throwsAsync<CompanionError>(bed.broadcast(id), {
          instanceOf: CompanionError,
        });
        t.regex(incomplete!.message, /1 signature of account 0 in Sapling/);
      }
      await bed.complete(id);
      await bed.broadcast(id);
      await bed.mine();
      t.is((await bed.get(id)).status, 'mined');
      t.is(await bed.total(), ZEC - 60_000_000 - prepared.fee_zatoshi);
    });
}

test('with broadcast_needs_password the password is asked for, though the wallet is open', async (t) => {
  const bed = await startPaymentStory(t, { config: { broadcast_needs_password: true } });
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
  await bed.complete(id);
  const refused = await t.throwsAsync<CompanionError>(bed.broadcast(id), { instanceOf: CompanionError });
  t.is(refused?.code, 'INVALID_REQUEST');
  t.is(refused?.errors?.[0]?.path, 'password');
  t.is(
    await bed.wallet.failure('payments.broadcast', { payment_id: id, password: 'wrong' }),
    'WRONG_PASSWORD',
  );
  t.is(bed.devnet.mempool.size, 0);
  t.is((await bed.broadcast(id, { password: PASSWORD })).status, 'sent');
});

test('with broadcast_needs_password no PCZT that is handed out can be sent by others, and signing goes on', async (t) => {
  const bed = await startPaymentStory(t, {
    config: { broadcast_needs_password: true },
    notes: [
      ['ironwood', ZEC],
      ['sapling', ZEC],
    ],
  });
  const { payment_id: id } = await bed.prepare({ zatoshi: 160_000_000, privacy: ['crossing_pools'] });
  const signed = bed.signed(pcztIn(await bed.signerView(id)));
  await bed.combine(id, signed);
  const copies: Pczt[] = [];
  for (const when of ['signed', 'complete'] as const) {
    if (when === 'complete') await bed.wallet.call('payments.prove', { payment_id: id });
    for (const reader of ['anyone', 'signer', 'prover', 'compact_signer'] as const)
      copies.push(pcztIn(await bed.wallet.call('payments.pczt', { payment_id: id, reader })));
  }
  t.is((await bed.get(id)).status, 'complete');
  for (const pczt of copies) {
    for (const { value, spendAuthSig } of [
      ...pczt.sapling.spends,
      ...pczt.ironwood.actions.map(({ spend }) => spend),
    ])
      t.is(spendAuthSig === undefined, value !== 0n);
    t.is((await bed.combine(id, pczt)).signatures_added, 0, 'what comes back without them takes none away');
  }
  t.is((await bed.broadcast(id, { password: PASSWORD })).status, 'sent');
});

test('the password alone sends it, and opens the wallet', async (t) => {
  const bed = await startPaymentStory(t);
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
  await bed.complete(id);
  await bed.wallet.call('wallet.lock');
  t.is(await bed.wallet.failure('payments.broadcast', { payment_id: id }), 'WALLET_LOCKED');
  t.is((await bed.broadcast(id, { password: PASSWORD })).status, 'sent');
});
