// The Updater: adds what nobody signs, and takes no anchor and no witness that does not fit the other.

import { bytesToHex } from '@wallet-companion/base/bytes';
import test from 'ava';
import { encodePczt } from '../../src/pczt/codec.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { clearAnchor, rootOfWitness, setAnchor, updateOutput, updateSpend } from '../../src/pczt/updater.ts';
import { stage, withField } from '../helpers/pcztVectors.ts';

const hexOf = (pczt: Pczt): string => bytesToHex(encodePczt(pczt, 2));
const IRONWOOD = 'v6-ironwood-ironwood';
const SAPLING = 'v6-sapling-sapling';

for (const [name, pool] of [
  [IRONWOOD, 'ironwood'],
  [SAPLING, 'sapling'],
  ['v6-orchard-change-in-orchard', 'orchard'],
] as const) {
  test(`${name}: anchor and witnesses taken away and set again are what they were`, (t) => {
    const ready = stage(name, 'ready');
    const bare = clearAnchor(ready, pool);
    t.is(bare[pool].anchor, undefined);
    const spends = pool === 'sapling' ? ready.sapling.spends : ready[pool].actions.map(({ spend }) => spend);
    const anchored = setAnchor(bare, pool, ready[pool].anchor!);
    const again = spends.reduce(
      (pczt, { witness }, i) => updateSpend(pczt, pool, i, { witness: witness! }),
      anchored,
    );
    t.is(hexOf(again), hexOf(ready));
    // The other way round the witnesses are there when the anchor comes.
    const witnessed = spends.reduce(
      (pczt, { witness }, i) => updateSpend(pczt, pool, i, { witness: witness! }),
      bare,
    );
    t.is(hexOf(setAnchor(witnessed, pool, ready[pool].anchor!)), hexOf(ready));
    const other = ready[pool].anchor!.map((byte, i) => (i === 3 ? byte ^ 1 : byte));
    t.throws(() => setAnchor(witnessed, pool, other), {
      message: /it does not lead from the note to the anchor$/,
    });
    const paying = spends.findIndex(({ value }) => value! > 0n);
    const { witness } = spends[paying]!;
    for (const wrong of [
      { ...witness!, position: witness!.position ^ 1 },
      { ...witness!, path: witness!.path.map((byte, i) => (i === 1000 ? byte ^ 1 : byte)) },
    ])
      t.throws(() => updateSpend(anchored, pool, paying, { witness: wrong }), {
        message: /witness: it does not lead from the note to the anchor$/,
      });
  });
}

test('another anchor is not put over the one that is there', (t) => {
  const ready = stage(IRONWOOD, 'ready');
  t.is(setAnchor(ready, 'ironwood', ready.ironwood.anchor!.slice()), ready);
  t.throws(() => setAnchor(ready, 'ironwood', new Uint8Array(32)), {
    message: 'ironwood.anchor: another one is set; clear it first',
  });
});

test('what is proved keeps its witnesses until the anchor is cleared, which takes the proofs', (t) => {
  const proved = stage(IRONWOOD, 'complete');
  const { witness } = proved.ironwood.actions[0]!.spend;
  t.throws(() => updateSpend(proved, 'ironwood', 0, { witness: witness! }), {
    message: 'ironwood.anchor: the bundle is proved for the one it has',
  });
  const cleared = clearAnchor(proved, 'ironwood').ironwood;
  t.is(cleared.zkproof, undefined);
  t.deepEqual(cleared.actions[0]!.spend.spendAuthSig, proved.ironwood.actions[0]!.spend.spendAuthSig);
  const withoutAnchor = withField(proved, 'ironwood.anchor', undefined);
  t.throws(() => setAnchor(withoutAnchor, 'ironwood', proved.ironwood.anchor!), { message: /is proved/ });
  const sapling = clearAnchor(stage(SAPLING, 'complete'), 'sapling').sapling;
  t.true(sapling.spends.every(({ zkproof, witness: left }) => zkproof === undefined && left === undefined));
  // The proofs of outputs are for no anchor.
  t.true(sapling.outputs.every(({ zkproof }) => zkproof !== undefined));
});

test('the anchor of version 5 is signed', (t) => {
  const v5 = stage('v5-orchard-orchard', 'ready');
  const message = 'orchard.anchor: that of version 5 is signed';
  t.throws(() => setAnchor(v5, 'orchard', new Uint8Array(32)), { message });
  t.throws(() => clearAnchor(v5, 'orchard'), { message });
});

test('what signers look for is added where it belongs', (t) => {
  const ready = stage(IRONWOOD, 'ready');
  const derivation = { seedFingerprint: new Uint8Array(32).fill(9), derivationPath: [0x8000_0020] };
  const spend = updateSpend(ready, 'ironwood', 1, { zip32Derivation: derivation });
  t.deepEqual(spend.ironwood.actions[1]!.spend.zip32Derivation, derivation);
  t.deepEqual(spend.ironwood.actions[0], ready.ironwood.actions[0]);
  t.deepEqual(spend.ironwood.actions[1]!.spend.witness, ready.ironwood.actions[1]!.spend.witness);
  const output = updateOutput(ready, 'ironwood', 0, { userAddress: 'u1x', zip32Derivation: derivation });
  t.is(output.ironwood.actions[0]!.output.userAddress, 'u1x');
  const sapling = updateOutput(stage(SAPLING, 'ready'), 'sapling', 1, { userAddress: 'zs1x' });
  t.is(sapling.sapling.outputs[1]!.userAddress, 'zs1x');
  const nu7 = stage('v6-nu7-ironwood-transparent', 'ready');
  const transparent = updateOutput(nu7, 'transparent', 0, { userAddress: 't1x' });
  t.is(transparent.transparent.outputs[0]!.userAddress, 't1x');
  const proofGenerationKey = { ak: new Uint8Array(32), nsk: new Uint8Array(32) };
  const key = updateSpend(stage(SAPLING, 'ready'), 'sapling', 0, { proofGenerationKey });
  t.deepEqual(key.sapling.spends[0]!.proofGenerationKey, proofGenerationKey);
});

test('what does not belong anywhere is refused', (t) => {
  const ready = stage(IRONWOOD, 'ready');
  t.throws(() => updateSpend(ready, 'ironwood', 2, {}), {
    message: 'ironwood.actions[2].spend: there is no number 2',
  });
  t.throws(() => updateSpend(ready, 'sapling', 0, {}), {
    message: 'sapling.spends[0]: there is no number 0',
  });
  t.throws(() => updateOutput(ready, 'ironwood', 7, {}), {
    message: 'ironwood.actions: there is no number 7',
  });
  t.throws(() => updateOutput(ready, 'sapling', 7, {}), { message: 'sapling.outputs: there is no number 7' });
  t.throws(() => updateSpend(ready, 'ironwood', 0, { fvk: new Uint8Array(96) }), { message: /spend\.fvk: / });
  const key = { ak: new Uint8Array(32), nsk: new Uint8Array(32) };
  t.throws(() => updateSpend(ready, 'ironwood', 0, { proofGenerationKey: key }), {
    message: /this pool has none/,
  });
  t.throws(() => updateSpend(stage(SAPLING, 'ready'), 'sapling', 0, { fvk: new Uint8Array(96) }), {
    message: /this pool has none/,
  });
});

test('a Sapling spend is changed alone, and keeps its witness once it is proved', (t) => {
  const ready = stage(SAPLING, 'ready');
  const [spend] = ready.sapling.spends;
  const two = { ...ready, sapling: { ...ready.sapling, spends: [spend!, spend!] } };
  const proofGenerationKey = { ak: new Uint8Array(32), nsk: new Uint8Array(32) };
  const { spends } = updateSpend(two, 'sapling', 1, { proofGenerationKey }).sapling;
  t.is(spends[0], spend);
  t.deepEqual(spends[1], { ...spend!, proofGenerationKey });
  const proved = withField(ready, 'sapling.spends.0.zkproof', new Uint8Array(192));
  t.throws(() => updateSpend(proved, 'sapling', 0, { witness: spend!.witness! }), {
    message: 'sapling.anchor: the bundle is proved for the one it has',
  });
});

test('a witness is compared where the fields make a note, of either kind of Sapling', (t) => {
  const ready = stage(SAPLING, 'ready');
  const { witness, rseed } = ready.sapling.spends[0]!;
  const update = (fields: Record<string, Uint8Array | undefined>) =>
    updateSpend(
      Object.entries(fields).reduce(
        (pczt, [name, value]) => withField(pczt, `sapling.spends.0.${name}`, value),
        ready,
      ),
      'sapling',
      0,
      { witness: witness! },
    );
  // What the rseed of a note of ZIP 212 is, is no rcm of that note.
  t.throws(() => update({ rseed: undefined, rcm: rseed!.map((byte, i) => (i === 31 ? 0 : byte)) }), {
    message: /witness: it does not lead from the note to the anchor$/,
  });
  t.deepEqual(update({ rseed: undefined }).sapling.spends[0]!.witness, witness);
  t.throws(() => update({ recipient: new Uint8Array(43) }), { message: /its fields make no note$/ });
});

test('a transparent output has no key of ZIP 32', (t) => {
  const zip32Derivation = { seedFingerprint: new Uint8Array(32), derivationPath: [1] };
  const nu7 = stage('v6-nu7-ironwood-transparent', 'ready');
  t.throws(() => updateOutput(nu7, 'transparent', 0, { zip32Derivation }), {
    message: 'transparent.outputs: their keys are not of ZIP 32',
  });
});

test('a path follows the bits of the position', (t) => {
  const { witness } = stage(IRONWOOD, 'ready').ironwood.actions[0]!.spend;
  const leaf = new Uint8Array(32).fill(1);
  const at = (position: number) => bytesToHex(rootOfWitness('ironwood', leaf, { ...witness!, position }));
  t.is(new Set([0, 1, 2, 0x8000_0000].map(at)).size, 4);
});
