// The address book of a wallet: who is in it, how payments and books name them, and which addresses pass for theirs.

import { orchardAddress, saplingAddress, unifiedAddress } from '@wallet-companion/pczt/test/spendingAccount';
import { TRANSPARENT_ADDRESS } from '@wallet-companion/pczt/test/spendingStories';
import test, { type ExecutionContext } from 'ava';
import { companionWorld, ORCHARD_FIRST } from '../../../helpers/companionWorld.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const ALICE = unifiedAddress();
const ZEC = 100_000_000;
/** Begins and ends like the Sapling address of account 1, and has another diversifier. */
const LIKE_SAPLING =
  'zregtestsapling1ha8x0k2ltz9dquf3lsw3ckzvv8f3fy4g8h34rt32sem8yz7vtnl06k74kdvzv38dtndmx67tpcg';

async function made(t: ExecutionContext) {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  const { unified_address } = await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  return { wallet, own: unified_address };
}

test('contacts come back by name after a lock and another password, and not while locked', async (t) => {
  const { wallet } = await made(t);
  const zoe = { name: 'Zoë', address: TRANSPARENT_ADDRESS, note: 'rent,\nfirst of the month' };
  t.deepEqual(await wallet.call('contacts.set', zoe), zoe);
  await wallet.call('contacts.set', { name: ' alice ', address: orchardAddress() });
  // Case makes no other name, and the new note stands in the place of the old one.
  t.deepEqual(await wallet.call('contacts.set', { name: 'Alice', address: ALICE }), {
    name: 'Alice',
    address: ALICE,
    note: null,
  });
  const all = { contacts: [{ name: 'Alice', address: ALICE, note: null }, zoe] };
  await wallet.call('labels.set', {
    diversifier_index: (await wallet.call('address.get')).diversifier_index,
    label: 'x',
  });
  await wallet.call('wallet.change_password', { password: PASSWORD, new_password: 'another one' });
  await wallet.call('wallet.lock');
  for (const [name, input] of [
    ['contacts.list', {}],
    ['contacts.set', zoe],
    ['contacts.remove', { name: 'Zoë' }],
  ] as const)
    t.is(await wallet.failure(name, input), 'WALLET_LOCKED');
  await wallet.call('wallet.unlock', { password: 'another one' });
  t.deepEqual(await wallet.call('contacts.list'), all);
  t.deepEqual(await wallet.call('contacts.remove', { name: 'ALICE' }), { removed: true });
  t.deepEqual(await wallet.call('contacts.remove', { name: 'alice' }), { removed: false });
  t.deepEqual(await wallet.call('contacts.list'), { contacts: [zoe] });
  t.is((await wallet.call('labels.list')).labels.length, 1);
});

test('what is refused is neither kept nor repeated', async (t) => {
  const { wallet, own } = await made(t);
  await wallet.call('contacts.set', { name: 'Alice', address: ALICE });
  const MAIN = 't1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs';
  for (const [input, message] of [
    [{ name: 'Bob', address: own }, /address is an address of this wallet/],
    [{ name: 'Bob', address: MAIN }, /address is refused/],
    [{ name: 'Bob', address: ALICE }, /address is that of another contact/],
    [{ name: ALICE, address: orchardAddress() }, /name must not look like an address/],
    [{ name: 'zcash:u1', address: orchardAddress() }, /name must not look like an address/],
    [{ name: 'Bob\u202e', address: orchardAddress() }, /name must be text without control/],
    [{ name: 'Bob', address: orchardAddress(), note: 'x'.repeat(501) }, /note must be at most 500/],
  ] as const) {
    const error = await t.throwsAsync(wallet.call('contacts.set', input), { message });
    t.false(error.message.includes(input.address));
  }
  t.is((await wallet.call('contacts.list')).contacts.length, 1);
});

test('a payment to a contact: prepared, inspected and booked under the name', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: 2 * ZEC }, { pool: 'ironwood', zatoshi: 2 * ZEC });
  await bed.wallet.call('contacts.set', { name: 'Alice', address: ALICE });
  const prepared = await bed.prepare({ contact: 'ALICE', amount: '0.5' });
  t.like(prepared.payments[0], { address: ALICE, contact: 'Alice', amount_zatoshi: ZEC / 2 });
  t.deepEqual(prepared.warnings, []);
  const inspected = await bed.wallet.call('pczt.inspect', { pczt: prepared.pczt });
  t.is(inspected.outputs.find(({ role }) => role === 'payment')!.contact, 'Alice');
  t.is(inspected.outputs.find(({ role }) => role === 'change')!.contact, null);
  await bed.wallet.call('payments.discard', { payment_id: prepared.payment_id });
  const several = await bed.prepare({ recipients: [{ contact: 'alice', zatoshi: 5_000 }] });
  t.is(several.payments[0]!.address, ALICE);
  // The name is that of the moment: without it the address alone is told.
  await bed.wallet.call('contacts.remove', { name: 'Alice' });
  t.is((await bed.payment(several.payment_id)).payments[0]!.contact, null);

  const refusal = await bed.refusal({ contact: 'Mallory', amount: '0.5' });
  t.is(refusal.code, 'NOT_FOUND');
  t.false(refusal.detail.includes('Mallory'));
  const both = await bed.refusal({ contact: 'Alice', address: ALICE, amount: '0.5' });
  t.deepEqual(both.errors, [
    { path: 'contact', message: 'cannot be given beside another way to say whom to pay' },
  ]);
  const neither = await bed.refusal({ recipients: [{ amount: '1' }] });
  t.deepEqual(neither.errors, [{ path: 'recipients.0.address', message: 'is required', code: 'required' }]);
  const twice = await bed.refusal({ recipients: [{ contact: 'Alice', address: ALICE, amount: '1' }] });
  t.like(twice.errors[0], {
    path: 'recipients.0.address',
    message: 'or contact is needed, and not both',
  });
});

test('an address with one receiver more than the contact has is not named after it', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: 2 * ZEC });
  await bed.wallet.call('contacts.set', { name: 'Alice', address: saplingAddress() });
  const prepared = await bed.prepare({ address: ALICE, amount: '0.5' });
  t.is(prepared.payments[0]!.contact, null);
  const inspected = await bed.wallet.call('pczt.inspect', { pczt: prepared.pczt });
  t.is(inspected.outputs.find(({ role }) => role === 'payment')!.contact, null);
});

test('an address that looks like a known one is warned of, and so is an own one', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: 2 * ZEC });
  const toSapling = { amount: '0.1', privacy: ['crossing_pools'] };
  const before = await bed.prepare({ address: LIKE_SAPLING, ...toSapling });
  t.deepEqual(before.warnings, []);
  await bed.wallet.call('payments.discard', { payment_id: before.payment_id });

  await bed.wallet.call('contacts.set', { name: 'Alice', address: saplingAddress() });
  const prepared = await bed.prepare({ address: LIKE_SAPLING, ...toSapling });
  const text =
    'begins and ends like the address of your contact Alice, and is another one: compare every character';
  t.deepEqual(prepared.warnings, [{ address: LIKE_SAPLING, text }]);
  t.is(prepared.payments[0]!.contact, null);
  const { warnings } = await bed.wallet.call('pczt.inspect', { pczt: prepared.pczt });
  t.deepEqual(
    warnings.map((one) => [one.code, one.text]),
    [['looks_like_known', `the address ${text}`]],
  );
  await bed.wallet.call('payments.discard', { payment_id: prepared.payment_id });
  const own = await bed.prepare({ address: bed.address, amount: '0.1' });
  t.deepEqual(own.warnings, [{ address: bed.address, text: 'is an address of this wallet itself' }]);
});
