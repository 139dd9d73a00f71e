// What an address offers to a payer, and what is no address of the network.

import { FormatError, u32ToLeBytes, u64ToLeBytes } from '@wallet-companion/base/bytes';
import {
  encodeBech32,
  encodeTransparentAddress,
  encodeUnifiedContainer,
  MAX_ADDRESS_LENGTH,
  payableReceivers,
  TYPECODE,
} from '@wallet-companion/zcash/addresses';
import { MAIN } from '@wallet-companion/zcash/network';
import { parsePaymentUri } from '@wallet-companion/zcash/zip321';
import test from 'ava';
import {
  orchardAddress,
  PARAMS,
  receiverOf,
  saplingAddress,
  unifiedAddress,
} from '../helpers/spendingAccount.ts';

const hash = Uint8Array.from({ length: 20 }, (_, i) => i + 1);
const sapling = receiverOf('sapling', 1, 'external');
const orchard = receiverOf('orchard', 1, 'external');

test('shielded receivers of every form of address', (t) => {
  const shielded = { isTransparentSourceOnly: false };
  t.deepEqual(payableReceivers(saplingAddress(), PARAMS), { sapling, ...shielded });
  t.deepEqual(payableReceivers(orchardAddress(), PARAMS), { orchard, ...shielded });
  t.deepEqual(payableReceivers(unifiedAddress(), PARAMS), { sapling, orchard, ...shielded });
});

test('a payment request takes Bech32 in capitals alone, as in QR codes; mixed case is refused as that', (t) => {
  const tex = encodeBech32('bech32m', PARAMS.hrp.tex, hash);
  for (const address of [saplingAddress(), unifiedAddress(), tex]) {
    const capitals = address.toUpperCase();
    t.is(parsePaymentUri(`ZCASH:${capitals}`, PARAMS)[0]?.address, address);
    for (const mixed of [capitals[0] + address.slice(1), address[0] + capitals.slice(1)])
      t.throws(() => payableReceivers(mixed, PARAMS), { message: /^capitals and small letters are mixed/ });
  }
});

for (const kind of ['p2pkh', 'p2sh'] as const) {
  test(`a transparent receiver, alone or in a unified address: ${kind}`, (t) => {
    const transparent = { kind, hash };
    t.deepEqual(payableReceivers(encodeTransparentAddress(transparent, 'regtest'), PARAMS), {
      transparent,
      isTransparentSourceOnly: false,
    });
    const unified = encodeUnifiedContainer(PARAMS.hrp.unifiedAddress, [
      { typecode: TYPECODE[kind], value: hash },
      { typecode: TYPECODE.orchard, value: orchard },
    ]);
    t.deepEqual(payableReceivers(unified, PARAMS), { orchard, transparent, isTransparentSourceOnly: false });
  });
}

test('a TEX address is distinguished from its P2PKH twin', (t) => {
  const tex = encodeBech32('bech32m', PARAMS.hrp.tex, hash);
  t.deepEqual(payableReceivers(tex, PARAMS), {
    transparent: { kind: 'p2pkh', hash },
    isTransparentSourceOnly: true,
  });
  const short = encodeBech32('bech32m', PARAMS.hrp.tex, hash.subarray(1));
  t.throws(() => payableReceivers(short, PARAMS), { instanceOf: FormatError });
});

test('until when an address is to be paid', (t) => {
  const address = encodeUnifiedContainer(PARAMS.hrp.shieldedOnlyAddress, [
    { typecode: TYPECODE.orchard, value: orchard },
    { typecode: TYPECODE.expiryHeight, value: u32ToLeBytes(4_000_000_000) },
    { typecode: TYPECODE.expiryTime, value: u64ToLeBytes(1_800_000_000n) },
  ]);
  t.deepEqual(payableReceivers(address, PARAMS), {
    orchard,
    isTransparentSourceOnly: false,
    lastHeight: 4_000_000_000,
    lastTime: 1_800_000_000,
  });
});

test('other networks, mistyped and endless text are no addresses', (t) => {
  const wrong = [
    '',
    'hello',
    `${unifiedAddress()}q`,
    saplingAddress().slice(0, -1),
    encodeTransparentAddress({ kind: 'p2pkh', hash }, 'main'),
    encodeBech32('bech32m', MAIN.hrp.tex, hash),
    'u1'.padEnd(MAX_ADDRESS_LENGTH + 1, 'q'),
  ];
  for (const address of wrong) t.throws(() => payableReceivers(address, PARAMS), { instanceOf: FormatError });
});
