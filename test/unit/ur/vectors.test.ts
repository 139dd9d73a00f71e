// Uniform resources as the device maker's crate writes them (ur_devices.json: ur-registry 1.0.9, fountain codec of the crate ur).

import {
  accountsOf,
  accountsUr,
  batchResultOf,
  batchResultUr,
  pcztOf,
  pcztUr,
  signBatchOf,
  signBatchUr,
  type Ur,
  UrReader,
  urParts,
} from '@wallet-companion/devices/ur';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import test from 'ava';

interface Case {
  readonly name: string;
  readonly type: string;
  readonly value: Readonly<Record<string, string>> & {
    readonly accounts: readonly { ufvk: string; index: number; name: string | null }[];
    readonly device_version: string | null;
  };
  readonly cbor: string;
  readonly single: string;
  readonly fragment: number;
  readonly simple_parts: number;
  readonly parts: readonly string[];
  readonly lossy_order: readonly number[];
  readonly lossy_complete_after: number;
}

const { cases } = readVectors<{ cases: readonly Case[] }>('ur_devices');
const hex = (text: string | undefined): Uint8Array => new Uint8Array(Buffer.from(text!, 'hex'));
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Each type made from its values, and its values from what was made. */
const BODIES: Readonly<Record<string, readonly [(value: Case['value']) => Ur, (ur: Ur) => object]>> = {
  'zcash-accounts': [
    ({ seed_fingerprint, accounts, device_version }) =>
      accountsUr({ seedFingerprint: hex(seed_fingerprint), accounts, deviceVersion: device_version }),
    (ur) => {
      const { seedFingerprint, accounts, deviceVersion } = accountsOf(ur);
      return { seed_fingerprint: toHex(seedFingerprint), accounts, device_version: deviceVersion };
    },
  ],
  'zcash-pczt': [({ pczt }) => pcztUr(hex(pczt)), (ur) => ({ pczt: toHex(pcztOf(ur)) })],
  'zcash-sign-batch': [
    ({ data, request_id }) => signBatchUr({ data: hex(data), requestId: hex(request_id) }),
    (ur) => {
      const { data, requestId } = signBatchOf(ur);
      return { request_id: toHex(requestId), data: toHex(data) };
    },
  ],
  'zcash-batch-sig-result': [
    ({ data, request_id, firmware_version }) =>
      batchResultUr({
        data: hex(data),
        requestId: hex(request_id),
        firmwareVersion: hex(firmware_version),
      }),
    (ur) => {
      const { data, requestId, firmwareVersion } = batchResultOf(ur);
      return {
        request_id: toHex(requestId),
        data: toHex(data),
        firmware_version: toHex(firmwareVersion),
      };
    },
  ],
};

test('the vectors have each of the types', (t) => {
  t.deepEqual([...new Set(cases.map(({ type }) => type))].sort(), Object.keys(BODIES).sort());
});

for (const { name, type, value, cbor, single, fragment, simple_parts, parts, ...lossy } of cases) {
  test(`${name}: values to CBOR and back`, (t) => {
    const [made, read] = BODIES[type]!;
    t.deepEqual(made(value), { type, cbor: hex(cbor) });
    t.deepEqual(read({ type, cbor: hex(cbor) }), value);
  });

  test(`${name}: the single code, written and read`, (t) => {
    const whole = urParts(type, hex(cbor), { maxFragment: 10_000 });
    t.deepEqual(whole.next().value, { text: single, number: 1, total: 1 });
    t.is(whole.next().value.text, single);
    const reader = new UrReader();
    t.is(reader.receive(single.toUpperCase()), 'new');
    t.deepEqual(reader.message, { type, cbor: hex(cbor) });
  });

  test(`${name}: parts and mixtures`, (t) => {
    const made = urParts(type, hex(cbor), { maxFragment: fragment });
    // What fits into one code is written as one; the crate numbers it all the same.
    if (simple_parts > 1)
      parts.forEach((text, at) => {
        t.deepEqual(made.next().value, { text, number: at + 1, total: simple_parts });
      });
    const reader = new UrReader();
    for (const [at, text] of parts.slice(0, simple_parts).entries()) {
      t.is(reader.message, undefined);
      t.deepEqual(reader.progress, { read: at, needed: at === 0 ? 0 : simple_parts });
      t.is(reader.receive(text), 'new');
    }
    t.deepEqual(reader.message, { type, cbor: hex(cbor) });
  });

  test(`${name}: some parts lost`, (t) => {
    const reader = new UrReader();
    let read = 0;
    for (const number of lossy.lossy_order) {
      reader.receive(parts[number - 1]!);
      read++;
      if (reader.message !== undefined) break;
    }
    t.deepEqual(reader.message, { type, cbor: hex(cbor) });
    t.true(read <= lossy.lossy_complete_after, `${read} parts`);
  });
}
