import { bytesToHex, concatBytes, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { firstAddress } from '../../src/zcash/address/account.ts';
import { encodeSaplingAddress, encodeUnifiedAddress } from '../../src/zcash/address/address.ts';
import {
  encodeUnifiedViewingKey,
  parseUnifiedViewingKey,
} from '../../src/zcash/address/unifiedViewingKey.ts';
import {
  deriveViewingKeys,
  incomingKeys,
  outgoingKeys,
  toIncomingViewingKeys,
} from '../../src/zcash/keys/account.ts';
import { mnemonicToSeed, normaliseMnemonic } from '../../src/zcash/keys/mnemonic.ts';
import { orchardAddressAt } from '../../src/zcash/keys/orchardKeys.ts';
import { saplingAddressAt } from '../../src/zcash/keys/saplingKeys.ts';
import { networkParameters } from '../../src/zcash/network.ts';
import { readFixtureJson } from '../helpers/fixtures.ts';

interface AccountFixture {
  account: number;
  ufvk: string;
  uivk: string;
  defaultDiversifierIndex: string;
  shieldedAddress: string;
  orchardOnlyAddress0: string;
  saplingOnlyUnifiedAddress: string;
  saplingAddress: string;
  saplingDefaultDiversifierIndex: string;
  saplingInternalRawAddress: string;
  orchardInternalRawAddress0: string;
  orchardFvk: string;
  saplingDfvk: string;
}

for (const network of ['main', 'regtest'] as const) {
  const fixture = readFixtureJson<{ mnemonic: string; seedHex: string; accounts: AccountFixture[] }>(
    'known-seed',
    network,
    'keys.json',
  );
  const params = networkParameters(network);
  const seed = mnemonicToSeed(normaliseMnemonic(fixture.mnemonic), '');

  test(`${network}: the seed of the known phrase`, (t) => {
    t.is(bytesToHex(seed), fixture.seedHex);
  });

  for (const expected of fixture.accounts) {
    const keys = deriveViewingKeys(seed, params, expected.account);
    const title = `${network} account ${expected.account}`;

    test(`${title}: viewing keys, unified ones byte for byte with the transparent key of other wallets`, (t) => {
      t.is(bytesToHex(keys.orchard), expected.orchardFvk);
      t.is(bytesToHex(keys.sapling), expected.saplingDfvk);
      t.is(encodeUnifiedViewingKey(keys, params), expected.ufvk);
      t.is(encodeUnifiedViewingKey(toIncomingViewingKeys(keys), params), expected.uivk);
      t.deepEqual(parseUnifiedViewingKey(expected.ufvk, params), keys);
      t.deepEqual(parseUnifiedViewingKey(` ${expected.uivk}\n`, params), toIncomingViewingKeys(keys));
    });

    test(`${title}: addresses`, (t) => {
      const saplingIndex = BigInt(expected.saplingDefaultDiversifierIndex);
      const first = firstAddress(keys, params, 0n);
      t.is(first.diversifierIndex, saplingIndex);
      t.is(first.saplingAddress, expected.saplingAddress);
      const [sapling, orchard] = incomingKeys(keys, expected.account);
      const saplingReceiver = saplingAddressAt(sapling!, saplingIndex)!;
      t.is(encodeSaplingAddress(saplingReceiver, params), expected.saplingAddress);
      t.is(encodeUnifiedAddress({ sapling: saplingReceiver }, params), expected.saplingOnlyUnifiedAddress);
      t.is(
        encodeUnifiedAddress({ orchard: orchardAddressAt(orchard!, 0n) }, params),
        expected.orchardOnlyAddress0,
      );
      // The fixture's shielded address stands at index 0, where Sapling may have none.
      if (saplingIndex === 0n) t.is(first.unifiedAddress, expected.shieldedAddress);
      else t.is(expected.orchardOnlyAddress0, expected.shieldedAddress);
      t.deepEqual(firstAddress(toIncomingViewingKeys(keys), params, 0n), first);
    });

    test(`${title}: change addresses`, (t) => {
      const internal = incomingKeys(keys, expected.account).filter((key) => key.scope === 'internal');
      const [sapling, orchard] = internal;
      let raw: Uint8Array | undefined;
      for (let index = 0n; raw === undefined; index++) raw = saplingAddressAt(sapling!, index);
      t.is(bytesToHex(raw), expected.saplingInternalRawAddress);
      t.is(bytesToHex(orchardAddressAt(orchard!, 0n)), expected.orchardInternalRawAddress0);
    });
  }
}

const MAIN = networkParameters('main');
const SEED = new Uint8Array(32).fill(5);

test('a full viewing key gives incoming and outgoing keys of both scopes and protocols', (t) => {
  const keys = deriveViewingKeys(SEED, MAIN, 3);
  const incoming = incomingKeys(keys, 3);
  const outgoing = outgoingKeys(keys, 3);
  const names = ['sapling external', 'orchard external', 'sapling internal', 'orchard internal'];
  t.deepEqual(
    incoming.map(({ protocol, scope }) => `${protocol} ${scope}`),
    names,
  );
  t.deepEqual(
    outgoing.map(({ protocol, scope }) => `${protocol} ${scope}`),
    [...names.slice(0, 2), 'transparent external', ...names.slice(2), 'transparent internal'],
  );
  t.is(new Set(incoming.map(({ ivk }) => bytesToHex(ivk))).size, 4);
  t.is(new Set(outgoing.map(({ ovk }) => bytesToHex(ovk))).size, 6);
  // Orchard shares nk between the scopes, Sapling does not.
  t.is(new Set(incoming.map(({ nk }) => bytesToHex(nk!))).size, 3);
  t.true(incoming.every(({ account }) => account === 3));
});

test('an incoming viewing key sees external receipts only and no spends', (t) => {
  const keys = toIncomingViewingKeys(deriveViewingKeys(SEED, MAIN, 0));
  const incoming = incomingKeys(keys, 0);
  t.deepEqual(
    incoming.map(({ scope, nk }) => [scope, nk]),
    [
      ['external', undefined],
      ['external', undefined],
    ],
  );
  t.deepEqual(outgoingKeys(keys, 0), []);
});

test('keys of a single protocol stay alone', (t) => {
  const { sapling, orchard } = deriveViewingKeys(SEED, MAIN, 0);
  t.deepEqual(
    incomingKeys({ kind: 'full', sapling }, 0).map(({ protocol }) => protocol),
    ['sapling', 'sapling'],
  );
  t.deepEqual(
    outgoingKeys({ kind: 'full', orchard }, 0).map(({ protocol }) => protocol),
    ['orchard', 'orchard'],
  );
});

test('coin types and accounts separate keys', (t) => {
  const regtest = networkParameters('regtest');
  const keys = [
    deriveViewingKeys(SEED, MAIN, 0),
    deriveViewingKeys(SEED, MAIN, 1),
    deriveViewingKeys(SEED, regtest, 0),
  ];
  t.is(new Set(keys.map(({ sapling, orchard }) => bytesToHex(concatBytes(sapling, orchard)))).size, 3);
});

test('seeds and accounts out of range are refused', (t) => {
  for (const length of [0, 31, 253]) {
    t.throws(() => deriveViewingKeys(new Uint8Array(length), MAIN, 0), { instanceOf: FormatError });
  }
  for (const account of [-1, 1.5, 2 ** 31]) {
    t.throws(() => deriveViewingKeys(SEED, MAIN, account), { instanceOf: RangeError });
  }
  t.deepEqual(SEED, new Uint8Array(32).fill(5));
});

test('the highest account index is valid', (t) => {
  t.is(deriveViewingKeys(hexToBytes('07'.repeat(64)), MAIN, 2 ** 31 - 1).orchard.length, 96);
});
