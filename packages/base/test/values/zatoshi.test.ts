import test from 'ava';
import { zecColumn, zecText } from '../../src/values/zatoshi.ts';

test('amounts are written without trailing zeros, and as a column with eight decimals', (t) => {
  const forms = [0, 1, 10, 100_000_000, 1_000_000_000, 150_000_000, 2_100_000_000_000_000];
  t.deepEqual(forms.map(zecText), ['0', '0.00000001', '0.0000001', '1', '10', '1.5', '21000000']);
  t.deepEqual(forms.slice(1, 4).map(zecColumn), ['0.00000001', '0.00000010', '1.00000000']);
  t.deepEqual([zecText(-150_000_000), zecColumn(-1)], ['-1.5', '-0.00000001']);
});
