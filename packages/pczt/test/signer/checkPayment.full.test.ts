import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { txidOfEffects } from '@wallet-companion/zcash/signing';
import test from 'ava';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { PcztRefusal } from '../../src/pczt/refusal.ts';
import { effectsOfPczt } from '../../src/pczt/transactionParts.ts';
import { differenceFrom, type PaymentTerms } from '../../src/signer/checkPayment.ts';
import { HOSTILE_SIGNERS, madeAgainWith, onIronwood, PAYING_ACTION } from '../helpers/hostileSigners.ts';
import { builtStories } from '../helpers/returnedStories.ts';
import { keysOf, PARAMS as params, receiverOf } from '../helpers/spendingAccount.ts';

const stories = builtStories();
const kindOf = (pczt: Pczt, terms: PaymentTerms, account = 0): string | undefined => {
  try {
    return differenceFrom(pczt, terms, { params, keys: keysOf(account) })?.kind;
  } catch (error) {
    if (error instanceof PcztRefusal) return error.reason;
    throw error;
  }
};
const txidOf = (pczt: Pczt): string => txIdToHex(txidOfEffects(effectsOfPczt(pczt)));
for (const { name, ready, terms } of stories)
  test(`${name}: what was asked for is found, and nothing else in its place`, (t) => {
    t.is(kindOf(ready, terms), undefined);
    t.is(kindOf(ready, terms, 1), 'spend');
    t.is(kindOf(ready, { ...terms, txid: '00'.repeat(32) }), 'transaction');
    t.is(kindOf(ready, { ...terms, fee: terms.fee + 1 }), 'fee');
    t.is(kindOf(ready, { ...terms, expiryHeight: terms.expiryHeight + 1 }), 'expiry');
    const [paid] = terms.payments;
    const other = (change: Partial<NonNullable<typeof paid>>): PaymentTerms => ({
      ...terms,
      payments: [{ ...paid!, ...change }],
    });
    t.is(kindOf(ready, other({ zatoshi: paid!.zatoshi - 1 })), 'recipient');
    t.is(kindOf(ready, other({ address: 'somebody else' })), 'recipient');
    t.is(kindOf(ready, other({ memo: new Uint8Array(512).fill(65) })), 'recipient');
    t.is(kindOf(ready, { ...terms, payments: [] }), 'recipient');
    t.is(kindOf(ready, { ...terms, payments: [paid!, paid!] }), 'payment');
    if (!terms.change?.zatoshi) return;
    const { change } = terms;
    t.is(kindOf(ready, { ...terms, change: { ...change, zatoshi: change.zatoshi + 1 } }), 'change');
    t.is(kindOf(ready, { ...terms, change: { ...change, notes: change.notes + 1 } }), 'change');
  });

test('whatever is built instead is found: another recipient, change to somebody else, a memo beside it', (t) => {
  const { ours, terms } = onIronwood;
  const change = ours.ironwood.actions.findIndex(({ output }) => output.userAddress === undefined);
  const built = (at: string, field: string, value: unknown): string | undefined => {
    const pczt = madeAgainWith(ours, at, field, value);
    return kindOf(pczt, { ...terms, txid: txidOf(pczt) });
  };
  const stranger = receiverOf('ironwood', 2, 'external');
  t.is(built(PAYING_ACTION, 'recipient', stranger), 'contradiction', 'the address that is shown');
  const ofChange = `ironwood.actions.${change}`;
  t.is(built(ofChange, 'recipient', stranger), 'recipient');
  t.is(built(ofChange, 'recipient', receiverOf('ironwood', 0, 'external')), 'recipient');
  t.is(built(ofChange, 'recipient', receiverOf('ironwood', 0, 'internal', 5n)), undefined);
  const memo = { kind: 'memoPlaintext', bytes: Uint8Array.of(65) };
  t.is(built(ofChange, 'encCiphertext', memo), 'recipient');
});

// What adds an input adds one that no bytes can have.
for (const { title, ours, theirs, terms } of HOSTILE_SIGNERS.filter(({ title }) => !/input/.test(title)))
  test(`it refuses to sign for one that ${title}`, (t) => {
    const changed = theirs(ours);
    const found = kindOf(changed, terms);
    // An anchor of version 6 is not signed, and neither is a binding key: the prover and the network check those.
    if (/anchors it elsewhere|binding key/.test(title)) t.is(found, undefined);
    else t.truthy(found);
  });
