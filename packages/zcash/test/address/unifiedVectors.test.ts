// ZIP 316 vectors, both ways: the text from the items and the items from the text, and both from the seed.

import {
  bytesToHex,
  FormatError,
  hexToBytes,
  u32ToLeBytes,
  u64ToLeBytes,
} from '@wallet-companion/base/bytes';
import test, { type ExecutionContext } from 'ava';
import { parseAddress } from '../../src/zcash/address/address.ts';
import { receiverOfKey } from '../../src/zcash/address/transparentScript.ts';
import {
  encodeUnifiedContainer,
  parseUnifiedContainer,
  TYPECODE,
  type UnifiedItem,
} from '../../src/zcash/address/unifiedContainer.ts';
import { parseUnifiedViewingKey } from '../../src/zcash/address/unifiedViewingKey.ts';
import {
  deriveViewingKeys,
  type FullViewingKeys,
  incomingKeys,
  toIncomingViewingKeys,
} from '../../src/zcash/keys/account.ts';
import { orchardAddressAt } from '../../src/zcash/keys/orchardKeys.ts';
import { saplingAddressAt } from '../../src/zcash/keys/saplingKeys.ts';
import { transparentPublicKeys } from '../../src/zcash/keys/transparentKeys.ts';
import { MAIN } from '../../src/zcash/network.ts';
import { readFixtureJson } from '../helpers/fixtures.ts';
import { testEachCase } from '../helpers/vectors.ts';

/** Items from hex fields; null ones are left out. */
function itemsOf(
  ...fields: readonly (readonly [typecode: number | null, value: string | null])[]
): UnifiedItem[] {
  return fields.flatMap(([typecode, value]) =>
    typecode === null || value === null ? [] : [{ typecode, value: hexToBytes(value) }],
  );
}

const readable = (items: readonly UnifiedItem[]): string[] =>
  items.map(({ typecode, value }) => `${typecode} ${bytesToHex(value)}`);

function checkContainer(t: ExecutionContext, text: string, items: readonly UnifiedItem[]): void {
  const prefix = text.slice(0, text.lastIndexOf('1'));
  t.is(encodeUnifiedContainer(prefix, items), text);
  t.deepEqual(readable(parseUnifiedContainer(text).items), readable(items));
}

const derived = new Map<string, Required<FullViewingKeys>>();
function keysOf(seedHex: string, account: number): Required<FullViewingKeys> {
  const name = `${seedHex}/${account}`;
  const keys = derived.get(name) ?? deriveViewingKeys(hexToBytes(seedHex), MAIN, account);
  derived.set(name, keys);
  return keys;
}

interface Receivers {
  sapling: string;
  orchard: string;
  p2pkh: string;
}

/** Hex of the external receivers at an index. */
function receiversOf(keys: Required<FullViewingKeys>, index: number): Receivers {
  const [sapling, orchard] = incomingKeys(keys, 0);
  const [publicKey] = transparentPublicKeys(keys.transparent, 'external', { start: index, count: 1 });
  return {
    sapling: bytesToHex(saplingAddressAt(sapling!, BigInt(index)) ?? new Uint8Array(0)),
    orchard: bytesToHex(orchardAddressAt(orchard!, BigInt(index))),
    p2pkh: bytesToHex(receiverOfKey(publicKey!).hash),
  };
}

interface AddressVector {
  p2pkh_bytes: string | null;
  p2sh_bytes: string | null;
  sapling_raw_addr: string | null;
  orchard_raw_addr: string | null;
  unknown_typecode?: number | null;
  unknown_bytes?: string | null;
  expiry_height?: number | null;
  expiry_time?: number | null;
  unified_addr: string;
  root_seed: string;
  account: number;
  diversifier_index: number;
}

const expiryItems = (height: number | null | undefined, time: number | null | undefined): UnifiedItem[] => [
  ...(typeof height === 'number' ? [{ typecode: TYPECODE.expiryHeight, value: u32ToLeBytes(height) }] : []),
  ...(typeof time === 'number' ? [{ typecode: TYPECODE.expiryTime, value: u64ToLeBytes(BigInt(time)) }] : []),
];

for (const file of ['unified_address', 'unified_address_r2']) {
  testEachCase<AddressVector>(file, 'unified address', (t, vector) => {
    const items = [
      ...itemsOf(
        [TYPECODE.p2pkh, vector.p2pkh_bytes],
        [TYPECODE.p2sh, vector.p2sh_bytes],
        [TYPECODE.sapling, vector.sapling_raw_addr],
        [TYPECODE.orchard, vector.orchard_raw_addr],
      ),
      ...expiryItems(vector.expiry_height, vector.expiry_time),
      ...itemsOf([vector.unknown_typecode ?? null, vector.unknown_bytes ?? null]),
    ];
    checkContainer(t, vector.unified_addr, items);
    const { sapling, orchard } = parseAddress(vector.unified_addr, MAIN);
    t.is(sapling ? bytesToHex(sapling) : null, vector.sapling_raw_addr);
    t.is(orchard ? bytesToHex(orchard) : null, vector.orchard_raw_addr);
    const receivers = receiversOf(keysOf(vector.root_seed, vector.account), vector.diversifier_index);
    if (vector.sapling_raw_addr !== null) t.is(receivers.sapling, vector.sapling_raw_addr);
    if (vector.orchard_raw_addr !== null) t.is(receivers.orchard, vector.orchard_raw_addr);
    if (vector.p2pkh_bytes !== null) t.is(receivers.p2pkh, vector.p2pkh_bytes);
  });
}

interface ViewingKeyVector {
  t_key_bytes: string | null;
  sapling_fvk_bytes?: string | null;
  orchard_fvk_bytes?: string | null;
  unknown_fvk_typecode?: number | null;
  unknown_fvk_bytes?: string | null;
  unified_fvk: string;
  sapling_ivk_bytes?: string | null;
  orchard_ivk_bytes?: string | null;
  unknown_ivk_typecode?: number | null;
  unknown_ivk_bytes?: string | null;
  unified_ivk: string;
  root_seed: string;
  account: number;
}

/** Compares the given hex fields with the keys derived from the seed; absent ones may not be parsed either. */
function checkKeys(
  t: ExecutionContext,
  text: string,
  expected: { transparent?: Uint8Array; sapling?: Uint8Array; orchard?: Uint8Array },
  fields: Readonly<Record<'transparent' | 'sapling' | 'orchard', string | null>>,
): void {
  const parsed = parseUnifiedViewingKey(text, MAIN);
  for (const name of ['transparent', 'sapling', 'orchard'] as const) {
    const value = fields[name];
    t.is(parsed[name] ? bytesToHex(parsed[name]) : null, value, name);
    if (value !== null) t.is(bytesToHex(expected[name]!), value, name);
  }
}

testEachCase<ViewingKeyVector>('unified_full_viewing_keys', 'unified full viewing key', (t, vector) => {
  checkContainer(
    t,
    vector.unified_fvk,
    itemsOf(
      [TYPECODE.p2pkh, vector.t_key_bytes],
      [TYPECODE.sapling, vector.sapling_fvk_bytes ?? null],
      [TYPECODE.orchard, vector.orchard_fvk_bytes ?? null],
      [vector.unknown_fvk_typecode ?? null, vector.unknown_fvk_bytes ?? null],
    ),
  );
  checkKeys(t, vector.unified_fvk, keysOf(vector.root_seed, vector.account), {
    transparent: vector.t_key_bytes,
    sapling: vector.sapling_fvk_bytes ?? null,
    orchard: vector.orchard_fvk_bytes ?? null,
  });
});

testEachCase<ViewingKeyVector>(
  'unified_incoming_viewing_keys',
  'unified incoming viewing key',
  (t, vector) => {
    checkContainer(
      t,
      vector.unified_ivk,
      itemsOf(
        [TYPECODE.p2pkh, vector.t_key_bytes],
        [TYPECODE.sapling, vector.sapling_ivk_bytes ?? null],
        [TYPECODE.orchard, vector.orchard_ivk_bytes ?? null],
        [vector.unknown_ivk_typecode ?? null, vector.unknown_ivk_bytes ?? null],
      ),
    );
    checkKeys(t, vector.unified_ivk, toIncomingViewingKeys(keysOf(vector.root_seed, vector.account)), {
      transparent: vector.t_key_bytes,
      sapling: vector.sapling_ivk_bytes ?? null,
      orchard: vector.orchard_ivk_bytes ?? null,
    });
  },
);

interface ViewingKeyR2Vector {
  t_p2pkh_fvk_bytes: string | null;
  p2sh_fvk_bytes: string | null;
  sapling_fvk_bytes: string | null;
  orchard_fvk_bytes: string | null;
  expiry_height: number | null;
  expiry_time: number | null;
  unified_fvk: string;
  t_p2pkh_ivk_bytes: string | null;
  p2sh_ivk_bytes: string | null;
  sapling_ivk_bytes: string | null;
  orchard_ivk_bytes: string | null;
  unified_ivk: string;
  p2pkh_addr: string | null;
  p2sh_addr: string | null;
  sapling_raw_addr: string | null;
  orchard_raw_addr: string | null;
  derived_ua: string;
  root_seed: string;
  account: number;
  diversifier_index: number;
}

testEachCase<ViewingKeyR2Vector>('unified_viewing_keys_r2', 'viewing keys of revision 2', (t, vector) => {
  const keys = keysOf(vector.root_seed, vector.account);
  const expiry = expiryItems(vector.expiry_height, vector.expiry_time);
  checkContainer(t, vector.unified_fvk, [
    ...itemsOf(
      [TYPECODE.p2pkh, vector.t_p2pkh_fvk_bytes],
      [TYPECODE.p2sh, vector.p2sh_fvk_bytes],
      [TYPECODE.sapling, vector.sapling_fvk_bytes],
      [TYPECODE.orchard, vector.orchard_fvk_bytes],
    ),
    ...expiry,
  ]);
  checkKeys(t, vector.unified_fvk, keys, {
    transparent: vector.t_p2pkh_fvk_bytes,
    sapling: vector.sapling_fvk_bytes,
    orchard: vector.orchard_fvk_bytes,
  });
  checkContainer(t, vector.unified_ivk, [
    ...itemsOf(
      [TYPECODE.p2pkh, vector.t_p2pkh_ivk_bytes],
      [TYPECODE.p2sh, vector.p2sh_ivk_bytes],
      [TYPECODE.sapling, vector.sapling_ivk_bytes],
      [TYPECODE.orchard, vector.orchard_ivk_bytes],
    ),
    ...expiry,
  ]);
  checkKeys(t, vector.unified_ivk, toIncomingViewingKeys(keys), {
    transparent: vector.t_p2pkh_ivk_bytes,
    sapling: vector.sapling_ivk_bytes,
    orchard: vector.orchard_ivk_bytes,
  });
  const receivers = receiversOf(keys, vector.diversifier_index);
  if (vector.sapling_raw_addr !== null) t.is(receivers.sapling, vector.sapling_raw_addr);
  if (vector.orchard_raw_addr !== null) t.is(receivers.orchard, vector.orchard_raw_addr);
  if (vector.p2pkh_addr !== null) t.is(receivers.p2pkh, vector.p2pkh_addr);
  checkContainer(t, vector.derived_ua, [
    ...itemsOf(
      [TYPECODE.p2pkh, vector.p2pkh_addr],
      [TYPECODE.p2sh, vector.p2sh_addr],
      [TYPECODE.sapling, vector.sapling_raw_addr],
      [TYPECODE.orchard, vector.orchard_raw_addr],
    ),
    ...expiry,
  ]);
});

interface ValidityCase {
  name: string;
  string: string;
  container_valid: boolean;
  strict_valid: boolean | null;
}

for (const { name, string, container_valid, strict_valid } of readFixtureJson<{ cases: ValidityCase[] }>(
  'vectors',
  'unified_address_validity.json',
).cases) {
  test(`unified address validity: ${name}`, (t) => {
    if (container_valid) t.is(parseUnifiedContainer(string).kind, 'address');
    else t.throws(() => parseUnifiedContainer(string), { instanceOf: FormatError });
    // Null leaves the choice between the two behaviours; here both readers refuse.
    if (strict_valid) t.notThrows(() => parseAddress(string, MAIN));
    else t.throws(() => parseAddress(string, MAIN), { instanceOf: FormatError });
  });
}
