import { blake2b256 } from '@wallet-companion/zcash/curves';
import test from 'ava';
import fc from 'fast-check';
import { loadKernel } from '../../src/kernel/loadKernel.ts';
import { createBlake2b256 } from '../../src/kernel/verify/transactionHash.ts';

const kernel = await loadKernel({ choice: 'portable' });

test('equals the reference for any parts', (t) => {
  const hash = createBlake2b256(kernel);
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 }),
      (personal, parts) => t.deepEqual(hash(personal, parts), blake2b256(personal, parts)),
    ),
  );
});

test('equals the reference around block borders and for messages larger than its memory', (t) => {
  const hash = createBlake2b256(kernel);
  const personal = new Uint8Array(16).fill(7);
  for (const length of [0, 1, 127, 128, 129, 255, 256, 257, 2_000_000]) {
    const message = Uint8Array.from({ length }, (_, i) => i);
    t.deepEqual(hash(personal, [message]), blake2b256(personal, [message]), String(length));
  }
});
