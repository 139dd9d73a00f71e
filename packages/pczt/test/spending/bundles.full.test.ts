// What is in a bundle beside the real notes: how it is filled up, in which order, by which rules of which upgrade, and with
// which randomness; and what is refused when notes, paths and keys do not belong together.

import { bytesToHex, concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { decodeInteger32, encodeInteger32, PALLAS_SCALAR_ORDER } from '@wallet-companion/zcash/curves';
import { deriveOrchardKeys, harden, outgoingKeys } from '@wallet-companion/zcash/keys';
import { networkParameters, regtestParameters } from '@wallet-companion/zcash/network';
import { NOTE_SCHEMES, open as openCiphertext, openOutgoing } from '@wallet-companion/zcash/notes';
import type { ActionPool } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { outputNoteOf } from '../../src/pczt/compactFields.ts';
import type { Action, ActionSpend } from '../../src/pczt/layout.ts';
import { noteKeysOf } from '../../src/pczt/outputNote.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { buildPczt } from '../../src/spending/builder.ts';
import type { Proposal, ProposalOptions } from '../../src/spending/proposal.ts';
import { randomizedKey } from '../../src/spending/randomizedKey.ts';
import { checkedRandomBytes, shuffle } from '../../src/spending/randomness.ts';
import {
  build,
  FINGERPRINT,
  keysOf,
  type MadeUpNote,
  madeUpNotes,
  orchardAddress,
  PARAMS,
  payTo,
  problemOf,
  propose,
  receiverOf,
  saplingAddress,
  treeOf,
  unifiedAddress,
} from '../helpers/spendingAccount.ts';

const ZEC = 100_000_000;
const crossing: ProposalOptions = { consents: ['crossing_pools'] };

function built(notes: MadeUpNote[], proposal: Proposal<MadeUpNote>, seed: number): Pczt {
  return build(proposal, notes, seededBytes(seed)).pczt;
}

/** Undefined where the ciphertext is not that of the note. */
function plaintextIn(pool: ActionPool, action: Action): Uint8Array | undefined {
  const { encryptionKey } = noteKeysOf(pool, outputNoteOf(pool, action)!)!;
  return openCiphertext(encryptionKey, action.output.encCiphertext.bytes);
}

const isDummy = ({ value, zip32Derivation }: ActionSpend): boolean =>
  value === 0n && zip32Derivation === undefined;
const memoOf = (plaintext: Uint8Array): Uint8Array => plaintext.subarray(52);

test('Orchard pays back alone: what stands beside each spend, and what of it can be read', (t) => {
  const notes = madeUpNotes(
    [
      { pool: 'orchard', zatoshi: 50_000_000, scope: 'internal' },
      { pool: 'orchard', zatoshi: 50_000_000 },
    ],
    seededBytes(1),
  );
  const { orchard, ironwood } = built(notes, payTo(orchardAddress(), 90_000_000, notes, crossing), 2);
  t.is(orchard.flags, 0b011);
  t.is(ironwood.flags, 0b111);
  t.is(orchard.actions.length, 3);
  const change = receiverOf('orchard', 0, 'internal');
  for (const action of orchard.actions) {
    const { spend, output } = action;
    t.deepEqual(output.recipient, spend.recipient);
    t.is(output.userAddress, undefined);
    t.is(spend.dummySk, undefined);
    t.is(spend.spendAuthSig, undefined);
    const plaintext = plaintextIn('orchard', action);
    if (output.value! > 0n) {
      // The note of nothing at the change address, which the signer signs as his own.
      t.is(spend.value, 0n);
      t.deepEqual(spend.recipient, change);
      t.deepEqual(spend.fvk, keysOf(0).orchard);
      t.is(memoOf(plaintext!)[0], 0xf6);
    } else if (equalBytes(spend.recipient!, change)) t.true(memoOf(plaintext!).every((byte) => byte === 0));
    // Whoever has the external key must not read that nothing was sent (ZIP 326).
    else t.is(plaintext, undefined);
    t.is(output.encCiphertext.bytes.length, 580);
  }
  t.deepEqual(orchard.actions.map(({ output }) => Number(output.value)).sort(), [0, 0, 9_975_000]);
});

test('one Orchard note without change is filled up with a dummy that pays itself', (t) => {
  const notes = madeUpNotes([{ pool: 'orchard', zatoshi: ZEC }], seededBytes(3));
  const { orchard } = built(
    notes,
    payTo(orchardAddress(), 1000, notes, { ...crossing, changePolicy: 'moved' }),
    4,
  );
  t.is(orchard.actions.length, 2);
  const dummy = orchard.actions.find(({ spend }) => isDummy(spend))!;
  t.deepEqual(dummy.output.recipient, dummy.spend.recipient);
  t.not(plaintextIn('orchard', dummy), undefined);
  t.not(dummy.spend.spendAuthSig, undefined);
  t.is(dummy.spend.witness!.path.length, 1024);
});

test('Ironwood is filled up to two actions, whose dummies have no owner', (t) => {
  const notes = madeUpNotes([{ pool: 'orchard', zatoshi: ZEC }], seededBytes(5));
  const { ironwood } = built(notes, payTo(orchardAddress(), 1000, notes, crossing), 6);
  t.is(ironwood.actions.length, 2);
  t.true(ironwood.actions.every(({ spend }) => isDummy(spend)));
  const [one, other] = ironwood.actions as [Action, Action];
  t.notDeepEqual(one.spend.fvk, other.spend.fvk);
  const padding = ironwood.actions.find(({ output }) => output.value === 0n)!;
  t.true(memoOf(plaintextIn('ironwood', padding)!).every((byte) => byte === 0));
  t.is(padding.output.ock, undefined);
});

test('witnesses lead from real notes to the anchor, and derivations name the account', (t) => {
  const given = [
    { pool: 'ironwood' as const, zatoshi: 300_000 },
    { pool: 'ironwood' as const, zatoshi: 200_000, scope: 'internal' as const },
  ];
  const notes = madeUpNotes(given, seededBytes(7));
  const { ironwood } = built(notes, payTo(unifiedAddress(), 400_000, notes), 8);
  for (const { spend } of ironwood.actions) {
    const note = notes.find(({ zatoshi }) => BigInt(zatoshi) === spend.value)!;
    t.is(spend.witness!.position, note.position);
    t.deepEqual(spend.rseed, note.opening.rseed);
    t.deepEqual(spend.zip32Derivation, {
      seedFingerprint: FINGERPRINT,
      derivationPath: [harden(32), harden(1), harden(0)],
    });
  }
  const [first] = ironwood.actions as [Action];
  const note = notes.find(({ zatoshi }) => BigInt(zatoshi) === first.spend.value)!;
  const leaf = treeOf('ironwood', notes);
  t.deepEqual(ironwood.anchor, leaf.root);
  t.deepEqual(first.spend.rho, note.opening.rho);
  // Whoever knows no seed says nothing of keys, and leaves it to the signer to find them.
  const unknown = build(payTo(unifiedAddress(), 400_000, notes), notes, seededBytes(8), {
    seedAccount: undefined,
  });
  t.true(unknown.pczt.ironwood.actions.every(({ spend }) => spend.zip32Derivation === undefined));
});

for (const network of ['main', 'test'] as const)
  for (const accountIndex of [1, 7])
    test(`the path of account ${accountIndex} of a seed on "${network}" is in each part of its own`, (t) => {
      const { coinType } = networkParameters(network);
      t.is(coinType, network === 'main' ? 133 : 1);
      const given = [
        { pool: 'ironwood' as const, zatoshi: 300_000 },
        { pool: 'sapling' as const, zatoshi: 300_000 },
      ];
      const notes = madeUpNotes(given, seededBytes(7));
      const proposal = payTo(unifiedAddress(), 400_000, notes, { consents: ['crossing_pools'] });
      const seedAccount = { seedFingerprint: FINGERPRINT, accountIndex };
      const params = { ...PARAMS, coinType };
      const { pczt } = build(proposal, notes, seededBytes(8), { params, seedAccount });
      t.is(pczt.global.coinType, coinType);
      const spends = [...pczt.ironwood.actions.map(({ spend }) => spend), ...pczt.sapling.spends];
      const outputs = [...pczt.ironwood.actions.map(({ output }) => output), ...pczt.sapling.outputs];
      const found = [...spends, ...outputs].flatMap(({ zip32Derivation }) => zip32Derivation ?? []);
      t.true(found.length >= 3);
      for (const { seedFingerprint, derivationPath } of found) {
        t.deepEqual(seedFingerprint, FINGERPRINT);
        t.deepEqual(derivationPath, [harden(32), harden(coinType), harden(accountIndex)]);
      }
    });

test('before NU6.3 a payment is of version 5, in Orchard, in the encoding that old signers read', (t) => {
  const params = regtestParameters({ nu6_3: undefined });
  const notes = madeUpNotes([{ pool: 'orchard', zatoshi: ZEC }], seededBytes(9));
  const proposal = propose({ params, notes, payments: [{ address: orchardAddress(), zatoshi: 30_000_000 }] });
  const { pczt, encoding } = build(proposal, notes, seededBytes(10), { params });
  t.is(encoding, 1);
  t.is(pczt.global.txVersion, 5);
  t.is(proposal.fee, 10_000);
  t.is(pczt.orchard.actions.length, 2);
  t.deepEqual(
    pczt.orchard.actions.map(({ output }) => Number(output.value)).sort(),
    [30_000_000, 69_990_000],
  );
  t.is(pczt.global.fallbackLockTime, 0);
  t.is(pczt.global.txModifiable, 0);
});

test('spends and outputs come in any order, whatever order they were asked for in', (t) => {
  const notes = madeUpNotes(
    [
      { pool: 'ironwood', zatoshi: 300_000 },
      { pool: 'ironwood', zatoshi: 200_000 },
    ],
    seededBytes(11),
  );
  const proposal = payTo(unifiedAddress(), 400_000, notes);
  const orders = new Set<string>();
  for (let seed = 100; seed < 130 && orders.size < 4; seed++) {
    const { ironwood } = built(notes, proposal, seed);
    orders.add(ironwood.actions.map(({ spend, output }) => `${spend.value}>${output.value}`).join());
  }
  t.is(orders.size, 4);
});

test('and so in Sapling, where both are lists of their own', (t) => {
  const notes = madeUpNotes(
    [
      { pool: 'sapling', zatoshi: 300_000 },
      { pool: 'sapling', zatoshi: 200_000 },
    ],
    seededBytes(27),
  );
  const proposal = payTo(saplingAddress(), 400_000, notes);
  const orders = new Set<string>();
  for (let seed = 200; seed < 230 && orders.size < 4; seed++) {
    const { sapling } = built(notes, proposal, seed);
    const values = (items: readonly { readonly value: bigint | undefined }[]) =>
      items.map(({ value }) => value);
    orders.add(`${values(sapling.spends)}>${values(sapling.outputs)}`);
  }
  t.is(orders.size, 4);
});

test('an order is drawn with the same chance for each', (t) => {
  const randomBytes = seededBytes(12);
  const counts = new Map<string, number>();
  for (let i = 0; i < 6000; i++) {
    const order = shuffle(['a', 'b', 'c'], randomBytes).join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  t.is(counts.size, 6);
  // Four standard deviations around 1000.
  for (const count of counts.values()) t.true(Math.abs(count - 1000) < 116);
  t.deepEqual(shuffle([], randomBytes), []);
  // 2^32 is no multiple of three: the last number would favour the first place, so another is drawn.
  const draws = [0xff, 0, 0];
  shuffle(['a', 'b', 'c'], (length) => new Uint8Array(length).fill(draws.shift()!));
  t.deepEqual(draws, []);
});

test('payments can be read by the sender with one key, whatever pools they are in; change and padding cannot', (t) => {
  const notes = madeUpNotes(
    [
      { pool: 'sapling', zatoshi: 100_000 },
      { pool: 'ironwood', zatoshi: 100_000 },
    ],
    seededBytes(25),
  );
  const proposal = payTo(saplingAddress(), 130_000, notes, crossing);
  t.is(proposal.spends[0]!.pool, 'sapling');
  const { sapling, ironwood } = built(notes, proposal, 26);
  const orchardKey = outgoingKeys(keysOf(0), 0).find(
    ({ protocol, scope }) => protocol === 'orchard' && scope === 'external',
  )!;
  for (const output of sapling.outputs) {
    const { cv, cmu, ephemeralKey, ock, outCiphertext, userAddress } = output;
    t.deepEqual(
      ock,
      userAddress && NOTE_SCHEMES.sapling.deriveOutgoingKey(orchardKey.ovk, cv, cmu, ephemeralKey),
    );
    if (ock) t.not(openOutgoing(ock, outCiphertext), undefined);
  }
  t.is(sapling.outputs.filter(({ ock }) => ock).length, 1);
  t.true(ironwood.actions.every(({ output }) => output.ock === undefined));
});

test('every secret of a payment is drawn anew', (t) => {
  const notes = madeUpNotes(
    [
      { pool: 'orchard', zatoshi: ZEC },
      { pool: 'sapling', zatoshi: ZEC },
    ],
    seededBytes(13),
  );
  const proposal = payTo(orchardAddress(), 150_000_000, notes, crossing);
  const drawn = (seed: number): string[] => {
    const { sapling, orchard, ironwood } = built(notes, proposal, seed);
    const actions = [...orchard.actions, ...ironwood.actions];
    return [
      ...actions.flatMap(({ rcv, spend, output }) => [
        rcv!,
        spend.alpha!,
        output.rseed!,
        output.ephemeralKey,
      ]),
      ...sapling.spends.flatMap(({ rcv, alpha }) => [rcv!, alpha!]),
      ...sapling.outputs.flatMap(({ rcv, rseed }) => [rcv!, rseed!]),
    ].map(bytesToHex);
  };
  const all = [...drawn(14), ...drawn(15)];
  t.is(new Set(all).size, all.length);
  t.deepEqual(drawn(14), drawn(14));
});

test('keys of dummies are wiped where they were made, whatever comes of the payment', (t) => {
  const notes = madeUpNotes([{ pool: 'ironwood', zatoshi: ZEC }], seededBytes(16));
  const proposal = payTo(unifiedAddress(), 1000, notes);
  /** Whoever drew the key of a dummy sees it wiped: those of spends are 32 bytes that make a spending key. */
  const watched = (failAt: number) => {
    const source = seededBytes(17);
    const handedOut: { readonly bytes: Uint8Array; readonly copy: Uint8Array }[] = [];
    let calls = 0;
    const randomBytes: RandomBytes = (length) => {
      if (++calls === failAt) throw new Error('no more randomness');
      const bytes = source(length);
      handedOut.push({ bytes, copy: bytes.slice() });
      return bytes;
    };
    return { randomBytes, handedOut, calls: () => calls };
  };
  const whole = watched(Number.POSITIVE_INFINITY);
  const { pczt } = build(proposal, notes, whole.randomBytes);
  const dummy = pczt.ironwood.actions.find(({ spend }) => isDummy(spend))!;
  const keyOf = ({ copy }: { readonly copy: Uint8Array }): boolean => {
    if (copy.length !== 32) return false;
    const { ak, nk, rivk } = deriveOrchardKeys(copy).fullViewingKey;
    const fvk = concatBytes(encodeInteger32(ak), encodeInteger32(nk), encodeInteger32(rivk));
    return equalBytes(fvk, dummy.spend.fvk!);
  };
  const index = whole.handedOut.findIndex(keyOf);
  t.true(index >= 0);
  t.true(whole.handedOut[index]!.bytes.every((byte) => byte === 0));
  // It breaks off later, before anything was signed.
  for (let failAt = index + 2; failAt <= whole.calls(); failAt += runs(40, 9)) {
    const broken = watched(failAt);
    t.throws(() => build(proposal, notes, broken.randomBytes), { message: 'no more randomness' });
    t.true(
      broken.handedOut[index]!.bytes.every((byte) => byte === 0),
      `broke at ${failAt}`,
    );
  }
});

test('a source that gives too little, or the same for ever, makes no payment', (t) => {
  t.throws(() => checkedRandomBytes(() => new Uint8Array(31))(32), { instanceOf: RangeError });
  const notes = madeUpNotes([{ pool: 'ironwood', zatoshi: ZEC }], seededBytes(18));
  const proposal = payTo(unifiedAddress(), 1000, notes);
  t.throws(() => build(proposal, notes, (length) => seededBytes(19)(Math.min(length, 16))), {
    instanceOf: RangeError,
  });
  t.throws(() => build(proposal, notes, (length) => new Uint8Array(length)), { message: /randomness/ });
});

test('a randomizer that makes the key of a signature the identity is drawn again', (t) => {
  const { ask, fullViewingKey } = deriveOrchardKeys(new Uint8Array(32).fill(7));
  const ak = encodeInteger32(fullViewingKey.ak);
  const first = encodeInteger32(PALLAS_SCALAR_ORDER - ask);
  const draws = [concatBytes(first, new Uint8Array(32)), seededBytes(20)(64)];
  const { alpha, rk } = randomizedKey('ironwood', ak, () => draws.shift()!);
  t.is(draws.length, 0);
  t.notDeepEqual(alpha, first);
  t.true(decodeInteger32(alpha) > 0n);
  t.false(rk.every((byte) => byte === 0));
});

test('notes, paths, anchors and keys that do not belong together are refused', (t) => {
  const notes = madeUpNotes(
    [
      { pool: 'ironwood', zatoshi: ZEC },
      { pool: 'ironwood', zatoshi: ZEC },
    ],
    seededBytes(21),
  );
  const proposal = payTo(unifiedAddress(), 1000, notes);
  const tree = treeOf('ironwood', notes);
  const [{ position, opening }] = proposal.spends as [MadeUpNote];
  const opened = { ...opening, path: tree.pathOf(position) };
  const request = {
    params: PARAMS,
    proposal,
    openings: [opened],
    anchors: { ironwood: tree.root },
    keys: keysOf(0),
    randomBytes: seededBytes(22),
  };
  t.is(buildPczt(request).encoding, 2);
  const fault = (change: Partial<Parameters<typeof buildPczt>[0]>) => {
    const problem = problemOf(() => buildPczt({ ...request, ...change }));
    return problem.kind === 'note' ? problem.fault : problem.kind;
  };
  const other = notes.find((note) => note.position !== position)!;
  t.is(fault({ openings: [{ ...opened, rseed: new Uint8Array(32) }] }), 'witness');
  t.is(fault({ openings: [{ ...opened, path: tree.pathOf(other.position) }] }), 'witness');
  t.is(
    fault({ openings: [{ ...opened, path: { ...opened.path, siblings: opened.path.siblings.slice(1) } }] }),
    'witness',
  );
  t.is(fault({ openings: [{ ...other.opening, path: tree.pathOf(other.position) }] }), 'witness');
  t.is(fault({ anchors: { ironwood: new Uint8Array(32) } }), 'witness');
  t.is(fault({ openings: [{ ...opened, leadByte: 2 }] }), 'opening');
  t.is(fault({ openings: [{ ...opened, recipient: receiverOf('orchard', 1, 'external') }] }), 'opening');
  t.is(fault({ keys: keysOf(1) }), 'opening');
  t.is(fault({ keys: { kind: 'full', sapling: keysOf(0).sapling } }), 'viewingKey');
  t.is(fault({ anchors: {} }), 'anchorMissing');
  t.throws(() => buildPczt({ ...request, openings: [] }), { instanceOf: RangeError });
  // Another amount than the note's.
  const lied = { ...proposal, spends: [{ ...proposal.spends[0]!, zatoshi: ZEC + 1 }] };
  t.is(fault({ proposal: lied }), 'witness');
  // And a fee that does not fit the rest is a fault of the program, which lets nothing out.
  t.throws(() => buildPczt({ ...request, proposal: { ...proposal, fee: proposal.fee + 1 } }), {
    message: /fee/,
  });
});

test('notes from before ZIP 212 are spent with their own trapdoor', (t) => {
  const [note] = madeUpNotes([{ pool: 'sapling', zatoshi: ZEC }], seededBytes(23)) as [MadeUpNote];
  const rcm = encodeInteger32(12_345n);
  const old: MadeUpNote = { ...note, opening: { ...note.opening, leadByte: 1, rseed: rcm } };
  const { sapling } = built([old], payTo(unifiedAddress(), 1000, [old]), 24);
  const [spend] = sapling.spends as [(typeof sapling.spends)[0]];
  t.deepEqual(spend.rcm, rcm);
  t.is(spend.rseed, undefined);
  t.is(spend.proofGenerationKey, undefined);
});
