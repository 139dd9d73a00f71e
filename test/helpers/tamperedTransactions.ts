// What a node refuses, and in which words: made of a right payment, and the same for the devnet and for a real node.

import { orchardProofSize, type TransactionContents } from '@wallet-companion/zcash/transactions';
export type Tampering = (contents: TransactionContents) => TransactionContents;
const ironwood =
  (change: (bundle: NonNullable<TransactionContents['ironwood']>) => object): Tampering =>
  (contents) => ({ ...contents, ironwood: { ...contents.ironwood!, ...change(contents.ironwood!) } });
const flipped = (bytes: Uint8Array): Uint8Array =>
  bytes.map((byte, i) => (i === 40 % bytes.length ? byte ^ 1 : byte));

/** With so many actions. */
const repeated = (bundle: NonNullable<TransactionContents['ironwood']>, count: number) => ({
  ...bundle,
  actions: Array.from({ length: count }, (_, i) => bundle.actions[i % bundle.actions.length]!),
  proof: new Uint8Array(orchardProofSize(count)),
});

/** Of a right payment out of Ironwood with two actions. What nobody but a node with circuits could refuse is not here. */
export const TAMPERED: readonly (readonly [what: string, Tampering, code: number, words: RegExp])[] = [
  ['branch id', (c) => ({ ...c, consensusBranchId: 0x37a5165b }), -25, /incorrect consensus branch id/],
  [
    'nothing but a version that is no more',
    (c) => ({ ...c, version: 4, ironwood: undefined }),
    -25,
    /at least one input/,
  ],
  ['expiry', (c) => ({ ...c, expiryHeight: c.expiryHeight + 1 }), -25, /proof verification failed/],
  ['an expiry beyond all', (c) => ({ ...c, expiryHeight: 500_000_000 }), -25, /less than the maximum/],
  ['a fee that is too low', ironwood((b) => ({ valueBalance: b.valueBalance - 8_001n })), -25, /ZIP-317/],
  [
    'the least fee, which was not signed',
    ironwood((b) => ({ valueBalance: b.valueBalance - 8_000n })),
    -25,
    /verification failed/,
  ],
  [
    'outputs above inputs',
    ironwood(() => ({ valueBalance: -1n })),
    -25,
    /could not calculate the transaction fee/,
  ],
  [
    'a fee that was not signed',
    ironwood((b) => ({ valueBalance: b.valueBalance + 1n })),
    -25,
    /verification failed/,
  ],
  ['anchor', ironwood((b) => ({ anchor: flipped(b.anchor) })), -25, /unknown Ironwood anchor/],
  [
    'proof length',
    ironwood((b) => ({ proof: b.proof.subarray(1) })),
    -22,
    /Orchard proof has non-canonical length 7263; expected 7264 bytes/,
  ],
  ['flags that spend nothing', ironwood(() => ({ flags: 0b100 })), -25, /at least one input/],
  ['reserved flags', ironwood(() => ({ flags: 0b1111 })), -22, /io error/],
  ['binding signature', ironwood((b) => ({ bindingSig: flipped(b.bindingSig) })), -25, /verification failed/],
  [
    'spend authorization',
    ironwood(({ actions: [first, ...rest] }) => ({
      actions: [{ ...first!, spendAuthSig: flipped(first!.spendAuthSig) }, ...rest],
    })),
    -25,
    /verification failed/,
  ],
  [
    'a nullifier twice',
    ironwood(({ actions }) => ({
      actions: actions.map((action) => ({ ...action, nullifier: actions[0]!.nullifier })),
    })),
    -25,
    /ironwood double-spend: duplicate nullifier/,
  ],
  [
    'ciphertext',
    ironwood(({ actions }) => ({
      actions: actions.map((action) => ({ ...action, encCiphertext: flipped(action.encCiphertext) })),
    })),
    -25,
    /verification failed/,
  ],
  [
    'a key that is no point',
    ironwood(({ actions }) => ({
      actions: actions.map((action) => ({ ...action, rk: new Uint8Array(32).fill(0xff) })),
    })),
    -22,
    /invalid verification key/,
  ],
  [
    'a value commitment that is no point',
    ironwood(({ actions }) => ({
      actions: actions.map((action) => ({ ...action, cv: new Uint8Array(32).fill(0xff) })),
    })),
    -22,
    /invalid Pallas point for value commitment/,
  ],
  [
    'more actions than a block takes',
    ironwood((b) => repeated(b, 331)),
    -25,
    /331 Ironwood actions, exceeding the next block's ZIP 218 limit of 330/,
  ],
  [
    'more in all pools than a block takes',
    (c) => ({
      ...c,
      ironwood: repeated(c.ironwood!, 200),
      orchard: { ...repeated(c.ironwood!, 131), flags: 0b011 },
    }),
    -25,
    /331 shielded actions across all pools, exceeding the next block's ZIP 218 limit of 330/,
  ],
  // As many as fit are looked at more closely.
  ['one action many times', ironwood((b) => repeated(b, 330)), -25, /duplicate nullifier/],
  ['nothing at all', (c) => ({ ...c, ironwood: undefined }), -25, /at least one input/],
  [
    'a coin',
    (c) => ({
      ...c,
      inputs: [
        { prevTxid: new Uint8Array(32).fill(1), prevIndex: 0, scriptSig: new Uint8Array(0), sequence: 0 },
      ],
    }),
    -25,
    /could not find transparent input/,
  ],
  [
    'a coinbase',
    (c) => ({
      ...c,
      inputs: [
        {
          prevTxid: new Uint8Array(32),
          prevIndex: 0xffff_ffff,
          scriptSig: Uint8Array.of(1, 48, 0),
          sequence: 0,
        },
      ],
    }),
    -25,
    /coinbase inputs MUST NOT/,
  ],
];
