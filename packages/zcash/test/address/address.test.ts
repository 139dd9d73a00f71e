import { FormatError } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { addressAt, firstAddress } from '../../src/zcash/address/account.ts';
import {
  encodeReceiver,
  encodeSaplingAddress,
  encodeUnifiedAddress,
  parseAddress,
} from '../../src/zcash/address/address.ts';
import { encodeBech32 } from '../../src/zcash/address/bech32.ts';
import { encodeUnifiedContainer, parseUnifiedContainer } from '../../src/zcash/address/unifiedContainer.ts';
import {
  encodeUnifiedViewingKey,
  parseUnifiedViewingKey,
} from '../../src/zcash/address/unifiedViewingKey.ts';
import { parseViewingKey } from '../../src/zcash/address/viewingKey.ts';
import { deriveViewingKeys, toIncomingViewingKeys } from '../../src/zcash/keys/account.ts';
import { DIVERSIFIER_INDEX_END } from '../../src/zcash/keys/diversifierCipher.ts';
import { encodeSaplingExtendedFullViewingKey } from '../../src/zcash/keys/saplingExtendedViewingKey.ts';
import { splitSaplingFullViewingKey } from '../../src/zcash/keys/saplingKeys.ts';
import { MAIN, type NetworkParameters, regtestParameters, TEST } from '../../src/zcash/network.ts';

const REGTEST = regtestParameters();
const KEYS = deriveViewingKeys(new Uint8Array(32).fill(3), MAIN, 0);
const ADDRESS = firstAddress(KEYS, MAIN, 0n);
const RECEIVERS = parseAddress(ADDRESS.unifiedAddress, MAIN);

const refused = { instanceOf: FormatError };

test('the wallet’s unified address holds a Sapling and an Orchard receiver and nothing else', (t) => {
  t.deepEqual(
    parseUnifiedContainer(ADDRESS.unifiedAddress).items.map(({ typecode }) => typecode),
    [2, 3],
  );
  t.true(ADDRESS.unifiedAddress.startsWith('u1'));
  t.deepEqual(parseAddress(ADDRESS.saplingAddress!, MAIN), { sapling: RECEIVERS.sapling });
});

test('an index without a Sapling address has no address, and the first one follows it', (t) => {
  const addresses = Array.from({ length: 12 }, (_, index) => addressAt(KEYS, MAIN, BigInt(index)));
  t.true(addresses.includes(undefined));
  t.true(addresses.some((address) => address !== undefined));
  for (let index = 0; index < 10; index++) {
    const next = addresses.slice(index).find((address) => address !== undefined);
    if (next) t.deepEqual(firstAddress(KEYS, MAIN, BigInt(index)), next);
  }
});

test('without a Sapling key every index has an address', (t) => {
  const { orchard } = KEYS;
  for (const index of [0n, 1n, 2n, DIVERSIFIER_INDEX_END - 1n]) {
    const address = addressAt({ kind: 'full', orchard }, MAIN, index)!;
    t.is(address.saplingAddress, null);
    t.deepEqual(Object.keys(parseAddress(address.unifiedAddress, MAIN)), ['orchard']);
  }
  t.throws(() => firstAddress({ kind: 'full', orchard }, MAIN, DIVERSIFIER_INDEX_END), refused);
  t.throws(() => addressAt(KEYS, MAIN, -1n), { instanceOf: RangeError });
});

test('receivers are shown as the address kind that holds them alone', (t) => {
  const { sapling, orchard } = RECEIVERS;
  t.is<string | null, string | null>(encodeReceiver('sapling', sapling!, MAIN), ADDRESS.saplingAddress);
  t.is(encodeReceiver('ironwood', orchard!, MAIN), encodeReceiver('orchard', orchard!, MAIN));
  t.deepEqual(parseAddress(encodeReceiver('ironwood', orchard!, MAIN), MAIN), { orchard });
});

test('addresses and keys of another network are refused', (t) => {
  for (const params of [TEST, REGTEST]) {
    t.throws(() => parseAddress(ADDRESS.unifiedAddress, params), refused);
    t.throws(() => parseAddress(ADDRESS.saplingAddress!, params), refused);
    t.throws(() => parseUnifiedViewingKey(encodeUnifiedViewingKey(KEYS, MAIN), params), refused);
    t.notThrows(() => parseAddress(encodeUnifiedAddress(RECEIVERS, params), params));
    t.notThrows(() => parseAddress(encodeSaplingAddress(RECEIVERS.sapling!, params), params));
    t.deepEqual(parseUnifiedViewingKey(encodeUnifiedViewingKey(KEYS, params), params), KEYS);
  }
});

test('viewing keys are no addresses, and addresses no viewing keys', (t) => {
  t.throws(() => parseAddress(encodeUnifiedViewingKey(KEYS, MAIN), MAIN), refused);
  t.throws(() => parseViewingKey(ADDRESS.unifiedAddress, MAIN), refused);
  t.throws(() => parseViewingKey(ADDRESS.saplingAddress!, MAIN), refused);
});

test('a viewing key without a shielded key is of no use here', (t) => {
  const text = encodeUnifiedContainer('uvf', [{ typecode: 0, value: KEYS.transparent }]);
  t.throws(() => parseUnifiedViewingKey(text, MAIN), { ...refused, message: /no shielded key/ });
});

test('an item that does not parse makes the whole key invalid', (t) => {
  const spoilt = (typecode: number, value: Uint8Array): string =>
    encodeUnifiedContainer(
      'uview',
      [
        { typecode: 0, value: KEYS.transparent },
        { typecode: 2, value: KEYS.sapling },
        { typecode: 3, value: KEYS.orchard },
      ].map((item) => (item.typecode === typecode ? { typecode, value } : item)),
    );
  t.throws(
    () =>
      parseUnifiedViewingKey(
        spoilt(
          0,
          KEYS.transparent.map((byte) => byte ^ 0xff),
        ),
        MAIN,
      ),
    refused,
  );
  t.throws(() => parseUnifiedViewingKey(spoilt(2, new Uint8Array(128).fill(0xff)), MAIN), refused);
  t.throws(() => parseUnifiedViewingKey(spoilt(3, new Uint8Array(96).fill(0xff)), MAIN), refused);
  const incoming = encodeUnifiedContainer('uivk', [{ typecode: 3, value: new Uint8Array(64) }]);
  t.throws(() => parseUnifiedViewingKey(incoming, MAIN), refused);
});

test('Sapling extended full viewing keys of older wallets are accepted', (t) => {
  const extended = {
    depth: 3,
    parentTag: Uint8Array.of(1, 2, 3, 4),
    childNumber: 0x8000_0000,
    chainCode: new Uint8Array(32).fill(1),
    key: splitSaplingFullViewingKey(KEYS.sapling),
  };
  const textOf = ({ hrp }: NetworkParameters): string =>
    encodeBech32('bech32', hrp.saplingExtendedFullViewingKey, encodeSaplingExtendedFullViewingKey(extended));
  for (const params of [MAIN, TEST, REGTEST]) {
    const text = textOf(params);
    t.true(text.startsWith(`${params.hrp.saplingExtendedFullViewingKey}1`));
    t.deepEqual(parseViewingKey(` ${text}\n`, params), { kind: 'full', sapling: KEYS.sapling });
    t.throws(() => parseViewingKey(text.toUpperCase(), params), refused);
    t.throws(() => parseViewingKey(text.slice(0, -1), params), refused);
  }
  t.throws(() => parseViewingKey(textOf(MAIN), TEST), refused);
  t.deepEqual(
    parseViewingKey(encodeUnifiedViewingKey(toIncomingViewingKeys(KEYS), MAIN), MAIN),
    toIncomingViewingKeys(KEYS),
  );
});

test('refusals never quote the key', (t) => {
  const text = encodeUnifiedViewingKey(KEYS, MAIN);
  for (const wrong of [text.slice(0, -1), text.replace('uview', 'uvieww'), `${text}x`]) {
    const error = t.throws(() => parseViewingKey(wrong, MAIN), refused);
    t.false(error.message.includes(text.slice(10, 30)));
  }
});

test('every changed, dropped or added character is noticed', (t) => {
  const texts = [ADDRESS.unifiedAddress, ADDRESS.saplingAddress!];
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.nat(),
      fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7l1b'),
      (text, at, letter) => {
        const index = at % text.length;
        const variants = [
          text.slice(0, index) + letter + text.slice(index + 1),
          text.slice(0, index) + letter + text.slice(index),
          text.slice(0, index) + text.slice(index + 1),
          text.slice(0, index),
        ];
        for (const variant of variants) {
          if (variant !== text) t.throws(() => parseAddress(variant, MAIN), refused, variant);
        }
      },
    ),
    { numRuns: runs(30, 150) },
  );
});

test('any text gives an address, keys or a FormatError', (t) => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .string({ unit: fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7l'), maxLength: 200 })
      .map((tail) => `u1${tail}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      t.throws(() => parseAddress(text, MAIN), refused);
      t.throws(() => parseViewingKey(text, MAIN), refused);
    }),
    { numRuns: runs(60, 300) },
  );
});

test('containers of random items are encoded and read back, or refused by both', (t) => {
  const items = fc.uniqueArray(
    fc.record({
      typecode: fc.oneof(fc.nat({ max: 0x110 }), fc.nat({ max: 0x200_0000 })),
      value: fc.uint8Array({ minLength: 22, maxLength: 300 }),
    }),
    { selector: ({ typecode }) => typecode, minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(items, fc.constantFrom('u', 'zu', 'tu', 'uview', 'uvf', 'uivk', 'uvi'), (list, prefix) => {
      const ordered = [...list].sort((a, b) => a.typecode - b.typecode);
      let text: string;
      try {
        text = encodeUnifiedContainer(prefix, list);
      } catch (error) {
        t.true(error instanceof FormatError);
        return;
      }
      t.deepEqual(parseUnifiedContainer(text).items, ordered);
    }),
  );
});
