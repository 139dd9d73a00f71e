// The Spend Finalizer: scripts from partial signatures, and signatures that must not become one.
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@wallet-companion/base/bytes';
import { multisigOf, pushData, scriptOf, transparentReceiverOf } from '@wallet-companion/zcash/addresses';
import test from 'ava';
import { decodePczt, encodePczt } from '../../src/pczt/codec.ts';
import type { TransparentInput } from '../../src/pczt/layout.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { finalizeSpends } from '../../src/pczt/spendFinalizer.ts';
import { stage, withField } from '../helpers/pcztVectors.ts';

const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));
const publicKey = (n: number): Uint8Array => concatBytes(Uint8Array.of(2), new Uint8Array(32).fill(n));
const signature = (n: number, type = 1): Uint8Array => Uint8Array.of(0x30, n, n, type);

const INPUT: TransparentInput = {
  prevoutTxid: new Uint8Array(32),
  prevoutIndex: 0,
  sequence: undefined,
  requiredTimeLockTime: undefined,
  requiredHeightLockTime: 100,
  scriptSig: undefined,
  value: 10_000n,
  scriptPubkey: scriptOf({ kind: 'p2pkh', hash: hash160(publicKey(1)) }),
  redeemScript: undefined,
  partialSignatures: new Map([[bytesToHex(publicKey(1)), signature(7)]]),
  sighashType: 1,
  bip32Derivation: new Map([
    [bytesToHex(publicKey(1)), { seedFingerprint: new Uint8Array(32), derivationPath: [1] }],
  ]),
  ripemd160Preimages: new Map(),
  sha256Preimages: new Map([['00'.repeat(32), Uint8Array.of(1)]]),
  hash160Preimages: new Map(),
  hash256Preimages: new Map(),
  proprietary: new Map([['other', Uint8Array.of(1)]]),
};

const pcztWith = (...inputs: TransparentInput[]): Pczt =>
  withField(stage('v6-nu7-ironwood-transparent', 'ready'), 'transparent.inputs', inputs);

const scriptSigOf = (input: TransparentInput): Uint8Array | undefined =>
  finalizeSpends(pcztWith(input)).transparent.inputs[0]!.scriptSig;

/** Two of three. */
const REDEEM = concatBytes(
  Uint8Array.of(0x52),
  ...[1, 2, 3].map((n) => pushData(publicKey(n))),
  Uint8Array.of(0x53, 0xae),
);
const signatures = (...of: readonly number[]): ReadonlyMap<string, Uint8Array> =>
  new Map(of.map((n) => [bytesToHex(publicKey(n)), signature(n)]));
const MULTISIG: TransparentInput = {
  ...INPUT,
  scriptPubkey: scriptOf({ kind: 'p2sh', hash: hash160(REDEEM) }),
  redeemScript: REDEEM,
  partialSignatures: signatures(3, 1),
};

test('a signature and its key make the script of a P2PKH input, and what led there goes', (t) => {
  const [input] = finalizeSpends(pcztWith(INPUT)).transparent.inputs;
  t.is(bytesToHex(input!.scriptSig!), `043007070121${bytesToHex(publicKey(1))}`);
  t.is(input!.requiredHeightLockTime, undefined);
  t.deepEqual(
    [input!.partialSignatures.size, input!.bip32Derivation.size, input!.sha256Preimages.size],
    [0, 0, 0],
  );
  t.deepEqual([...input!.proprietary.keys()], ['other']);
  t.is(input!.value, 10_000n);
});

test('signatures stand in the order of the keys of the script, as many as it asks for', (t) => {
  const expected = concatBytes(
    Uint8Array.of(0),
    pushData(signature(1)),
    pushData(signature(3)),
    hexToBytes('4c69'),
    REDEEM,
  );
  t.is(bytesToHex(scriptSigOf(MULTISIG)!), bytesToHex(expected));
  const all = scriptSigOf({ ...MULTISIG, partialSignatures: signatures(1, 2, 3) })!;
  t.true(
    bytesToHex(all).startsWith(
      `00${bytesToHex(pushData(signature(1)))}${bytesToHex(pushData(signature(2)))}4c69`,
    ),
  );
});

test('a signature that is not used blocks nothing', (t) => {
  const partialSignatures = new Map([...signatures(1, 2), [bytesToHex(publicKey(3)), signature(3, 5)]]);
  t.notThrows(() => scriptSigOf({ ...MULTISIG, partialSignatures }));
});

test('an input that is finalized stays as it is', (t) => {
  const once = finalizeSpends(pcztWith(INPUT, MULTISIG));
  t.deepEqual(finalizeSpends(once), once);
  t.deepEqual(decodePczt(encodePczt(once, 2)).pczt.transparent, once.transparent);
});

const REFUSED: readonly (readonly [string, TransparentInput, string])[] = [
  ['no signature', { ...INPUT, partialSignatures: new Map() }, 'partialSignatures: there is no signature'],
  [
    'another key',
    { ...INPUT, partialSignatures: signatures(2) },
    'partialSignatures: there is a signature of another key',
  ],
  [
    'two keys',
    { ...INPUT, partialSignatures: signatures(1, 2) },
    'partialSignatures: there is a signature of another key',
  ],
  [
    'another type than stated',
    { ...INPUT, partialSignatures: new Map([[bytesToHex(publicKey(1)), signature(1, 2)]]) },
    'partialSignatures: a signature is not of the stated sighash type',
  ],
  [
    'a type that leaves parts open',
    { ...INPUT, sighashType: 3, partialSignatures: new Map([[bytesToHex(publicKey(1)), signature(1, 3)]]) },
    'sighashType: only signatures that cover the whole transaction are used',
  ],
  [
    'an empty signature',
    { ...INPUT, partialSignatures: new Map([[bytesToHex(publicKey(1)), new Uint8Array(0)]]) },
    'partialSignatures: a signature is empty',
  ],
  [
    'too few',
    { ...MULTISIG, partialSignatures: signatures(2) },
    'partialSignatures: 2 signatures are needed',
  ],
  ['no redeem script', { ...MULTISIG, redeemScript: undefined }, 'redeemScript: it is not there'],
  [
    'the redeem script of another output',
    { ...MULTISIG, redeemScript: REDEEM.slice(1) },
    'redeemScript: it is not that of the spent output',
  ],
  [
    'a script of another kind',
    {
      ...MULTISIG,
      redeemScript: Uint8Array.of(0x51),
      scriptPubkey: scriptOf({ kind: 'p2sh', hash: hash160(Uint8Array.of(0x51)) }),
    },
    'redeemScript: only multisignature scripts can be finalized here',
  ],
  [
    'an output without address',
    { ...INPUT, scriptPubkey: hexToBytes('6a00') },
    'scriptPubkey: only P2PKH and P2SH inputs can be finalized here',
  ],
];

for (const [what, input, message] of REFUSED) {
  test(`${what} is refused`, (t) => {
    t.throws(() => finalizeSpends(pcztWith(INPUT, input)), { message: `transparent.inputs[1].${message}` });
  });
}

test('scripts have the type of their content', (t) => {
  t.is(transparentReceiverOf(hexToBytes(`76a914${'11'.repeat(20)}88ac`))?.kind, 'p2pkh');
  t.is(transparentReceiverOf(hexToBytes(`a914${'11'.repeat(20)}87`))?.kind, 'p2sh');
  for (const hex of [
    `76a914${'11'.repeat(20)}88ad`,
    `a914${'11'.repeat(21)}87`,
    `76a914${'11'.repeat(20)}88ac00`,
    '',
  ])
    t.is(transparentReceiverOf(hexToBytes(hex)), undefined, hex);
  t.is(multisigOf(REDEEM)?.required, 2);
  const changed = (at: number, to: number) => multisigOf(REDEEM.map((byte, i) => (i === at ? to : byte)));
  // More required than there are, another count, a key of another length, another operation.
  for (const [at, to] of [
    [0, 0x54],
    [0, 0x50],
    [103, 0x52],
    [1, 65],
    [104, 0xac],
  ] as const)
    t.is(changed(at, to), undefined, `${at}`);
});
