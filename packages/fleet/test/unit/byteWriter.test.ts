// The writer grows with what it is given, whatever comes when it is full.

import { ByteReader, concatBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import fc from 'fast-check';
import { ByteWriter } from '../../src/fleet/sealed/byteWriter.ts';

test('what is written is read again, from the smallest buffer on', (t) => {
  const part = fc.oneof(
    fc.record({ kind: fc.constant('u8' as const), value: fc.integer({ min: 0, max: 2 ** 8 - 1 }) }),
    fc.record({ kind: fc.constant('u32' as const), value: fc.integer({ min: 0, max: 2 ** 32 - 1 }) }),
    fc.record({ kind: fc.constant('u64' as const), value: fc.maxSafeNat() }),
    fc.record({ kind: fc.constant('bytes' as const), value: fc.uint8Array({ maxLength: 40 }) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 64 }), fc.array(part), (expected, parts) => {
      const writer = new ByteWriter(expected);
      for (const one of parts) {
        if (one.kind === 'bytes') writer.bytes(one.value);
        else writer[one.kind](one.value);
      }
      const reader = new ByteReader(writer.finish());
      for (const one of parts) {
        if (one.kind === 'bytes') t.deepEqual(concatBytes(reader.take(one.value.length)), one.value);
        else t.is(Number(reader[one.kind]()), one.value);
      }
      t.is(reader.remaining, 0);
    }),
  );
});
