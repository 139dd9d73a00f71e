// Which addresses a person may take for one another.

import test from 'ava';
import { looksAlike } from '../../src/zcash/address/address.ts';

test('four characters after the prefix and four at the end are what people compare', (t) => {
  const known = 'u1abcdefghijklmnop';
  t.true(looksAlike(known, 'u1abcdxxxxxxxxmnop'));
  t.false(looksAlike(known, known));
  t.false(looksAlike(known, 'u1abcxxxxxxxxxmnop'));
  t.false(looksAlike(known, 'u1abcdxxxxxxxxxnop'));
  t.false(looksAlike(known, 'utest1abcdxxxxxxxmnop'));
});

test('the prefix is what all addresses of a kind have', (t) => {
  t.true(looksAlike('t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs', 't1Hsc1XXXXXXXXXXXXXXXXXXXXXXXXXDLbs'));
  t.false(looksAlike('t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs', 't1HscXXXXXXXXXXXXXXXXXXXXXXXXXXDLbs'));
  t.true(looksAlike('tmF3CKFqQ68GdisHK3D9S8pMty7a7Fr2wiN', 'tmF3CKxxxxxxxxxxxxxxxxxxxxxxxxx2wiN'));
  t.false(looksAlike('zregtestsapling1ha8xw56tpcg', 'zregtestsapling1ha8yw56tpcg'));
});
