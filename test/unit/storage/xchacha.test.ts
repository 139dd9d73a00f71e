import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { nativeEncrypt, portableXChaCha, xchacha } from '#disk/sealing/xchacha';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const input = fc.record({
  key: bytes(32),
  nonce: bytes(24),
  text: fc.uint8Array({ maxLength: 2000 }),
  context: fc.uint8Array({ maxLength: 200 }),
});

// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
test('the vector of the draft', (t) => {
  const text =
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";
  const key = Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i);
  const nonce = Uint8Array.from({ length: 24 }, (_, i) => 0x40 + i);
  const context = Buffer.from('50515253c0c1c2c3c4c5c6c7', 'hex');
  const sealed =
    'bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb' +
    '731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452' +
    '2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9' +
    '21f9664c97637da9768812f615c68b13b52e' +
    'c0875924c1c7987947deafd8780acf49';
  for (const encrypt of [nativeEncrypt, portableXChaCha.encrypt]) {
    t.is(Buffer.from(encrypt(key, nonce, Buffer.from(text), context)).toString('hex'), sealed);
  }
});

test('both seal byte for byte the same, and it opens', (t) => {
  fc.assert(
    fc.property(input, ({ key, nonce, text, context }) => {
      const sealed = nativeEncrypt(key, nonce, text, context);
      t.deepEqual(sealed, portableXChaCha.encrypt(key, nonce, text, context));
      t.deepEqual(portableXChaCha.decrypt(key, nonce, sealed, context), text);
    }),
    { numRuns: runs(60, 300) },
  );
});

test('a changed bit anywhere, or another key, nonce or context, opens nothing', (t) => {
  fc.assert(
    fc.property(input, fc.nat(), fc.nat(7), ({ key, nonce, text, context }, place, bit) => {
      const sealed = portableXChaCha.encrypt(key, nonce, text, context);
      const flipped = (from: Uint8Array): Uint8Array => {
        const copy = Uint8Array.from(from);
        copy[place % copy.length]! ^= 1 << bit;
        return copy;
      };
      const { decrypt } = xchacha();
      t.is(decrypt(key, nonce, flipped(sealed), context), undefined);
      t.is(decrypt(flipped(key), nonce, sealed, context), undefined);
      t.is(decrypt(key, flipped(nonce), sealed, context), undefined);
      t.is(decrypt(key, nonce, sealed, Uint8Array.of(...context, 0)), undefined);
    }),
    { numRuns: runs(20, 100) },
  );
});

test('it leaves its arguments as they were', (t) => {
  const key = new Uint8Array(32).fill(1);
  const nonce = new Uint8Array(24).fill(2);
  const text = new Uint8Array(50).fill(3);
  const sealed = nativeEncrypt(key, nonce, text, nonce);
  const before = Uint8Array.from(sealed);
  xchacha().decrypt(key, nonce, sealed, nonce);
  t.deepEqual(sealed, before);
  t.deepEqual([key[0], nonce[0], text[0]], [1, 2, 3]);
});

test('Node seals; it does not open, which would leave the plaintext in freed memory', (t) => {
  t.is(xchacha().encrypt, nativeEncrypt);
  t.is(xchacha().decrypt, portableXChaCha.decrypt);
});
