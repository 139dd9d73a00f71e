// Whom a text means: nothing that could be an address is a contact's name.

import test from 'ava';
import { recipientIn } from '../../../src/contract/copiedText.ts';

test('a text is an address, a name or a request, and never two of them', (t) => {
  const transparent = 't1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs';
  t.deepEqual(recipientIn(` ${transparent}\n`), { address: transparent });
  t.deepEqual(recipientIn(`u1${'q'.repeat(140)}`), { address: `u1${'q'.repeat(140)}` });
  t.deepEqual(recipientIn('ZCASH:u1abc?amount=1'), { uri: 'ZCASH:u1abc?amount=1' });
  for (const name of [
    'alice',
    'u1alice',
    'Bäckerei Müller am alten Markt',
    'a-name-of-more-than-24-letters',
    'zcash',
  ])
    t.deepEqual(recipientIn(name), { contact: name });
});
