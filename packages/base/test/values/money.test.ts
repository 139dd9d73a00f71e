// Decimal arithmetic against fractions of integers.

import test from 'ava';
import fc from 'fast-check';
import { minorUnits, moneyFor, moneySum, moneyText, zatoshiFor } from '../../src/values/money.ts';
import { runs } from '../helpers/atLength.ts';

/** `digits` / 10^`scale` as text. */
const text = (digits: bigint, scale: number): string => {
  const padded = String(digits).padStart(scale + 1, '0');
  return scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
};
const positive = fc.bigInt(1n, 10n ** 12n - 1n);

test('an amount in zatoshi is worth the money at the rate, and less than a zatoshi more', (t) => {
  fc.assert(
    fc.property(positive, fc.nat(4), positive, fc.nat(10), (money, moneyScale, rate, rateScale) => {
      const zatoshi = zatoshiFor(text(money, moneyScale), text(rate, rateScale));
      // zatoshi / 10^8 * rate / 10^rateScale >= money / 10^moneyScale > (zatoshi - 1) / 10^8 * ...
      const asked = money * 10n ** BigInt(8 + rateScale);
      const worth = (one: bigint) => one * rate * 10n ** BigInt(moneyScale);
      return worth(zatoshi) >= asked && worth(zatoshi - 1n) < asked;
    }),
    { numRuns: runs(500) },
  );
  t.is(zatoshiFor('12.50', '412.37'), 3_031_259n);
  t.is(zatoshiFor('1', '3'), 33_333_334n);
});

test('amounts have the decimals of their currency (ISO 4217), and no more', (t) => {
  for (const [amount, currency, shown] of [
    ['12.5', 'EUR', '12.50'],
    ['0012', 'EUR', '12.00'],
    ['1250', 'JPY', '1250'],
    ['0.005', 'KWD', '0.005'],
    ['1.250', 'EUR', undefined],
    ['1.5', 'JPY', undefined],
    ['0.00', 'EUR', undefined],
    ['-1', 'EUR', undefined],
    ['1e3', 'EUR', undefined],
    ['1,5', 'EUR', undefined],
    ['1234567890123', 'EUR', undefined],
  ] as const)
    t.is(moneyText(amount, currency), shown, `${amount} ${currency}`);
  fc.assert(
    fc.property(fc.constantFrom('EUR', 'JPY', 'TND'), fc.array(positive), (currency, amounts) => {
      const units = minorUnits(currency);
      const sum = amounts.reduce((all, one) => all + one, 0n);
      const shown = amounts.map((one) => text(one, units));
      return moneySum(shown, currency) === text(sum, units);
    }),
  );
});

test('a value is rounded once, half away from zero, to the smallest unit of its currency', (t) => {
  t.is(moneyFor(100_000_000, '412.37', 'EUR'), '412.37');
  t.is(moneyFor(-100_000_000, '412.37', 'EUR'), '-412.37');
  t.is(moneyFor(1_000_000, '0.5', 'EUR'), '0.01');
  t.is(moneyFor(-1_000_000, '0.5', 'EUR'), '-0.01');
  t.is(moneyFor(999_999, '0.5', 'EUR'), '0.00');
  t.is(moneyFor(150_000_000, '60001', 'JPY'), '90002');
  t.is(moneyFor(2_100_000_000_000_000, '412.37', 'KWD'), '8659770000.000');
});
