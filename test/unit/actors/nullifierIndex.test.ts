import { asNullifierHex } from '@wallet-companion/zcash/identifiers';
import { POOLS } from '@wallet-companion/zcash/pools';
import test from 'ava';
import fc from 'fast-check';
import { NullifierIndex } from '../../../src/actors/wallet/noteStore/book/nullifierIndex.ts';

// Few different bytes at both ends, so that some begin alike and differ later.
const nullifier = fc
  .tuple(fc.nat(2), fc.nat(2))
  .map(([first, last]) => Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? last : first + 0x80)));

test('any sequence of changes equals a map of whole nullifiers', (t) => {
  const step = fc.record({
    pool: fc.constantFrom(...POOLS),
    nullifier,
    value: fc.option(fc.nat(100)),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(3), (steps, offset) => {
      const index = new NullifierIndex<number>();
      const model = new Map<string, number>();
      for (const { pool, nullifier: bytes, value } of steps) {
        const hex = asNullifierHex(Buffer.from(bytes).toString('hex'));
        if (value === null) {
          index.delete(pool, hex);
          model.delete(pool + hex);
        } else {
          index.set(pool, hex, value);
          model.set(pool + hex, value);
        }
        for (const asked of steps) {
          const packed = new Uint8Array(offset + 40);
          packed.set(asked.nullifier, offset);
          const name = asked.pool + Buffer.from(asked.nullifier).toString('hex');
          t.is(index.find(asked.pool, packed, offset), model.get(name));
        }
      }
    }),
  );
});
