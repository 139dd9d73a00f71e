import { concatBytes, encodeCompactSize, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { coinbaseHeight } from '../../src/zcash/encoding/coinbaseHeight.ts';
import { parseTransaction, type Transaction } from '../../src/zcash/encoding/transaction.ts';

function coinbaseWith(scriptHex: string, prevIndex = 'ffffffff'): Transaction {
  const script = hexToBytes(scriptHex);
  return parseTransaction(
    concatBytes(
      Uint8Array.of(1, 0, 0, 0, 1),
      new Uint8Array(32),
      hexToBytes(prevIndex),
      encodeCompactSize(script.length),
      script,
      hexToBytes('ffffffff'),
      Uint8Array.of(0, 0, 0, 0, 0),
    ),
  );
}

for (const [script, height] of [
  ['51', 1],
  ['6000', 16],
  ['0111', 17],
  ['017f', 127],
  ['028000', 128],
  ['02ff7f', 32767],
  ['03008000', 32768],
  ['03b0e721', 2_222_000],
  ['04ffffff7f', 2 ** 31 - 1],
  ['04ffff071f01044552', 0],
] as const) {
  test(`script ${script} says height ${height}`, (t) => {
    t.is(coinbaseHeight(coinbaseWith(script)), height);
  });
}

for (const [title, script] of [
  ['an empty script', ''],
  ['OP_0', '00'],
  ['a push that is cut short', '0311'],
  ['a push of five bytes', '050000000001'],
  ['a negative number', '0180'],
  ['a number with a useless zero byte', '021100'],
  ['a small number that has an opcode of its own', '0110'],
] as const) {
  test(`malformed: ${title}`, (t) => {
    t.throws(() => coinbaseHeight(coinbaseWith(script)), { instanceOf: FormatError });
  });
}

test('an ordinary transaction has no height', (t) => {
  t.throws(() => coinbaseHeight(coinbaseWith('51', '00000000')), { instanceOf: FormatError });
});
