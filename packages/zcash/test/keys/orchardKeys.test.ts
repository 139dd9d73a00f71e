import { bytesToHex, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import fc from 'fast-check';
import { decodeInteger32, encodeInteger32 } from '../../src/zcash/curves/integers.ts';
import { PALLAS_BASE, PALLAS_SCALAR_ORDER } from '../../src/zcash/curves/pallas.ts';
import { blake2b } from '../../src/zcash/hashes/blake2.ts';
import { COMMIT_IVK } from '../../src/zcash/hashes/sinsemilla.ts';
import { harden } from '../../src/zcash/keys/derivationPath.ts';
import {
  deriveOrchardKeys,
  encodeOrchardFullViewingKey,
  orchardAddressAt,
  orchardScopeKeys,
  parseOrchardFullViewingKey,
  parseOrchardIncomingViewingKey,
  tryParseOrchardAddress,
} from '../../src/zcash/keys/orchardKeys.ts';
import { orchardChildKey, orchardMasterKey } from '../../src/zcash/keys/orchardZip32.ts';
import { IRONWOOD, ORCHARD, type OrchardScheme } from '../../src/zcash/notes/orchardScheme.ts';
import { testEachCase } from '../helpers/vectors.ts';

interface KeyVector {
  sk: string;
  ask: string;
  ak: string;
  nk: string;
  rivk: string;
  ivk: string;
  ovk: string;
  dk: string;
  default_d: string;
  default_pk_d: string;
  internal_rivk: string;
  internal_ivk: string;
  internal_ovk: string;
  internal_dk: string;
  note_v: string | number;
  note_rho: string;
  note_rseed: string;
  note_cmx: string;
  note_nf: string;
  note_qr_cmx?: string;
}

const hex32 = (value: bigint): string => bytesToHex(encodeInteger32(value));

for (const file of ['orchard_key_components', 'ironwood_key_components_qr']) {
  testEachCase<KeyVector>(file, 'Orchard key components', (t, vector) => {
    const { ask, fullViewingKey } = deriveOrchardKeys(hexToBytes(vector.sk));
    const external = orchardScopeKeys(fullViewingKey, 'external');
    const internal = orchardScopeKeys(fullViewingKey, 'internal');
    const address = orchardAddressAt(external, 0n);
    t.like(vector, {
      ask: hex32(ask),
      ak: hex32(fullViewingKey.ak),
      nk: hex32(fullViewingKey.nk),
      rivk: bytesToHex(external.rivk),
      ivk: bytesToHex(external.ivk),
      ovk: bytesToHex(external.ovk),
      dk: bytesToHex(external.dk),
      default_d: bytesToHex(address.subarray(0, 11)),
      default_pk_d: bytesToHex(address.subarray(11)),
      internal_rivk: bytesToHex(internal.rivk),
      internal_ivk: bytesToHex(internal.ivk),
      internal_ovk: bytesToHex(internal.ovk),
      internal_dk: bytesToHex(internal.dk),
    });
    t.deepEqual(parseOrchardFullViewingKey(encodeOrchardFullViewingKey(fullViewingKey)), fullViewingKey);
  });

  testEachCase<KeyVector>(file, 'note on the default address', (t, vector) => {
    const create = (scheme: OrchardScheme, leadByte: 2 | 3) =>
      scheme.createNote(
        {
          leadByte,
          diversifier: hexToBytes(vector.default_d),
          value: BigInt(vector.note_v),
          rseed: hexToBytes(vector.note_rseed),
        },
        scheme.diversifyHash(hexToBytes(vector.default_d))!,
        scheme.decodeTransmissionKey(hexToBytes(vector.default_pk_d))!,
        hexToBytes(vector.note_rho),
      )!;
    const note = create(ORCHARD, 2);
    t.is(bytesToHex(note.commitment), vector.note_cmx);
    t.is(bytesToHex(note.nullifier(hexToBytes(vector.nk), 0)), vector.note_nf);
    if (vector.note_qr_cmx) t.is(bytesToHex(create(IRONWOOD, 3).commitment), vector.note_qr_cmx);
  });
}

testEachCase<{ sk: string; c: string; xsk: string; fp: string }>(
  'orchard_zip32',
  'Orchard key derivation',
  (t, { sk, c, xsk, fp }, index, cases) => {
    let key = orchardMasterKey(Uint8Array.from({ length: 32 }, (_, i) => i));
    for (let depth = 1; depth <= index; depth++) key = orchardChildKey(key, depth);
    t.is(bytesToHex(key.sk), sk);
    t.is(bytesToHex(key.chainCode), c);
    const viewingKey = encodeOrchardFullViewingKey(deriveOrchardKeys(key.sk).fullViewingKey);
    t.is(bytesToHex(blake2b('ZcashOrchardFVFP', 32, viewingKey)), fp);
    const parentTag = index === 0 ? '00000000' : cases[index - 1]!.fp.slice(0, 8);
    const childIndex = Buffer.alloc(4);
    childIndex.writeUInt32LE(index === 0 ? 0 : harden(index));
    t.is(`${index.toString(16).padStart(2, '0')}${parentTag}${childIndex.toString('hex')}${c}${sk}`, xsk);
  },
);

interface NoteVector {
  sk: string;
  fvk: string;
  ivk: string;
  ovk: string;
  raw_address: string;
  scope: 'external' | 'internal';
  diversifier_index: number;
}

testEachCase<NoteVector>('ironwood_note_encryption', 'keys and address of an Ironwood note', (t, vector) => {
  const { fullViewingKey } = deriveOrchardKeys(hexToBytes(vector.sk));
  t.is(bytesToHex(encodeOrchardFullViewingKey(fullViewingKey)), vector.fvk);
  const keys = orchardScopeKeys(fullViewingKey, vector.scope);
  t.is(bytesToHex(keys.dk) + bytesToHex(keys.ivk), vector.ivk);
  t.is(bytesToHex(keys.ovk), vector.ovk);
  t.is(bytesToHex(orchardAddressAt(keys, BigInt(vector.diversifier_index))), vector.raw_address);
});

const VALID = encodeOrchardFullViewingKey(deriveOrchardKeys(new Uint8Array(32).fill(7)).fullViewingKey);
const withPart = (offset: number, part: Uint8Array): Uint8Array => {
  const bytes = VALID.slice();
  bytes.set(part, offset);
  return bytes;
};

test('full viewing keys that break a rule are refused', (t) => {
  const ak = VALID.slice(0, 32);
  const negative = ak.slice();
  negative[31]! |= 0x80;
  const bad: readonly (readonly [string, Uint8Array])[] = [
    ['too short', VALID.subarray(0, 95)],
    ['ak with the sign bit', withPart(0, negative)],
    ['ak zero', withPart(0, new Uint8Array(32))],
    ['ak of no point', withPart(0, encodeInteger32(9n))],
    ['ak beyond the field', withPart(0, encodeInteger32(PALLAS_BASE.order))],
    ['nk = p', withPart(32, encodeInteger32(PALLAS_BASE.order))],
    ['rivk = r', withPart(64, encodeInteger32(PALLAS_SCALAR_ORDER))],
    ['rivk all ones', withPart(64, new Uint8Array(32).fill(0xff))],
  ];
  for (const [name, bytes] of bad)
    t.throws(() => parseOrchardFullViewingKey(bytes), { instanceOf: FormatError }, name);
  t.notThrows(() => parseOrchardFullViewingKey(VALID));
  t.notThrows(() => parseOrchardFullViewingKey(withPart(32, encodeInteger32(PALLAS_BASE.order - 1n))));
});

test('random bytes never give more than a FormatError', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 130 }), fc.boolean(), (bytes, isPadded) => {
      const input = isPadded ? Uint8Array.from({ length: 96 }, (_, i) => bytes[i] ?? 0) : bytes;
      try {
        t.deepEqual(encodeOrchardFullViewingKey(parseOrchardFullViewingKey(input)), input);
      } catch (error) {
        t.true(error instanceof FormatError);
      }
    }),
    { numRuns: 100 },
  );
  t.pass();
});

test('incoming viewing keys are from 1 to p - 1', (t) => {
  const key = (ivk: bigint): Uint8Array =>
    Uint8Array.of(...new Uint8Array(32).fill(9), ...encodeInteger32(ivk));
  for (const ivk of [0n, PALLAS_BASE.order, PALLAS_SCALAR_ORDER, 2n ** 256n - 1n]) {
    t.throws(() => parseOrchardIncomingViewingKey(key(ivk)), { instanceOf: FormatError });
  }
  for (const ivk of [1n, PALLAS_BASE.order - 1n]) {
    t.is(decodeInteger32(parseOrchardIncomingViewingKey(key(ivk)).ivk), ivk);
  }
  t.throws(() => parseOrchardIncomingViewingKey(new Uint8Array(63)), { instanceOf: FormatError });
});

test('addresses need a point as pk_d', (t) => {
  t.is(tryParseOrchardAddress(new Uint8Array(43)), undefined);
  t.is(tryParseOrchardAddress(new Uint8Array(42)), undefined);
  t.is(tryParseOrchardAddress(new Uint8Array(43).fill(0xff)), undefined);
});

test('what ak and nk are committed to with is wiped', (t) => {
  const { shortCommit } = COMMIT_IVK;
  const seen: Uint8Array[] = [];
  COMMIT_IVK.shortCommit = (message, randomness) => {
    seen.push(message.bytes);
    return shortCommit(message, randomness);
  };
  t.teardown(() => {
    COMMIT_IVK.shortCommit = shortCommit;
  });
  deriveOrchardKeys(new Uint8Array(32).fill(7));
  t.is(seen.length, 2);
  t.true(seen.every((bytes) => bytes.every((byte) => byte === 0)));
});
