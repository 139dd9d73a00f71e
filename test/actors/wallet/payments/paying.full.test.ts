// One call that pays: the same key is the same payment, where it stopped and how it goes on, and who may use it.

import { decodePczt, encodePczt } from '@wallet-companion/pczt/pczt';
import test from 'ava';
import type { Signer } from '../../../../src/actors/wallet/ports/signing.ts';
import { CompanionError, type ErrorRecord } from '../../../../src/protocol/errors.ts';
import type { CallContext } from '../../../../src/protocol/operations.ts';
import { type PaymentStory, startPaymentStory } from '../../../helpers/paymentStoryBed.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

const AMOUNT = 60_000_000;
const TWO_NOTES = [
  ['ironwood', 100_000_000],
  ['ironwood', 100_000_000],
] as const;

const order = ({ other }: PaymentStory, more: object = {}) => ({
  idempotency_key: 'order-1',
  address: other,
  zatoshi: AMOUNT,
  password: PASSWORD,
  ...more,
});

const refusal = async (
  { wallet }: PaymentStory,
  input: object,
  caller: Partial<CallContext> = {},
): Promise<ErrorRecord> => {
  const result = await wallet.link.dispatch('payments.pay', input, { requestId: 'pay', ...caller });
  if (result.ok) throw new Error('it was paid');
  return result.error;
};

const sent = ({ devnet }: PaymentStory): number => devnet.mempool.size;

test('one key pays once: repeated, twice at a time, after a lock, a restart, a rescan and a block', async (t) => {
  const bed = await startPaymentStory(t, { notes: TWO_NOTES });
  const { wallet } = bed;
  const pay = (more = {}) => bed.call('payments.pay', order(bed, more));
  const [first, second] = await Promise.all([pay(), pay()]);
  t.like(first, { status: 'sent', repeated: false, kept: true });
  t.deepEqual(second, { ...first, repeated: true });
  t.deepEqual(await pay({ amount: '0.6', zatoshi: undefined }), second, 'the same amount');
  t.deepEqual(
    await pay({
      address: undefined,
      recipients: [{ address: bed.other, zatoshi: AMOUNT }],
      zatoshi: undefined,
    }),
    second,
  );
  await bed.wallet.call('wallet.lock');
  t.deepEqual(await pay(), second);
  await bed.killed();
  t.deepEqual(await pay(), second);
  t.is(sent(bed), 1);
  await bed.mine(1);
  t.like(await pay(), { txid: first.txid, status: 'mined', confirmations: 1 });
  await bed.wallet.call('wallet.rescan', {});
  t.is((await pay()).status, 'sent', 'its block is not read yet');
  await bed.sync();
  t.like(await pay(), { txid: first.txid, status: 'mined' });
  t.is((await bed.call('payments.list')).payments.length, 1);
  t.is(wallet.faults.length, 0);
  const other = await pay({ idempotency_key: 'order-2' });
  t.not(other.txid, first.txid);
});

test('another content under the key is refused, with nothing prepared; how it is made may differ', async (t) => {
  const bed = await startPaymentStory(t, { notes: TWO_NOTES });
  const paid = await bed.call('payments.pay', order(bed));
  for (const other of [
    { zatoshi: AMOUNT + 1 },
    { address: bed.address },
    { memo: 'rent' },
    { everything: true, zatoshi: undefined },
    {
      recipients: [1, 2].map(() => ({ address: bed.other, zatoshi: AMOUNT })),
      address: undefined,
      zatoshi: undefined,
    },
  ]) {
    const { code, errors } = await refusal(bed, order(bed, other));
    t.deepEqual([code, errors?.[0]?.path], ['IDEMPOTENCY_KEY_IN_USE', 'idempotency_key']);
  }
  const again = order(bed, { privacy: ['crossing_pools'], confirmations: 20, signer: 'own' });
  t.is((await bed.call('payments.pay', again)).txid, paid.txid);
  t.is((await bed.call('payments.list')).payments.length, 1);
});

test('nothing is prepared for a caller that cannot have it signed, and the key stays free', async (t) => {
  const bed = await startPaymentStory(t);
  const grant = { id: 'g', scopes: ['send'], wallets: ['*'], limits: {} } as const;
  for (const [code, more, caller] of [
    ['INVALID_REQUEST', { password: undefined }, {}],
    ['WRONG_PASSWORD', { password: 'mistyped' }, {}],
    ['NO_SIGNER', { signer: 'program' }, {}],
    ['NO_SIGNER', { signer: 'device' }, {}],
    ['GRANT_SCOPE', {}, { grant }],
    ['INVALID_REQUEST', { idempotency_key: 'two words' }, {}],
    ['INVALID_REQUEST', { idempotency_key: undefined }, {}],
    ['INSUFFICIENT_FUNDS', { zatoshi: 1e12 }, {}],
  ] as const) {
    const error = await refusal(bed, order(bed, more), caller);
    t.is(error.code, code);
    t.is(error.stoppedAt, undefined);
  }
  t.is((await bed.call('payments.list')).payments.length, 0);
  t.false((await bed.call('payments.pay', order(bed))).repeated);
});

test('what stops a kept payment says where, and the same call goes on: signer, prover, server, lost answer', async (t) => {
  let failing: string | undefined = 'sign';
  const fails = (step: string, code: 'SIGNER_FAILED' | 'PROVER_FAILED' | 'UPSTREAM_TIMEOUT'): void => {
    if (failing === step) throw new CompanionError(code, 'Not now.');
  };
  let sign: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes;
  const signer: Signer = {
    sign: async (bytes) => {
      fails('sign', 'SIGNER_FAILED');
      return sign(bytes);
    },
  };
  const bed: PaymentStory = await startPaymentStory(t, {
    signer,
    meanwhileProved: async () => fails('prove', 'PROVER_FAILED'),
    aroundChain: (chain) =>
      new Proxy(chain, {
        get: (target, name) => {
          const method = target[name as keyof typeof chain].bind(target) as (
            query: never,
          ) => Promise<unknown>;
          if (name !== 'sendTransaction') return method;
          return async (query: never) => {
            fails('unsent', 'UPSTREAM_TIMEOUT');
            const answer = await method(query);
            fails('send', 'UPSTREAM_TIMEOUT');
            return answer;
          };
        },
      }),
  });
  sign = (bytes) => encodePczt(bed.signed(decodePczt(bytes).pczt), 2);
  const input = order(bed, { password: undefined });
  const seen = new Set<string>();
  for (const [step, at, code] of [
    ['sign', 'sign', 'SIGNER_FAILED'],
    ['prove', 'prove', 'PROVER_FAILED'],
    ['unsent', 'send', 'UPSTREAM_TIMEOUT'],
    ['send', 'send', 'UPSTREAM_TIMEOUT'],
  ] as const) {
    failing = step;
    const error = await refusal(bed, input);
    t.is(error.code, code);
    t.is(error.stoppedAt?.step, at);
    seen.add(error.stoppedAt!.payment_id);
  }
  failing = undefined;
  const paid = await bed.call('payments.pay', input);
  t.like(paid, { status: 'sent', repeated: true });
  seen.add(paid.payment_id);
  t.is(seen.size, 1);
  t.is(sent(bed), 1);
});

test('what was given up stays given up under its key', async (t) => {
  const bed = await startPaymentStory(t, {
    meanwhileProved: async () => {
      throw new CompanionError('PROVER_FAILED', 'Not now.');
    },
  });
  const { stoppedAt } = await refusal(bed, order(bed));
  const { payment_id } = stoppedAt!;
  await bed.call('payments.discard', { payment_id });
  t.like(await bed.call('payments.pay', order(bed)), { payment_id, status: 'discarded', repeated: true });
  t.is(sent(bed), 0);
});

test('a grant pays by a program within its limits, and another grant does not get its payment', async (t) => {
  let sign: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes;
  const bed = await startPaymentStory(t, {
    signer: { sign: async (bytes) => sign(bytes) },
    notes: TWO_NOTES,
  });
  sign = (bytes) => encodePczt(bed.signed(decodePczt(bytes).pczt), 2);
  const grantOf = (id: string) =>
    ({ id, scopes: ['send'], wallets: ['*'], limits: { day_zatoshi: AMOUNT } }) as const;
  const input = order(bed, { password: undefined });
  const call = (id: string, more = {}) =>
    bed.wallet.link.dispatch('payments.pay', { ...input, ...more }, { requestId: 'pay', grant: grantOf(id) });
  t.true((await call('a')).ok);
  t.true((await call('a')).ok, 'it counts once');
  t.is((await refusal(bed, input, { grant: grantOf('b') })).code, 'IDEMPOTENCY_KEY_IN_USE');
  t.is(
    (await refusal(bed, { ...input, idempotency_key: 'order-2' }, { grant: grantOf('a') })).code,
    'GRANT_LIMIT',
  );
  t.is(sent(bed), 1);
});
