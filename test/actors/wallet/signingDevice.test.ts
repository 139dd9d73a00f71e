// What an import says about the seed and the device that sign: kept with the accounts, and refused where it contradicts itself.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { FINGERPRINT, keysOf, PARAMS, PHRASE } from '@wallet-companion/pczt/test/spendingAccount';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { toIncomingViewingKeys } from '@wallet-companion/zcash/keys';
import { networkParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import { PASSWORD, startWallet } from '../../helpers/walletHarness.ts';

const MAIN = networkParameters('main');
const SEED_FINGERPRINT = bytesToHex(FINGERPRINT);
const viewingKey = (account: number): string => encodeUnifiedViewingKey(keysOf(account), PARAMS);
const imported = (account: number) => ({
  viewing_key: viewingKey(account),
  account_index: account,
  seed_fingerprint: SEED_FINGERPRINT,
  password: PASSWORD,
  birthday_height: 1,
});

async function start(t: ExecutionContext) {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  t.teardown(() => wallet.stop());
  /** The paths that it is refused for. */
  const refused = async (
    name: 'wallet.device' | 'accounts.import_viewing_key' | 'wallet.import_viewing_key',
    input: object,
  ): Promise<string[]> => {
    const result = await wallet.link.dispatch(name, input as never, { requestId: 'r' });
    if (result.ok) throw new Error('it was taken');
    t.true(['INVALID_REQUEST', 'INVALID_VIEWING_KEY'].includes(result.error.code), result.error.detail);
    return (result.error.errors ?? []).map(({ path }) => path);
  };
  return { wallet, refused };
}

test('an import keeps them, and so does the file', async (t) => {
  const { wallet } = await start(t);
  const device = { device: 'keystone', device_version: '3.0.2' };
  const { warning } = await wallet.call('wallet.import_viewing_key', {
    ...imported(7),
    ...device,
    name: 'Savings',
  });
  t.regex(warning ?? '', /NU7/);
  const shown = async () => {
    const { accounts, seed_fingerprint } = await wallet.call('accounts.list');
    const { device: signs } = await wallet.call('wallet.status');
    return {
      signs,
      seed_fingerprint,
      accounts: accounts.map(({ account, name, account_index }) => [account, name, account_index]),
    };
  };
  const expected = {
    signs: { kind: 'keystone', version: '3.0.2' },
    seed_fingerprint: SEED_FINGERPRINT,
    accounts: [[0, 'Savings', 7]],
  };
  t.deepEqual(await shown(), expected);
  await wallet.call('wallet.lock');
  t.is((await wallet.call('wallet.status')).device, null);
  await wallet.call('wallet.unlock', { password: PASSWORD });
  t.deepEqual(await shown(), expected);
  // Another device begins without a version.
  const { device: other } = await wallet.call('wallet.device', { device: 'ledger' });
  t.deepEqual(other, { kind: 'ledger', version: null });
  t.is((await wallet.call('wallet.status')).device?.kind, 'ledger');
});

test('a wallet without them opens, and says that they are not known', async (t) => {
  const { wallet, refused } = await start(t);
  await wallet.call('wallet.import_viewing_key', {
    viewing_key: viewingKey(1),
    password: PASSWORD,
    birthday_height: 1,
  });
  await wallet.call('wallet.lock');
  await wallet.call('wallet.unlock', { password: PASSWORD });
  const { accounts, seed_fingerprint } = await wallet.call('accounts.list');
  t.is(seed_fingerprint, null);
  t.like(accounts[0], { account: 0, name: null, account_index: null });
  t.deepEqual(await refused('wallet.device', { device_version: '3.0.2' }), ['device_version']);
});

test('a wallet with a phrase knows its own', async (t) => {
  const { wallet, refused } = await start(t);
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  const own = await wallet.call('wallet.device', { device: 'other' });
  t.like(own, { account_index: 0, seed_fingerprint: SEED_FINGERPRINT });
  t.deepEqual(await refused('wallet.device', { account_index: 1 }), ['account_index']);
  t.deepEqual(await refused('wallet.device', { seed_fingerprint: '00'.repeat(32) }), ['seed_fingerprint']);
  t.deepEqual(await refused('accounts.import_viewing_key', imported(1)), ['viewing_key']);
});

test('another account of the seed is added, once, with the right key', async (t) => {
  const { wallet, refused } = await start(t);
  await wallet.call('wallet.import_viewing_key', imported(1));
  const added = await wallet.call('accounts.import_viewing_key', { ...imported(7), name: 'Holidays' });
  t.like(added, { account: 1, account_index: 7, name: 'Holidays', complete: false });
  t.is((await wallet.call('address.get', { account: 1 })).unified_address, added.unified_address);
  for (const [change, path] of [
    [{ ...imported(3), account_index: 1 }, 'account_index'],
    [{ ...imported(7), account_index: 3 }, 'viewing_key'],
    [{ ...imported(3), seed_fingerprint: '00'.repeat(32) }, 'seed_fingerprint'],
    [
      { ...imported(3), viewing_key: encodeUnifiedViewingKey(toIncomingViewingKeys(keysOf(3)), PARAMS) },
      'viewing_key',
    ],
    [{ ...imported(3), viewing_key: encodeUnifiedViewingKey(keysOf(3), MAIN) }, 'viewing_key'],
  ] as const)
    t.deepEqual(await refused('accounts.import_viewing_key', change), [path]);
  t.is(
    await wallet.failure('accounts.import_viewing_key', { ...imported(3), password: 'x' }),
    'WRONG_PASSWORD',
  );
  t.deepEqual(await refused('wallet.device', { account: 1, account_index: 1 }), ['account_index']);
  t.is((await wallet.call('accounts.list')).accounts.length, 2);
  await wallet.call('wallet.lock');
  await wallet.call('wallet.unlock', { password: PASSWORD });
  t.is((await wallet.call('accounts.list')).accounts.length, 2);
  t.deepEqual(wallet.faults, []);
});

test('what no device says is refused, and no wallet is made', async (t) => {
  const { wallet, refused } = await start(t);
  for (const [change, path] of [
    [{ viewing_key: encodeUnifiedViewingKey(keysOf(1), MAIN) }, 'viewing_key'],
    [{ seed_fingerprint: 'ab'.repeat(31) }, 'seed_fingerprint'],
    [{ seed_fingerprint: 'AG'.repeat(32) }, 'seed_fingerprint'],
    [{ account_index: 2 ** 31 }, 'account_index'],
    [{ account_index: -1 }, 'account_index'],
    [{ name: 'Sav\u202eings' }, 'name'],
    [{ name: 'x'.repeat(300) }, 'name'],
    [{ device: 'trezor' }, 'device'],
    [{ device: 'keystone', device_version: '3.0' }, 'device_version'],
    [{ device_version: '3.0.2' }, 'device_version'],
  ] as const)
    t.deepEqual(await refused('wallet.import_viewing_key', { ...imported(1), ...change }), [path], path);
  t.false((await wallet.call('wallet.exists')).exists);
});
