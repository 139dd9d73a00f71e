// What a PCZT takes from an account is computed from itself, and what cannot be computed is refused.
import { encodeReceiver } from '@wallet-companion/zcash/addresses';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { PcztRefusal } from '../../src/pczt/refusal.ts';
import { effectOf, type PaymentEffect } from '../../src/signer/paymentEffect.ts';
import { HOSTILE_SIGNERS, madeAgainWith, onIronwood, PAYING_ACTION } from '../helpers/hostileSigners.ts';
import { withField } from '../helpers/pcztVectors.ts';
import { builtStories } from '../helpers/returnedStories.ts';
import { buildShielding, outputsAt, shield } from '../helpers/shieldingStories.ts';
import { incomingOf, PARAMS as params, receiverOf } from '../helpers/spendingAccount.ts';

const effect = (pczt: Pczt, ...accounts: number[]): PaymentEffect =>
  effectOf(pczt, { params, keys: (accounts.length > 0 ? accounts : [0]).flatMap(incomingOf) });
const refusalOf = (pczt: Pczt, ...accounts: number[]) => {
  try {
    return effect(pczt, ...accounts);
  } catch (error) {
    if (error instanceof PcztRefusal) return error.text;
    throw error;
  }
};
const totalOf = ({ payments, fee }: PaymentEffect): bigint =>
  payments.reduce((sum, { amount }) => sum + amount, fee);

for (const { name, ready, terms } of builtStories())
  test(`${name}: payments and fee are those that were asked for, and no account pays but its own`, (t) => {
    const found = effect(ready, 1, 0);
    t.true(found.txid === terms.txid);
    t.is(found.account, 0);
    t.is(found.fee, BigInt(terms.fee));
    t.deepEqual(
      found.payments.map(({ amount }) => amount),
      terms.payments.map(({ zatoshi }) => BigInt(zatoshi)),
    );
    t.true(terms.payments.every(({ place }) => found.places.includes(place)));
    t.is(refusalOf(ready, 1), "it spends what is not the account's");
  });

test('an output counts as change only at the internal key of the account that spends', (t) => {
  const { ours } = onIronwood;
  const index = ours.ironwood.actions.findIndex(({ output }) => output.userAddress === undefined);
  const sent = (recipient: Uint8Array): PaymentEffect =>
    effect(madeAgainWith(ours, `ironwood.actions.${index}`, 'recipient', recipient), 0, 1);
  const value = ours.ironwood.actions[index]!.output.value!;
  const before = totalOf(effect(ours));
  t.is(totalOf(sent(receiverOf('ironwood', 0, 'internal', 5n))), before);
  for (const other of [
    receiverOf('ironwood', 2, 'internal'),
    receiverOf('ironwood', 1, 'internal'),
    receiverOf('ironwood', 0, 'external'),
  ]) {
    const found = sent(other);
    t.is(totalOf(found), before + value);
    t.true(found.payments.some(({ address }) => address === encodeReceiver('ironwood', other, params)));
  }
});

test('values stated for the spends change nothing', (t) => {
  const { ours } = onIronwood;
  const worthless = withField(ours, 'ironwood.actions.0.spend.value', 0n);
  t.is(typeof refusalOf(worthless), 'string');
  const unexplained = ['rcv', 'spend.value'].reduce(
    (pczt, field) => withField(pczt, `ironwood.actions.0.${field}`, undefined),
    ours,
  );
  t.is(typeof refusalOf(unexplained), 'string');
  t.is(typeof refusalOf(withField(ours, `${PAYING_ACTION}.output.value`, undefined)), 'string');
});

test('a payment from transparent inputs belongs to the account of their paths', (t) => {
  const { pczt } = buildShielding(
    shield(outputsAt([0, 90_000], [4, 30_000]), { joinAddresses: true }),
    seededBytes(3),
  );
  const found = effect(pczt);
  t.is(found.account, 0);
  t.deepEqual(found.payments, []);
  t.deepEqual(new Set(found.places), new Set(['transparent', 'ironwood']));
  const { inputs } = pczt.transparent;
  const [name, derivation] = [...inputs[1]!.bip32Derivation][0]!;
  const path = derivation.derivationPath.map((step, i) => (i === 2 ? step + 1 : step));
  const twoAccounts = withField(
    pczt,
    'transparent.inputs.1.bip32Derivation',
    new Map([[name, { ...derivation, derivationPath: path }]]),
  );
  t.is(refusalOf(twoAccounts), 'it spends from more than one account');
  const pathless = withField(
    pczt,
    'transparent.inputs',
    inputs.map((one) => ({ ...one, bip32Derivation: new Map() })),
  );
  t.is(refusalOf(pathless), 'it spends nothing of an account that pays here');
});

for (const { title, ours, theirs } of HOSTILE_SIGNERS.filter(({ title }) => !/input/.test(title)))
  test(`one that ${title} is refused, or its effect is computed anew`, (t) => {
    const found = refusalOf(theirs(ours));
    if (typeof found === 'string') t.not(found, '');
    else if (found.txid === effect(ours).txid) t.deepEqual(found, effect(ours));
    else t.true(found.fee >= 0n);
  });
