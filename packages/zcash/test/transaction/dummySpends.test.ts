import { FormatError } from '@wallet-companion/base/bytes';
import test from 'ava';
import { signDummySpend } from '../../src/zcash/transaction/dummySpends.ts';
import { cryptographyOf } from '../../src/zcash/transaction/poolCryptography.ts';
import { shieldedSighash } from '../../src/zcash/transaction/sighash.ts';
import { madeUpTransaction, wordBytes } from '../helpers/madeUpTransactions.ts';

const random = (length: number): Uint8Array => Uint8Array.from(wordBytes(length, 'random'));
const isWiped = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

test('dummies of every pool are signed, and their keys are gone afterwards', (t) => {
  const { effects, dummies } = madeUpTransaction(6);
  const sighash = shieldedSighash(effects);
  t.deepEqual([...new Set(dummies.map(({ pool }) => pool))], ['sapling', 'orchard', 'ironwood']);
  for (const { pool, rk, alpha, key } of dummies) {
    const held = key();
    t.false(isWiped(held));
    const signature = signDummySpend(pool, { rk, alpha, key: held }, sighash, random);
    t.true(isWiped(held));
    t.true(cryptographyOf(pool).spendAuth.verify(rk, sighash, signature));
  }
});

test('a key that is not that of the spend signs nothing, and is gone as well', (t) => {
  const { effects, dummies } = madeUpTransaction(6);
  const sighash = shieldedSighash(effects);
  for (const { pool, rk, alpha, key } of dummies) {
    const others = [
      { rk, alpha, key: Uint8Array.from(wordBytes(31, 'other'), (byte) => byte) },
      { rk, alpha, key: Uint8Array.from(wordBytes(32, 'other')).fill(3, 31) },
      { rk, alpha, key: new Uint8Array(32).fill(0xff) },
      { rk: dummies.find((found) => found.rk !== rk && found.pool === pool)!.rk, alpha, key: key() },
      { rk, alpha: Uint8Array.from(wordBytes(32, 'alpha')).fill(1, 31), key: key() },
      { rk, alpha: new Uint8Array(32).fill(0xff), key: key() },
    ];
    for (const wrong of others) {
      t.throws(() => signDummySpend(pool, wrong, sighash, () => t.fail() as never), {
        instanceOf: FormatError,
      });
      t.true(isWiped(wrong.key));
    }
  }
});
