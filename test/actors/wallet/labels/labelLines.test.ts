// Labels and contacts leave one wallet and come into another as JSON Lines (BIP 329).

import { orchardAddress, saplingAddress, unifiedAddress } from '@wallet-companion/pczt/test/spendingAccount';
import test from 'ava';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('labels go out as lines and come in again; what means nothing here is ignored', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  const first = await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  const { diversifier_index, unified_address, sapling_address } = await wallet.call('address.next');
  await wallet.call('labels.set', { diversifier_index, label: 'Müller & Co' });
  const { text } = await wallet.call('labels.export');
  t.deepEqual(JSON.parse(text), { type: 'addr', ref: unified_address, label: 'Müller & Co' });
  await wallet.call('labels.remove', { diversifier_index });
  const others = [
    { type: 'tx', ref: 'ab'.repeat(32), label: 'rent' },
    { type: 'shape', ref: unified_address, label: 'x' },
    { type: 'addr', ref: 'bc1qnobody', label: 'elsewhere' },
    { type: 'addr', ref: unified_address },
    { type: 'addr', ref: unified_address, label: null },
  ].map((line) => JSON.stringify(line));
  const labels = base64([`\ufeff${text.trim()}`, '', ...others].join('\r\n'));
  t.deepEqual(await wallet.call('labels.import', { labels }), { imported: 1, contacts: 0, ignored: 5 });
  t.is((await wallet.call('labels.export')).text, text);
  // One receiver names the address, too, and a label that was there stays.
  const line = JSON.stringify({ type: 'addr', ref: first.unified_address, label: 'first' });
  const again = JSON.stringify({ type: 'addr', ref: sapling_address, label: 'Shop' });
  await wallet.call('labels.import', { labels: base64(`${line}\n`) });
  await wallet.call('labels.import', { labels: base64(`${again}\n`) });
  t.deepEqual((await wallet.call('labels.list')).labels.map(({ label }) => label).sort(), ['Shop', 'first']);
});

test('a line that is wrong changes nothing, and is named', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  const { unified_address: ref } = await wallet.call('wallet.create', {
    password: PASSWORD,
    birthday_height: 1,
  });
  const good = JSON.stringify({ type: 'addr', ref, label: 'good' });
  for (const bad of ['{', '5', JSON.stringify({ type: 'addr', ref, label: 'x'.repeat(257) })])
    await t.throwsAsync(wallet.call('labels.import', { labels: base64(`${good}\n${bad}`) }), {
      message: /line 2/,
    });
  t.deepEqual((await wallet.call('labels.list')).labels, []);
});

test('an address of somebody else is a contact, and goes out and in with its note', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  await wallet.call('contacts.set', { name: 'Alice', address: saplingAddress(), note: 'rent' });
  const { text } = await wallet.call('labels.export');
  t.deepEqual(JSON.parse(text), { type: 'addr', ref: saplingAddress(), label: 'Alice', note: 'rent' });
  t.is((await wallet.call('labels.export', { account: 0 })).text, '');
  await wallet.call('contacts.remove', { name: 'Alice' });
  const bob = JSON.stringify({ type: 'addr', ref: orchardAddress(), label: 'Bob' });
  const labels = base64(`${text}${bob}\n`);
  t.deepEqual(await wallet.call('labels.import', { labels }), { imported: 0, contacts: 2, ignored: 0 });
  // The name changes, the note stays.
  const renamed = base64(JSON.stringify({ type: 'addr', ref: saplingAddress(), label: 'Alice B.' }));
  await wallet.call('labels.import', { labels: renamed });
  const all = [
    { name: 'Alice B.', address: saplingAddress(), note: 'rent' },
    { name: 'Bob', address: orchardAddress(), note: null },
  ];
  t.deepEqual(await wallet.call('contacts.list'), { contacts: all });
  for (const label of ['bob', orchardAddress(), 5])
    await t.throwsAsync(
      wallet.call('labels.import', {
        labels: base64(`${bob}\n${JSON.stringify({ type: 'addr', ref: unifiedAddress(), label })}`),
      }),
      { message: /line 2/ },
    );
  t.deepEqual(await wallet.call('contacts.list'), { contacts: all });
});
