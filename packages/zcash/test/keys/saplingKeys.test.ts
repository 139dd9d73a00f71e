import { bytesToHex, concatBytes, FormatError, hexToBytes, u64ToLeBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import fc from 'fast-check';
import { decodeInteger32, encodeInteger32 } from '../../src/zcash/curves/integers.ts';
import {
  addJubjub,
  encodeJubjub,
  JUBJUB_BASE,
  JUBJUB_ORDER,
  tryDecodeJubjub,
} from '../../src/zcash/curves/jubjub.ts';
import { blake2b } from '../../src/zcash/hashes/blake2.ts';
import { SAPLING_PROOF_BASE, SAPLING_SPEND_AUTH_BASE } from '../../src/zcash/hashes/jubjubHash.ts';
import { harden } from '../../src/zcash/keys/derivationPath.ts';
import { createDiversifierCipher, DIVERSIFIER_INDEX_END } from '../../src/zcash/keys/diversifierCipher.ts';
import {
  encodeSaplingExtendedFullViewingKey,
  parseSaplingExtendedFullViewingKey,
} from '../../src/zcash/keys/saplingExtendedViewingKey.ts';
import {
  encodeSaplingFullViewingKey,
  internalSaplingFullViewingKey,
  parseSaplingFullViewingKey,
  parseSaplingIncomingViewingKey,
  type SaplingFullViewingKey,
  saplingAddressAt,
  saplingIncomingViewingKey,
  saplingInternalParts,
  tryParseSaplingAddress,
} from '../../src/zcash/keys/saplingKeys.ts';
import {
  saplingChildKey,
  saplingFullViewingKeyOf,
  saplingMasterKey,
} from '../../src/zcash/keys/saplingZip32.ts';
import { SAPLING } from '../../src/zcash/notes/saplingScheme.ts';
import { testEachCase } from '../helpers/vectors.ts';

const hex32 = (value: bigint): string => bytesToHex(encodeInteger32(value));
const integer = (hex: string): bigint => decodeInteger32(hexToBytes(hex));

const fingerprint = ({ ak, nk, ovk }: SaplingFullViewingKey): Uint8Array =>
  blake2b('ZcashSaplingFVFP', 32, ak, nk, ovk);

interface KeyVector {
  ask: string;
  nsk: string;
  ovk: string;
  ak: string;
  nk: string;
  ivk: string;
  default_d: string;
  default_pk_d: string;
  note_v: string | number;
  note_r: string;
  note_cmu: string;
  note_pos: string | number;
  note_nf: string;
}

testEachCase<KeyVector>('sapling_key_components', 'Sapling key components', (t, vector) => {
  const ak = encodeJubjub(SAPLING_SPEND_AUTH_BASE.multiply(integer(vector.ask)));
  const nk = encodeJubjub(SAPLING_PROOF_BASE.multiply(integer(vector.nsk)));
  t.is(bytesToHex(ak), vector.ak);
  t.is(bytesToHex(nk), vector.nk);
  t.is(bytesToHex(saplingIncomingViewingKey({ ak, nk })), vector.ivk);
  const raw = hexToBytes(vector.default_d + vector.default_pk_d);
  t.deepEqual(tryParseSaplingAddress(raw)?.diversifier, hexToBytes(vector.default_d));
});

testEachCase<KeyVector>('sapling_key_components', 'note on the default address', (t, vector) => {
  const gd = SAPLING.diversifyHash(hexToBytes(vector.default_d))!;
  const [pkd] = SAPLING.multiply(gd, [SAPLING.prepareScalar(integer(vector.ivk))]);
  t.is(bytesToHex(SAPLING.encode(pkd!)), vector.default_pk_d);
  const plaintext = {
    leadByte: 1,
    diversifier: hexToBytes(vector.default_d),
    value: BigInt(vector.note_v),
    rseed: hexToBytes(vector.note_r),
  } as const;
  const note = SAPLING.createNote(plaintext, gd, pkd!, new Uint8Array(0))!;
  t.is(bytesToHex(note.commitment), vector.note_cmu);
  t.is(bytesToHex(note.nullifier(hexToBytes(vector.nk), Number(vector.note_pos))), vector.note_nf);
});

interface Zip32Vector {
  ask: string | null;
  nsk: string | null;
  ovk: string;
  dk: string;
  c: string;
  ak: string;
  nk: string;
  ivk: string;
  xsk: string | null;
  xfvk: string;
  fp: string;
  d0: string | null;
  d1: string | null;
  d2: string | null;
  dmax: string | null;
  internal_nsk: string | null;
  internal_ovk: string;
  internal_dk: string;
  internal_nk: string;
  internal_ivk: string;
  internal_xsk: string | null;
  internal_xfvk: string;
  internal_fp: string;
}

/** Header of the extended keys: depth, parent tag, child number, chain code. */
const headerOf = (extended: string): string => extended.slice(0, 2 * (1 + 4 + 4 + 32));

const spendingKeyHex = (header: string, ask: bigint, nsk: bigint, key: SaplingFullViewingKey): string =>
  header + hex32(ask) + hex32(nsk) + bytesToHex(key.ovk) + bytesToHex(key.dk);

for (const file of ['sapling_zip32', 'sapling_zip32_hard']) {
  testEachCase<Zip32Vector>(file, 'Sapling viewing keys of both scopes', (t, vector) => {
    const { key, ...header } = parseSaplingExtendedFullViewingKey(hexToBytes(vector.xfvk));
    const internal = internalSaplingFullViewingKey(key);
    if (vector.ask !== null && vector.nsk !== null) {
      const ask = integer(vector.ask);
      const nsk = integer(vector.nsk);
      const { ovk, dk } = key;
      t.deepEqual(saplingFullViewingKeyOf({ chainCode: header.chainCode, ask, nsk, ovk, dk }), key);
      t.is(spendingKeyHex(headerOf(vector.xfvk), ask, nsk, key), vector.xsk ?? '');
      const internalNsk = (nsk + saplingInternalParts(key).nskOffset) % JUBJUB_ORDER;
      t.is(hex32(internalNsk), vector.internal_nsk ?? '');
      t.is(spendingKeyHex(headerOf(vector.xfvk), ask, internalNsk, internal), vector.internal_xsk ?? '');
    }
    t.like(vector, {
      c: bytesToHex(header.chainCode),
      ovk: bytesToHex(key.ovk),
      dk: bytesToHex(key.dk),
      ak: bytesToHex(key.ak),
      nk: bytesToHex(key.nk),
      ivk: bytesToHex(saplingIncomingViewingKey(key)),
      fp: bytesToHex(fingerprint(key)),
      internal_ovk: bytesToHex(internal.ovk),
      internal_dk: bytesToHex(internal.dk),
      internal_nk: bytesToHex(internal.nk),
      internal_ivk: bytesToHex(saplingIncomingViewingKey(internal)),
      internal_xfvk: bytesToHex(encodeSaplingExtendedFullViewingKey({ ...header, key: internal })),
      internal_fp: bytesToHex(fingerprint(internal)),
    });
    t.is(bytesToHex(encodeSaplingExtendedFullViewingKey({ ...header, key })), vector.xfvk);
  });

  testEachCase<Zip32Vector>(file, 'Sapling diversifiers', (t, { dk, ivk, d0, d1, d2, dmax }) => {
    const at = (index: bigint): string | null => {
      const address = saplingAddressAt({ dk: hexToBytes(dk), ivk: hexToBytes(ivk) }, index);
      return address ? bytesToHex(address.subarray(0, 11)) : null;
    };
    t.deepEqual([at(0n), at(1n), at(2n), at(DIVERSIFIER_INDEX_END - 1n)], [d0, d1, d2, dmax]);
  });
}

testEachCase<Zip32Vector>('sapling_zip32_hard', 'Sapling key derivation', (t, vector, index, cases) => {
  let key = saplingMasterKey(Uint8Array.from({ length: 32 }, (_, i) => i));
  for (let depth = 1; depth <= index; depth++) key = saplingChildKey(key, depth);
  t.deepEqual([hex32(key.ask), hex32(key.nsk)], [vector.ask, vector.nsk]);
  t.is(bytesToHex(key.chainCode), vector.c);
  const extended = {
    depth: index,
    parentTag: index === 0 ? new Uint8Array(4) : hexToBytes(cases[index - 1]!.fp.slice(0, 8)),
    childNumber: index === 0 ? 0 : harden(index),
    chainCode: key.chainCode,
    key: saplingFullViewingKeyOf(key),
  };
  t.is(bytesToHex(encodeSaplingExtendedFullViewingKey(extended)), vector.xfvk);
});

const VALID = encodeSaplingFullViewingKey(
  saplingFullViewingKeyOf(saplingMasterKey(new Uint8Array(32).fill(7))),
);
const withPart = (offset: number, part: Uint8Array): Uint8Array => {
  const bytes = VALID.slice();
  bytes.set(part, offset);
  return bytes;
};

test('full viewing keys that break a rule are refused', (t) => {
  const ak = tryDecodeJubjub(VALID)!;
  const mixed = encodeJubjub(addJubjub(ak, { u: 0n, v: JUBJUB_BASE.order - 1n }));
  const bad: readonly (readonly [string, Uint8Array])[] = [
    ['too long', concatBytes(VALID, Uint8Array.of(0))],
    ['ak is the identity', withPart(0, encodeInteger32(1n))],
    ['ak has a small-order component', withPart(0, mixed)],
    ['ak is no point', withPart(0, new Uint8Array(32).fill(0xff))],
    ['nk has a small-order component', withPart(32, mixed)],
    ['nk is beyond the field', withPart(32, encodeInteger32(JUBJUB_BASE.order))],
  ];
  for (const [name, bytes] of bad)
    t.throws(() => parseSaplingFullViewingKey(bytes), { instanceOf: FormatError }, name);
  t.notThrows(() => parseSaplingFullViewingKey(VALID));
});

test('incoming viewing keys are from 1 to 2^251 - 1', (t) => {
  const key = (ivk: bigint): Uint8Array => concatBytes(new Uint8Array(32), encodeInteger32(ivk));
  for (const ivk of [0n, 2n ** 251n, JUBJUB_ORDER, 2n ** 256n - 1n]) {
    t.throws(() => parseSaplingIncomingViewingKey(key(ivk)), { instanceOf: FormatError });
  }
  for (const ivk of [1n, 2n ** 251n - 1n])
    t.is(decodeInteger32(parseSaplingIncomingViewingKey(key(ivk)).ivk), ivk);
});

test('addresses need a valid diversifier and a pk_d of prime order', (t) => {
  const dk = VALID.slice(96);
  const ivk = saplingIncomingViewingKey(parseSaplingFullViewingKey(VALID));
  let raw: Uint8Array | undefined;
  for (let index = 0n; raw === undefined; index++) raw = saplingAddressAt({ dk, ivk }, index);
  t.not(tryParseSaplingAddress(raw), undefined);
  const replaced = (offset: number, part: Uint8Array): Uint8Array => {
    const copy = raw.slice();
    copy.set(part, offset);
    return copy;
  };
  const point = tryDecodeJubjub(raw, 11)!;
  const mixed = encodeJubjub(addJubjub(point, { u: 0n, v: JUBJUB_BASE.order - 1n }));
  t.is(tryParseSaplingAddress(replaced(11, mixed)), undefined);
  t.is(tryParseSaplingAddress(replaced(11, encodeInteger32(1n))), undefined);
  t.is(tryParseSaplingAddress(raw.subarray(1)), undefined);
  const invalid = Array.from({ length: 20 }, (_, i) => new Uint8Array(11).fill(i)).find(
    (diversifier) => SAPLING.diversifyHash(diversifier) === undefined,
  )!;
  t.is(tryParseSaplingAddress(replaced(0, invalid)), undefined);
});

test('a master key with a parent is refused', (t) => {
  const bytes = concatBytes(new Uint8Array(5), Uint8Array.of(1, 0, 0, 0), new Uint8Array(32), VALID);
  t.throws(() => parseSaplingExtendedFullViewingKey(bytes), { instanceOf: FormatError });
  t.throws(() => parseSaplingExtendedFullViewingKey(VALID), { instanceOf: FormatError });
});

test('the diversifier cipher is a permutation of all 88-bit indices', (t) => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.bigInt({ min: 0n, max: DIVERSIFIER_INDEX_END - 1n }),
      (dk, index) => {
        const cipher = createDiversifierCipher(dk);
        return cipher.indexOf(cipher.diversifierAt(index)) === index;
      },
    ),
  );
  const cipher = createDiversifierCipher(new Uint8Array(32));
  for (const index of [-1n, DIVERSIFIER_INDEX_END]) {
    t.throws(() => cipher.diversifierAt(index), { instanceOf: RangeError });
  }
  t.is(u64ToLeBytes(cipher.indexOf(cipher.diversifierAt(5n)))[0], 5);
});
