// The wallet signs its own payments with the password of the call: for whom it does, and what it refuses to sign.

import { decodePczt, encodePczt } from '@wallet-companion/pczt/pczt';
import { textMemo } from '@wallet-companion/zcash/notes';
import test from 'ava';
import type { StoredPayment } from '../../../../src/actors/wallet/ports/payment.ts';
import type { Signer } from '../../../../src/actors/wallet/ports/signing.ts';
import type { ErrorRecord } from '../../../../src/protocol/errors.ts';
import type { CallContext } from '../../../../src/protocol/operations.ts';
import { type PaymentStory, type StoryOptions, startPaymentStory } from '../../../helpers/paymentStoryBed.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

const ZEC = 100_000_000;

async function preparedStory(t: Parameters<typeof startPaymentStory>[0], options: StoryOptions = {}) {
  const bed = await startPaymentStory(t, options);
  const prepared = await bed.prepare({ zatoshi: 60_000_000, memo: 'for the bread' });
  const { payment_id, txid } = prepared;
  return { bed, right: { payment_id, txid, password: PASSWORD } };
}

const refusal = async (
  { wallet }: PaymentStory,
  input: object,
  caller: Partial<CallContext> = {},
): Promise<ErrorRecord> => {
  const result = await wallet.link.dispatch('payments.sign', input, { requestId: 'own', ...caller });
  if (result.ok) throw new Error('it was signed');
  return result.error;
};

test('a payment from three pools is signed by the password, proved, sent and mined', async (t) => {
  const bed = await startPaymentStory(t, {
    notes: [
      ['ironwood', ZEC],
      ['orchard', ZEC],
      ['sapling', ZEC],
    ],
  });
  const prepared = await bed.prepare({ zatoshi: 260_000_000, memo: 'for all', privacy: ['crossing_pools'] });
  const { payment_id, txid } = prepared;
  const signed = await bed.wallet.call('payments.sign', { payment_id, txid, password: PASSWORD });
  t.true(signed.signatures_added >= 3);
  t.true(signed.missing.every(({ signatures, signer_keys }) => signatures === 0 && !signer_keys));
  t.is((await bed.wallet.call('payments.prove', { payment_id })).status, 'complete');
  t.is((await bed.broadcast(payment_id)).txid, txid);
  await bed.mine(1);
  t.is((await bed.get(payment_id)).status, 'mined');
});

test('password and txid are needed, and another txid is another payment', async (t) => {
  const { bed, right } = await preparedStory(t);
  for (const missing of ['password', 'txid'] as const) {
    const { code, errors } = await refusal(bed, { ...right, [missing]: undefined });
    t.deepEqual([code, errors?.[0]?.path], ['INVALID_REQUEST', missing]);
  }
  t.is((await refusal(bed, { ...right, txid: '00'.repeat(32) })).code, 'PCZT_CHANGED');
  t.is((await refusal(bed, { ...right, password: 'of somebody else' })).code, 'WRONG_PASSWORD');
  t.true((await bed.get(right.payment_id)).missing[0]!.signatures > 0);
  await bed.wallet.call('wallet.lock');
  t.true((await bed.wallet.call('payments.sign', right)).signatures_added > 0, 'it opens the wallet too');
});

test('of two calls at once the slower one answers with the signed payment', async (t) => {
  const { bed, right } = await preparedStory(t);
  const both = await Promise.all([right, right].map((input) => bed.wallet.call('payments.sign', input)));
  t.deepEqual(both.map(({ signatures_added }) => signatures_added).toSorted(), [0, 1]);
  for (const { missing } of both) t.true(missing.every(({ signatures }) => signatures === 0));
});

test('a password opens the wallet for a grant too, whose payment a program signs', async (t) => {
  let sign: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes;
  const signer: Signer = { sign: async (bytes) => sign(bytes) };
  const { bed, right } = await preparedStory(t, { signer });
  sign = (bytes) => encodePczt(bed.signed(decodePczt(bytes).pczt), 2);
  const grant = { id: 'g', scopes: ['send'], wallets: ['*'], limits: {} } as const;
  await bed.wallet.call('wallet.lock');
  const wrong = { ...right, password: 'mistyped' };
  t.is((await refusal(bed, wrong, { grant })).code, 'WRONG_PASSWORD');
  const result = await bed.wallet.link.dispatch('payments.sign', right, { requestId: 'own', grant });
  t.true(result.ok, JSON.stringify(result));
});

test('wrong passwords let their own class of callers wait, and no other', async (t) => {
  const { bed, right } = await preparedStory(t);
  const wrong = { ...right, password: 'mistyped' };
  for (let i = 0; i < 3; i++) t.is((await refusal(bed, wrong)).code, 'WRONG_PASSWORD');
  t.is((await refusal(bed, right)).code, 'TOO_MANY_ATTEMPTS');
  const owner = { requestId: 'own', byOwner: true };
  t.true((await bed.wallet.link.dispatch('payments.sign', right, owner)).ok);
});

test('no grant, page of an extension or token has the phrase sign, though the password is right', async (t) => {
  const { bed, right } = await preparedStory(t);
  const grant = { id: 'g', scopes: ['admin'], wallets: ['*'], limits: {} } as const;
  for (const caller of [{ grant }, { origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop' }]) {
    t.is((await refusal(bed, right, caller)).code, 'GRANT_SCOPE');
    t.is((await refusal(bed, { ...right, signer: 'own' }, caller)).code, 'GRANT_SCOPE');
  }
  t.true((await bed.get(right.payment_id)).missing[0]!.signatures > 0);
});

test('who does not want it switches it off; a device or a program comes first, and the call may choose', async (t) => {
  const off = await preparedStory(t, { config: { own_signer: false } });
  t.is((await refusal(off.bed, { ...off.right, signer: 'own' })).code, 'NO_SIGNER');
  t.is((await refusal(off.bed, off.right)).code, 'NO_SIGNER');
  const { bed, right } = await preparedStory(t);
  await bed.wallet.call('wallet.device', { device: 'keystone', device_version: '3.0.2', password: PASSWORD });
  t.regex((await refusal(bed, right)).detail, /^A device signs/);
  t.true((await bed.wallet.call('payments.sign', { ...right, signer: 'own' })).signatures_added > 0);
});

test('what was changed in the kept payment between the look at it and the signature is not signed, and is logged', async (t) => {
  let changed: Partial<StoredPayment> = {};
  const { bed, right } = await preparedStory(t, {
    noteDatabases: (stores) =>
      withMethod(stores, 'open', (database) =>
        withMethod(database, 'payments', (all: StoredPayment[]) =>
          all.map((one) => ({ ...one, ...changed })),
        ),
      ),
  });
  const { fee_zatoshi: fee, expiry_height: expiry } = await bed.get(right.payment_id);
  const paid = {
    place: 'ironwood',
    address: bed.other,
    zatoshi: 60_000_000,
    memo: memoOf('for the bread'),
  } as const;
  const changes: Partial<StoredPayment>[] = [
    { payments: [{ ...paid, zatoshi: paid.zatoshi - 1 }] },
    { payments: [{ ...paid, address: bed.address }] },
    { payments: [{ ...paid, memo: memoOf('for the beer') }] },
    { payments: [] },
    { fee: fee + 1 },
    { change: null },
    { expiryHeight: expiry + 3 },
  ];
  for (const change of changes) {
    await bed.wallet.call('wallet.lock');
    changed = change;
    const { code, detail } = await refusal(bed, right);
    t.is(code, 'PCZT_CHANGED');
    t.regex(detail, /^The payment was not signed: /);
  }
  t.is(bed.wallet.faults.filter(({ where }) => where === 'payments.sign').length, changes.length);
  await bed.wallet.call('wallet.lock');
  changed = { payments: [paid] };
  t.true((await bed.wallet.call('payments.sign', right)).signatures_added > 0);
});

const memoOf = (text: string): string => Buffer.from(textMemo(text)).toString('hex');

/** The object with one method whose answers are changed. */
const withMethod = <T extends object, R>(target: T, name: keyof T, change: (answer: never) => R): T =>
  new Proxy(target, {
    get: (of, key) => {
      const value: unknown = Reflect.get(of, key, of);
      if (typeof value !== 'function') return value;
      return key === name ? (...given: unknown[]) => change(value.apply(of, given) as never) : value.bind(of);
    },
  });
