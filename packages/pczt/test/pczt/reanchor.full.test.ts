// Random payments that get other anchors at any moment between building and extracting: signatures and txid stay, every witness
// leads to its anchor, and no proof of a spend outlives the anchor that it was made for.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { leadByteOf } from '@wallet-companion/zcash/notes';
import { isActionPool, POOL, POOLS, type Pool, perPool } from '@wallet-companion/zcash/pools';
import { txidOfEffects } from '@wallet-companion/zcash/signing';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import fc from 'fast-check';
import { combinePczts } from '../../src/pczt/combiner.ts';
import { noteOf } from '../../src/pczt/outputNote.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { anchoredPools, mayReanchor, reanchor, withoutAnchors } from '../../src/pczt/reanchor.ts';
import { takeReturned } from '../../src/pczt/returned/returned.ts';
import { extractPczt } from '../../src/pczt/signatures.ts';
import { effectsOfPczt } from '../../src/pczt/transactionParts.ts';
import { rootOfWitness } from '../../src/pczt/updater.ts';
import { deriveSigningKeys } from '../../src/signer/signingKeys.ts';
import { SpendingRefusal } from '../../src/spending/refusal.ts';
import { withFillerProofs, withProofKeys } from '../helpers/completion.ts';
import { paymentCases } from '../helpers/paymentArbitraries.ts';
import { stage } from '../helpers/pcztVectors.ts';
import { builtStories } from '../helpers/returnedStories.ts';
import {
  build,
  incomingOf,
  type MadeUpNote,
  madeUpNote,
  PARAMS,
  propose,
  SEED,
  signAll,
  treeOf,
} from '../helpers/spendingAccount.ts';

const KEYS = deriveSigningKeys(SEED, PARAMS, 0);

const nullifierOf = ({ pool, zatoshi, position, scope, opening }: MadeUpNote): string => {
  const { nk } = incomingOf(0).find((key) => key.protocol === POOL[pool].protocol && key.scope === scope)!;
  return bytesToHex(noteOf(pool, { ...opening, value: BigInt(zatoshi) })!.nullifier(nk!, position));
};

/** The trees of another branch, where notes of Orchard's protocol are at other places. */
function otherBranch(notes: readonly MadeUpNote[], by: number, randomBytes: ReturnType<typeof seededBytes>) {
  const moved = notes.map((note) =>
    isActionPool(note.pool) ? { ...note, position: note.position + by } : note,
  );
  const strangers = POOLS.map((pool) =>
    madeUpNote({ pool, zatoshi: 1, position: notes.length + by + 5 }, randomBytes),
  );
  const trees = perPool((pool) => treeOf(pool, [...moved, ...strangers]));
  const witnesses = moved.map((note) => {
    const { position, siblings } = trees[note.pool].pathOf(note.position);
    return [nullifierOf(note), { position, path: Buffer.concat(siblings) }] as const;
  });
  return { roots: perPool((pool) => trees[pool].root), witnesses: new Map(witnesses) };
}

const spendsOf = (pczt: Pczt, pool: Pool) =>
  isActionPool(pool) ? pczt[pool].actions.map(({ spend }) => spend) : pczt.sapling.spends;
const proofsOfSpends = (pczt: Pczt): (Uint8Array | undefined)[] => [
  ...pczt.sapling.spends.map(({ zkproof }) => zkproof),
  pczt.orchard.zkproof,
  pczt.ironwood.zkproof,
];
const signaturesOf = (pczt: Pczt) =>
  POOLS.flatMap((pool) => spendsOf(pczt, pool).map(({ spendAuthSig }) => spendAuthSig));
const txidOf = (pczt: Pczt): string => bytesToHex(txidOfEffects(effectsOfPczt(pczt)));

/** Whether each note with a value leads to the anchor of its pool. */
const isConsistent = (pczt: Pczt): boolean =>
  anchoredPools(pczt).every((pool) =>
    spendsOf(pczt, pool).every((spend) => {
      const { recipient, value, rseed, witness } = spend;
      if (value === 0n) return true;
      const leadByte = isActionPool(pool) ? leadByteOf(pool) : 2;
      const rho = 'rho' in spend ? spend.rho! : new Uint8Array(0);
      const note = noteOf(pool, { leadByte, recipient: recipient!, value: value!, rseed: rseed!, rho })!;
      const root = rootOfWitness(pool, note.commitment, witness!);
      return bytesToHex(root) === bytesToHex(pczt[pool].anchor!);
    }),
  );

type Step = 'sign' | 'prove' | 'reanchor';
const steps = fc.array(fc.constantFrom<Step>('sign', 'prove', 'reanchor'), { minLength: 1, maxLength: 5 });

test('signatures and txid stay, witnesses lead to the anchor, and proofs are of the anchor that is there', (t) => {
  const cases = paymentCases({ maxNotes: 3, maxPayments: 2, allConsents: true });
  fc.assert(
    fc.property(cases, steps, fc.nat(), (given, order, seed) => {
      const randomBytes = seededBytes(seed);
      let proposal: ReturnType<typeof propose>;
      try {
        proposal = propose(given);
      } catch (error) {
        if (error instanceof SpendingRefusal) return fc.pre(false);
        throw error;
      }
      const ready = withProofKeys(build(proposal, given.notes, randomBytes).pczt, KEYS);
      const signedFirst = signAll(ready, randomBytes).pczt;
      let pczt = ready;
      for (const [i, step] of [...order, 'reanchor' as const].entries()) {
        const before = signaturesOf(pczt);
        if (step === 'sign') pczt = signAll(pczt, randomBytes).pczt;
        else if (step === 'prove') pczt = withFillerProofs(pczt, randomBytes);
        else {
          pczt = reanchor(pczt, otherBranch(given.notes, i + 1, randomBytes));
          t.deepEqual(signaturesOf(pczt), before);
          t.true(proofsOfSpends(pczt).every((proof) => proof === undefined));
        }
        t.true(isConsistent(pczt));
        t.is(txidOf(pczt), txidOf(ready));
      }
      // What was signed for the first anchors still counts, and the whole makes a transaction.
      const earlierAnchors = perPool((pool) => [ready[pool].anchor].flatMap((anchor) => anchor ?? []));
      const back = takeReturned(pczt, signedFirst, { earlierAnchors });
      if (!back.ok) return t.fail(JSON.stringify(back.changes));
      const done = withFillerProofs(back.pczt, randomBytes);
      t.true(extractPczt(done, randomBytes).ok);
    }),
    { numRuns: runs(6) },
  );
});

test('the Combiner takes the signatures, once the other copy has no anchor', (t) => {
  for (const { ready, signed } of builtStories('Ironwood to Ironwood', 'Sapling to Sapling')) {
    const [pool] = anchoredPools(ready) as [Pool];
    const other = withoutAnchors(ready);
    const anchored = { ...other, [pool]: { ...other[pool], anchor: new Uint8Array(32).fill(3) } };
    t.throws(() => combinePczts([anchored, signed]), { message: /anchor/ });
    const both = combinePczts([anchored, withoutAnchors(signed)]);
    t.deepEqual(signaturesOf(both), signaturesOf(signed));
    t.deepEqual(both[pool].anchor, anchored[pool].anchor);
  }
});

test('what cannot be anchored again is refused by its field', (t) => {
  const five = stage('v5-orchard-orchard', 'ready');
  t.false(mayReanchor(five));
  const roots = perPool(() => new Uint8Array(32));
  t.throws(() => reanchor(five, { roots, witnesses: new Map() }), {
    message: /^orchard\.anchor: .* is signed$/,
  });
  const [ironwood, sapling] = builtStories('Ironwood to Ironwood', 'Sapling to Sapling').map(
    ({ ready }) => ready,
  ) as [Pczt, Pczt];
  t.throws(() => reanchor(ironwood, { roots, witnesses: new Map() }), {
    message: /^ironwood\.actions\[\d\]\.spend: its note has no witness to the new anchor$/,
  });
  const [{ nullifier, witness }] = sapling.sapling.spends as unknown as [
    { nullifier: Uint8Array; witness: { position: number; path: Uint8Array } },
  ];
  const witnesses = new Map([[bytesToHex(nullifier), { ...witness, position: witness.position + 1 }]]);
  t.throws(() => reanchor(sapling, { roots, witnesses }), {
    message: /^sapling\.spends\[0\]: its note has moved/,
  });
});
