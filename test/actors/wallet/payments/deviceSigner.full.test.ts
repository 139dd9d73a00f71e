// What signs for the wallet: where it finds the keys is in each PCZT, and what it does not sign is refused before anything is
// built or reserved.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { encodePczt } from '@wallet-companion/pczt/pczt';
import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { withSignatures } from '@wallet-companion/pczt/test/completion';
import {
  FINGERPRINT,
  keysOf,
  orchardAddress,
  SEED,
  saplingAddress,
} from '@wallet-companion/pczt/test/spendingAccount';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import test, { type ExecutionContext } from 'ava';
import {
  companionWorld,
  type Funding,
  ORCHARD_FIRST,
  PARAMS,
  type Prepared,
  pcztIn,
} from '../../../helpers/companionWorld.ts';
import { PASSWORD, seededRandom } from '../../../helpers/walletHarness.ts';

const ZEC = 100_000_000;
const WANTED = { address: orchardAddress(2), amount: '0.5' };
const SEED_FINGERPRINT = bytesToHex(FINGERPRINT);
const HARDENED = 2 ** 31;

type Facts = NonNullable<NonNullable<Parameters<typeof companionWorld>[1]>['facts']>;

/** A wallet of the viewing key of an account of the phrase. */
async function watching(t: ExecutionContext, account: number, facts: Facts, ...funds: readonly Funding[]) {
  const viewingKey = encodeUnifiedViewingKey(keysOf(account), PARAMS);
  const bed = await companionWorld(t, { ...ORCHARD_FIRST, viewingKey, facts });
  await bed.fund(...(funds.length === 0 ? [{ pool: 'ironwood', zatoshi: ZEC } as const] : funds));
  return bed;
}

const pathsIn = (prepared: Pick<Prepared, 'pczt'>) =>
  pcztIn(prepared).ironwood.actions.flatMap(({ spend, output }) =>
    [spend.zip32Derivation ?? [], output.zip32Derivation ?? []].flat(),
  );

const numbersOf = (path: readonly number[]): number[] => path.map((index) => index - HARDENED);

for (const account of [1, 7])
  test(`account ${account} of the seed is in each path, and what it names signs`, async (t) => {
    const facts = { account_index: account, seed_fingerprint: SEED_FINGERPRINT };
    const bed = await watching(t, account, facts);
    const prepared = await bed.prepare(WANTED);
    const paths = pathsIn(prepared);
    t.true(paths.length >= 2);
    for (const { seedFingerprint, derivationPath } of paths) {
      t.is(bytesToHex(seedFingerprint), SEED_FINGERPRINT);
      t.deepEqual(numbersOf(derivationPath), [32, 1, account]);
    }
    const named = numbersOf(paths[0]!.derivationPath)[2]!;
    const keys = deriveSigningKeys(SEED, PARAMS, named);
    const signed = withSignatures(pcztIn(prepared), keys, seededRandom('device'));
    const returned = await bed.wallet.call('payments.combine', {
      payment_id: prepared.payment_id,
      pczt: Buffer.from(encodePczt(signed.pczt, 2)).toString('base64'),
    });
    t.is(returned.signatures_added, 1);
  });

test('a second account of the seed pays with its own path', async (t) => {
  const bed = await watching(t, 1, { account_index: 1, seed_fingerprint: SEED_FINGERPRINT });
  const { account, unified_address: address } = await bed.wallet.call('accounts.import_viewing_key', {
    viewing_key: encodeUnifiedViewingKey(keysOf(7), PARAMS),
    account_index: 7,
    birthday_height: bed.devnet.tip.height + 1,
    password: PASSWORD,
  });
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC, address });
  const prepared = await bed.prepare({ ...WANTED, account });
  t.is(prepared.account, 1);
  t.deepEqual(numbersOf(pathsIn(prepared)[0]!.derivationPath), [32, 1, 7]);
  t.deepEqual(bed.wallet.faults, []);
});

test('what is not known is asked for, and never half of it', async (t) => {
  const bed = await watching(t, 1, {});
  const fields = async (input: object) => {
    const { code, errors } = await bed.refusal({ ...WANTED, ...input });
    t.is(code, 'INVALID_REQUEST');
    return errors.map((one) => (one as { path: string }).path);
  };
  t.deepEqual(await fields({ seed_fingerprint: SEED_FINGERPRINT }), ['account_index']);
  t.deepEqual(await fields({ account_index: 1 }), ['seed_fingerprint']);

  const without = await bed.prepare(WANTED);
  t.deepEqual(pathsIn(without), []);
  t.deepEqual(
    without.warnings.map(({ address }) => address),
    [null],
  );
  t.regex(without.warnings[0]!.text, /wallet\.device/);
  await bed.wallet.call('payments.discard', { payment_id: without.payment_id });

  const reported = await bed.prepare({ ...WANTED, account_index: 1, seed_fingerprint: SEED_FINGERPRINT });
  t.deepEqual(numbersOf(pathsIn(reported)[0]!.derivationPath), [32, 1, 1]);
  t.deepEqual(reported.warnings, []);
  await bed.wallet.call('payments.discard', { payment_id: reported.payment_id });

  const kept = await bed.wallet.call('wallet.device', {
    account_index: 1,
    seed_fingerprint: SEED_FINGERPRINT,
  });
  t.like(kept, { device: null, account: 0, account_index: 1, seed_fingerprint: SEED_FINGERPRINT });
  t.deepEqual(await fields({ account_index: 2 }), ['account_index']);
  t.deepEqual(await fields({ seed_fingerprint: '00'.repeat(32) }), ['seed_fingerprint']);
  t.deepEqual(numbersOf(pathsIn(await bed.prepare(WANTED))[0]!.derivationPath), [32, 1, 1]);
});

test('a payment that the device does not sign is refused before anything is reserved, and prepared anyway on request', async (t) => {
  const facts = { device: 'ledger', device_version: '3.9.2' } as const;
  const bed = await watching(t, 1, facts, { pool: 'sapling', zatoshi: ZEC });
  const wanted = { address: saplingAddress(2), amount: '0.5' };
  const { code, detail, errors } = await bed.refusal(wanted);
  t.is(code, 'DEVICE_LIMIT');
  t.regex(detail, /signs for no notes in Sapling.*try_anyway/);
  t.deepEqual(
    errors.map((one) => (one as { path: string }).path),
    ['pools', 'address', 'change'],
  );
  t.is((await bed.wallet.call('payments.list')).payments.length, 0);
  t.is((await bed.wallet.call('balance.get')).reserved_zatoshi, 0);

  const prepared = await bed.prepare({ ...wanted, try_anyway: true });
  const texts = prepared.warnings.map(({ text }) => text);
  t.true(texts.some((text) => /no notes in Sapling/.test(text)));
  t.deepEqual(bed.wallet.faults, []);
});

test('an old firmware is refused, the next one is not, and each is warned of rules that it does not know', async (t) => {
  const facts = {
    account_index: 1,
    seed_fingerprint: SEED_FINGERPRINT,
    device: 'keystone',
    device_version: '13.0.0',
  } as const;
  const bed = await watching(t, 1, facts);
  const { code, errors } = await bed.refusal(WANTED);
  t.is(code, 'DEVICE_LIMIT');
  t.deepEqual(
    errors.map((one) => (one as { path: string }).path),
    ['device_version'],
  );
  const { device, warning } = await bed.wallet.call('wallet.device', { device_version: '13.0.2' });
  t.deepEqual(device, { kind: 'keystone', version: '13.0.2' });
  t.regex(warning ?? '', /NU7/);
  const { warnings } = await bed.prepare(WANTED);
  t.is(warnings.length, 1);
  t.regex(warnings[0]!.text, /Keystone up to version 3\.0\.2.*NU7/);
});

test('Keystone gets no payment without a path to its keys', async (t) => {
  const bed = await watching(t, 1, { device: 'keystone', device_version: '3.0.2' });
  const { code, errors } = await bed.refusal(WANTED);
  t.is(code, 'DEVICE_LIMIT');
  t.deepEqual(
    errors.map((one) => (one as { path: string }).path),
    ['account_index'],
  );
});
