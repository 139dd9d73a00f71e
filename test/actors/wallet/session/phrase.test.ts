// Whether the phrase is written down: three of its words show it, and nothing else does.

import test from 'ava';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const config = { network: 'regtest' } as const;

test('a new phrase counts as unwritten until three of its words come back, also after a restart', async (t) => {
  const wallet = await startWallet(t, { config });
  const { mnemonic } = await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  const words = mnemonic.split(' ');
  const status = () => wallet.call('wallet.status');
  const confirm = (given?: string) =>
    wallet.call('wallet.confirm_phrase', {
      password: PASSWORD,
      ...(given !== undefined && { words: given }),
    });
  const refusal = (given: string, password = PASSWORD) =>
    wallet.failure('wallet.confirm_phrase', { password, words: given });
  t.false((await status()).phrase_confirmed);
  t.regex((await status()).warning ?? '', /wallet backup/);

  const { confirmed, numbers } = await confirm();
  t.false(confirmed);
  t.is(new Set(numbers).size, 3);
  t.true(numbers.every((number) => number >= 1 && number <= 24));
  const right = numbers.map((number) => `${number} ${words[number - 1]}`);

  const [first = 0] = numbers;
  const other = words.find((word) => word !== words[first - 1]);
  t.is(await refusal([`${first} ${other}`, ...right.slice(1)].join(' ')), 'INVALID_MNEMONIC');
  t.is(await refusal([...right.slice(1), '25 abandon'].join(' ')), 'INVALID_MNEMONIC');
  t.is(await refusal([right[0], right[0], right[1]].join(' ')), 'INVALID_REQUEST');
  t.is(await refusal(right.slice(1).join(' ')), 'INVALID_REQUEST');
  t.is(await refusal(right.join(' '), 'wrong'), 'WRONG_PASSWORD');
  await wallet.call('wallet.backup', { password: PASSWORD });
  t.false((await status()).phrase_confirmed);

  t.deepEqual(await confirm(right.join('  ').toUpperCase()), { confirmed: true, numbers });
  t.true((await status()).phrase_confirmed);
  t.is((await status()).warning, undefined);
  await wallet.stop();
  const again = await startWallet(t, { config, folder: wallet.folder });
  t.teardown(() => again.stop());
  t.is((await again.call('wallet.status')).phrase_confirmed, null);
  await again.call('wallet.unlock', { password: PASSWORD });
  t.true((await again.call('wallet.status')).phrase_confirmed);
  // Its phrase was seen, as `wallet.remove` wants it.
  t.true((await again.call('wallet.remove', { password: PASSWORD })).removed);
});

test('words open a locked wallet to remember them; a typed phrase needs none, and a watching wallet has none', async (t) => {
  const wallet = await startWallet(t, { config });
  const { mnemonic } = await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  const words = mnemonic.split(' ');
  await wallet.stop();
  const locked = await startWallet(t, { config, folder: wallet.folder });
  t.teardown(() => locked.stop());
  await locked.call('wallet.confirm_phrase', {
    password: PASSWORD,
    words: [1, 2, 24].map((number) => `${number} ${words[number - 1]}`).join(' '),
  });
  t.true((await locked.call('wallet.status')).phrase_confirmed);
  const { viewing_key } = await locked.call('wallet.viewing_key', { password: PASSWORD });

  const restored = await startWallet(t, { config });
  t.teardown(() => restored.stop());
  await restored.call('wallet.restore', { mnemonic, password: PASSWORD, birthday_height: 1 });
  t.true((await restored.call('wallet.status')).phrase_confirmed);

  const watching = await startWallet(t, { config });
  t.teardown(() => watching.stop());
  await watching.call('wallet.import_viewing_key', { viewing_key, password: PASSWORD, birthday_height: 1 });
  t.is((await watching.call('wallet.status')).phrase_confirmed, null);
  t.is(await watching.failure('wallet.confirm_phrase', { password: PASSWORD }), 'INVALID_REQUEST');
});
