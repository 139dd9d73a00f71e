// A birthday by date: on the safe side, at most two weeks, and clear words where that cannot be.

import { blockTimes } from '@wallet-companion/zcash/blockTimes';
import { MAIN, regtestParameters, TEST } from '@wallet-companion/zcash/network';
import test from 'ava';
import { knownBirthday, requestedBirthday } from '../../../../src/actors/wallet/sync/birthday.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { birthday } from '../../../../src/protocol/fields.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const DAY = 86_400;
const NOW = Date.UTC(2026, 10, 22);
const PHRASE = `${'abandon '.repeat(11)}about`;
const times = blockTimes('main')!;
const newest = times.at(-1)!;

const on = (birthday: string, now = NOW) => knownBirthday(MAIN, { birthday }, now);
const textOf = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);

test('every day since Sapling has a birthday that no time zone makes too late, two weeks off at most', (t) => {
  for (let begins = Date.UTC(2018, 9, 30) / 1_000; begins < newest.time; begins += DAY) {
    const { birthdayHeight, warning } = on(textOf(begins));
    const { time } = times.find(({ height }) => height === birthdayHeight)!;
    if (time > begins - 14 * 3_600 || time < begins - 14 * DAY) t.fail(textOf(begins));
    t.is(warning, undefined);
  }
});

test('a month and a year are their first day', (t) => {
  t.deepEqual(on('2021-06'), on('2021-06-01'));
  t.deepEqual(on('2021'), on('2021-01-01'));
  t.true(on('2021-06').birthdayHeight > on('2021').birthdayHeight);
});

test('before Sapling the whole chain is scanned, and a warning reports that', (t) => {
  for (const date of ['2018', '2016-10-28', '0001']) {
    const { birthdayHeight, warning } = on(date);
    t.is(birthdayHeight, MAIN.activation.sapling);
    t.regex(warning ?? '', new RegExp(`On ${date} there were no Sapling funds yet`));
  }
});

test('after the table its newest block is taken, with a word once that is more than two weeks', (t) => {
  t.deepEqual(on(textOf(newest.time + 12 * DAY)), { birthdayHeight: newest.height });
  const { birthdayHeight, warning } = on('2026-11-22');
  t.is(birthdayHeight, newest.height);
  t.regex(warning ?? '', /^The newest block whose date is known here, \d+, is of 2026-10-08: /);
});

test('the help says of which month the newest block is that a date can stand for', (t) => {
  const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  t.true(birthday.description?.endsWith(`of ${month.format(newest.time * 1_000)}`), birthday.description);
});

test('the future is refused, tomorrow in a time zone that is ahead is not', (t) => {
  t.is(on('2026-11-22').birthdayHeight, newest.height);
  t.notThrows(() => on('2026-11-22', Date.UTC(2026, 10, 21, 10)));
  t.throws(() => on('2026-11-23'), { instanceOf: CompanionError, message: /lies in the future/ });
  t.throws(() => on('2199'), { instanceOf: CompanionError, code: 'INVALID_REQUEST' });
  // A clock that is years behind tells nothing against a date that has blocks.
  t.is(on('2025-06', 0).warning, undefined);
});

test('without known times a date is refused', (t) => {
  for (const params of [TEST, regtestParameters()]) {
    t.throws(() => knownBirthday(params, { birthday: '2021' }, NOW), {
      instanceOf: CompanionError,
      code: 'INVALID_REQUEST',
      message: /give birthday_height instead/,
    });
  }
});

test('date and height together are refused; neither says what that means', (t) => {
  t.throws(() => knownBirthday(MAIN, { birthday: '2021', birthday_height: 5 }, NOW), {
    instanceOf: CompanionError,
    code: 'INVALID_REQUEST',
  });
  t.is(requestedBirthday(MAIN, {}, NOW), undefined);
  t.is(knownBirthday(MAIN, {}, NOW).birthdayHeight, MAIN.activation.sapling);
  t.is(knownBirthday(MAIN, { birthday_height: 5 }, NOW).birthdayHeight, MAIN.activation.sapling);
  t.is(knownBirthday(MAIN, { birthday_height: 2_000_000 }, NOW).birthdayHeight, 2_000_000);
});

test('a height that no block has by now is refused, with the date that was meant', (t) => {
  const refusal = (params: typeof MAIN, birthday_height: number, now = NOW) =>
    t.throws(() => knownBirthday(params, { birthday_height }, now), { code: 'INVALID_REQUEST' })!.message;
  t.regex(
    refusal(MAIN, 20_201_102),
    /^birthday_height is higher .* reads as a date: give birthday 2020-11-02 /,
  );
  t.regex(refusal(MAIN, 20_201_102, 0), /give birthday 2020-11-02 instead/, 'a clock that is years behind');
  t.notRegex(refusal(MAIN, 20_201_302), /date/);
  for (const params of [TEST, regtestParameters()])
    t.regex(refusal(params, 20_201_102), /reads as a date: give a height instead/);
  t.is(knownBirthday(regtestParameters(), { birthday_height: 20_201_302 }, NOW).birthdayHeight, 20_201_302);
});

test('restore and accounts take it, and a wallet that exists is not what a bad date hears of', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'main' } });
  const restore = (birthday: string) =>
    wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday });
  for (const birthday of ['2021-13', '2021-02-29', '21', '2021-6', '2500000', '2021-06-01T00:00Z', ''])
    await t.throwsAsync(
      restore(birthday),
      { message: /must be a date: 2021, 2021-06 or 2021-06-15/ },
      birthday,
    );
  const { birthday_height: height, warning } = await restore('2021-06');
  t.is(height, on('2021-06').birthdayHeight);
  t.is(warning, undefined);
  const input = { mnemonic: PHRASE, password: PASSWORD };
  const typed = { password: PASSWORD, birthday_height: 20_201_102 };
  await t.throwsAsync(wallet.call('accounts.create', typed), { message: /give birthday 2020-11-02 instead/ });
  const other = await startWallet(t, { config: { network: 'main' } });
  await t.throwsAsync(other.call('wallet.create', typed), { message: /leave it out/ });
  t.is(await wallet.failure('wallet.restore', { ...input, birthday: '2199' }), 'INVALID_REQUEST');
  t.is(await wallet.failure('wallet.restore', { ...input, birthday: '2021' }), 'WALLET_EXISTS');
  const account = await wallet.call('accounts.create', { password: PASSWORD, birthday: '2022-01-15' });
  t.is(account.birthday_height, on('2022-01-15').birthdayHeight);
  const same = await wallet.call('accounts.create', { password: PASSWORD });
  t.is(same.birthday_height, height);
});

test('a watch-only wallet takes it too', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'main' } });
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD });
  const { viewing_key: key } = await wallet.call('wallet.viewing_key', { password: PASSWORD });
  const watching = await startWallet(t, { config: { network: 'main' } });
  const { birthday_height: height } = await watching.call('wallet.import_viewing_key', {
    viewing_key: key,
    password: PASSWORD,
    birthday: '2023',
  });
  t.is(height, on('2023').birthdayHeight);
});
