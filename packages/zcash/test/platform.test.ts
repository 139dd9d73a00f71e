// What is taken from the platform is the same on each.
import test from 'ava';
import fc from 'fast-check';
import * as node from '../src/zcash/platform/node.ts';
import * as plain from '../src/zcash/platform/plain.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('AES of several blocks in turn is the same in Node and without it', (t) => {
  fc.assert(
    fc.property(bytes(32), fc.array(bytes(16), { maxLength: 4 }), (key, blocks) => {
      const [native, own] = [node.keyedAes(key), plain.keyedAes(key)];
      for (const block of blocks) t.deepEqual(new Uint8Array(native(block)), own(block));
    }),
  );
});

test('SHA-256 is the same in Node and without it', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (input) => {
      t.deepEqual(new Uint8Array(node.sha256(input)), plain.sha256(input));
    }),
  );
});
