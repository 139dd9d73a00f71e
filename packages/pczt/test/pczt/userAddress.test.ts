// Typed addresses of every kind against the receiver that is paid.

import {
  encodeBech32,
  encodeReceiver,
  encodeTransparentAddress,
  encodeUnifiedContainer,
  parseTransparentAddress,
  scriptOf,
  type TransparentReceiver,
  TYPECODE,
} from '@wallet-companion/zcash/addresses';
import { MAIN, regtestParameters, TEST } from '@wallet-companion/zcash/network';
import test from 'ava';
import { addressHolds } from '../../src/pczt/inspectItems.ts';
import { stage } from '../helpers/pcztVectors.ts';

const hash = new Uint8Array(20).map((_, i) => i);
const P2PKH: TransparentReceiver = { kind: 'p2pkh', hash };
const P2SH: TransparentReceiver = { kind: 'p2sh', hash };
const orchard = stage('v6-ironwood-ironwood', 'ready').ironwood.actions[0]!.output.recipient!;
const sapling = stage('v6-sapling-sapling', 'ready').sapling.outputs[0]!.recipient!;

test('transparent addresses hold their own script alone', (t) => {
  for (const params of [MAIN, TEST, regtestParameters()]) {
    for (const receiver of [P2PKH, P2SH]) {
      const address = encodeTransparentAddress(receiver, params.network);
      t.deepEqual(parseTransparentAddress(address, params.network), receiver);
      t.true(addressHolds(address, 'transparent', scriptOf(receiver), params));
      t.false(addressHolds(address, 'transparent', scriptOf(receiver === P2PKH ? P2SH : P2PKH), params));
      t.false(addressHolds(address, 'sapling', sapling, params));
    }
  }
  const onMain = encodeTransparentAddress(P2PKH, 'main');
  t.regex(onMain, /^t1/);
  t.false(addressHolds(onMain, 'transparent', scriptOf(P2PKH), TEST));
});

test('a TEX address holds the script of its key', (t) => {
  const tex = encodeBech32('bech32m', MAIN.hrp.tex, hash);
  t.true(addressHolds(tex, 'transparent', scriptOf(P2PKH), MAIN));
  t.false(addressHolds(tex, 'transparent', scriptOf(P2SH), MAIN));
  t.false(addressHolds(tex, 'transparent', scriptOf(P2PKH), TEST));
  // The prefix ends at the last 1 of the text.
  const longer = encodeBech32('bech32m', `${MAIN.hrp.tex}1x`, hash);
  t.false(addressHolds(longer, 'transparent', scriptOf(P2PKH), MAIN));
  const short = encodeBech32('bech32m', MAIN.hrp.tex, hash.slice(1));
  t.false(addressHolds(short, 'transparent', scriptOf(P2PKH), MAIN));
});

test('a unified address holds each of its receivers, on its network', (t) => {
  const unified = encodeUnifiedContainer(TEST.hrp.unifiedAddress, [
    { typecode: TYPECODE.p2pkh, value: hash },
    { typecode: TYPECODE.sapling, value: sapling },
    { typecode: TYPECODE.orchard, value: orchard },
  ]);
  t.true(addressHolds(unified, 'transparent', scriptOf(P2PKH), TEST));
  t.false(addressHolds(unified, 'transparent', scriptOf(P2SH), TEST));
  t.true(addressHolds(unified, 'sapling', sapling, TEST));
  t.true(addressHolds(unified, 'orchard', orchard, TEST));
  t.true(addressHolds(unified, 'ironwood', orchard, TEST));
  t.false(addressHolds(unified, 'ironwood', sapling, TEST));
  for (const [place, receiver] of [
    ['transparent', scriptOf(P2PKH)],
    ['sapling', sapling],
    ['orchard', orchard],
  ] as const)
    t.false(addressHolds(unified, place, receiver, MAIN), place);
});

test('a single receiver is one of its own network', (t) => {
  const address = encodeReceiver('sapling', sapling, MAIN);
  t.true(addressHolds(address, 'sapling', sapling, MAIN));
  t.false(addressHolds(address, 'sapling', sapling, TEST));
  t.false(addressHolds(address, 'orchard', orchard, MAIN));
});
