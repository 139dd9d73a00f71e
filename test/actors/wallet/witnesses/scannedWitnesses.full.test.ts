// Witnesses from the leaves that a scan kept: held against the devnet's own trees, and without a request for blocks.

import { randomFillSync } from 'node:crypto';
import { concatBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { MinedBlock } from '@wallet-companion/devnet/chain';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { POOLS, type Pool, perPool } from '@wallet-companion/zcash/pools';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import { SUBTREE_LEAVES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { SETTLED_SPACING } from '../../../../src/actors/wallet/noteStore/book/knownBlocks.ts';
import {
  FINAL_DEPTH,
  LeafRecording,
  leafRuns,
} from '../../../../src/actors/wallet/noteStore/leaves/scannedLeaves.ts';
import { settleLeaves } from '../../../../src/actors/wallet/witnesses/leafSettling.ts';
import { keepState } from '../../../../src/actors/wallet/witnesses/treeStates.ts';
import {
  BED_START,
  checkWitnesses,
  notesIn,
  startWitnessBed,
  type WitnessBed,
} from '../../../helpers/witnessBed.ts';

const TRAFFIC = 4;
const SOURCE = { upstream: { source: 'compact' }, mayUseKept: true } as const;

/** As a scan does; every leaf counts as a note's. */
async function scan(bed: WitnessBed, pool: Pool, blocks: readonly MinedBlock[]): Promise<void> {
  const { noteStore } = bed.session;
  const scanned = blocks.map(
    (block) =>
      ({
        height: block.height,
        treeSizes: block.treeSizes,
        leaves: perPool((tree) => concatBytes(...block.leaves(tree))),
        notes: notesIn(block, pool).map((note, i) => ({
          ...note,
          output: {
            rho: new Uint8Array(0),
            commitment: block.leaves(pool)[i]!,
            ephemeralKey: randomFillSync(new Uint8Array(32)),
            ciphertext: randomFillSync(new Uint8Array(52)),
          },
        })),
      }) as unknown as ScannedBlock,
  );
  const recording = new LeafRecording(noteStore);
  noteStore.changeLasting(recording.add(scanned, blocks[0]!.treeSizesBefore));
  noteStore.changeLasting(recording.rest());
}

const sourceOf = (bed: WitnessBed) => ({
  ...SOURCE,
  chain: bed.chain,
  noteStore: bed.session.noteStore,
  pool: bed.session.pool,
  saplingActivation: 1,
  logFault: (_where: string, fault: unknown) => void bed.faults.push(fault),
});

const empty = ({ devnet }: WitnessBed, blocks: number): MinedBlock[] =>
  Array.from({ length: blocks }, () => devnet.mine());

/** A chain whose trees begin right below the end of a subtree, scanned from its first block on. */
async function scannedBed(t: Parameters<typeof startWitnessBed>[0], pool: Pool) {
  const bed = await startWitnessBed(t, {
    params: regtestParameters({ nu6_3: pool === 'ironwood' ? 1 : BED_START + 200 }),
    initialSizes: { [pool]: SUBTREE_LEAVES - 2 * TRAFFIC - 1 },
  });
  const mine = (blocks: number): MinedBlock[] =>
    Array.from({ length: blocks }, () =>
      bed.devnet.mine({ transactions: [bed.devnet.traffic({ [pool]: TRAFFIC })] }),
    );
  const mined = mine(5);
  await scan(bed, pool, [...mined, ...empty(bed, 3)]);
  await keepState(sourceOf(bed), mined[0]!.height - 1);
  bed.chain.openRange = () => Promise.reject(new Error('blocks are asked for'));
  return { bed, mined, mine };
}

for (const pool of POOLS) {
  test(`${pool}: a scan that began in the middle of a subtree, over its end, and once more after new blocks`, async (t) => {
    const { bed, mined, mine } = await scannedBed(t, pool);
    const notes = mined.flatMap((block) => notesIn(block, pool));
    t.is(notes.filter(({ position }) => position < SUBTREE_LEAVES).length, 9);
    checkWitnesses(t, bed, notes, await bed.make(notes, 'compact'));
    const more = [...mine(2), ...empty(bed, 3)];
    await scan(bed, pool, more);
    const all = [...notes, ...more.flatMap((block) => notesIn(block, pool))];
    checkWitnesses(t, bed, all, await bed.make(all, 'compact'));
    // Without anything but the leaves, which are hashed again.
    bed.kept.clear();
    checkWitnesses(t, bed, all, await bed.make(all, 'compact'));
    t.deepEqual(bed.faults, []);
  });
}

test('leaves of full subtrees go once no note needs them; the paths of notes stay', async (t) => {
  const { bed, mined } = await scannedBed(t, 'ironwood');
  await scan(bed, 'ironwood', empty(bed, 100));
  const notes = mined.flatMap((block) => notesIn(block, 'ironwood'));
  const old = notes.filter(({ position }) => position < SUBTREE_LEAVES);
  const runs = () => leafRuns(bed.session.noteStore).map(({ subtree }) => subtree);
  const settle = async (unspent: typeof notes, mostSubtrees: number): Promise<void> => {
    const { noteStore } = bed.session;
    const blockHeights = Array.from(
      { length: bed.devnet.tip.height - BED_START + 1 },
      (_, i) => BED_START + i,
    );
    const more = {
      notes: unspent.map((note) => ({ ...note, spent: null })),
      missing: () => [],
      blockHeights,
    };
    await settleLeaves({ ...sourceOf(bed), noteStore: Object.assign(noteStore, more), mostSubtrees });
  };
  await settle(notes, 1);
  t.deepEqual(runs(), [0, 1]);
  const size = bed.lasting.size;
  await settle(notes, 0);
  t.deepEqual(runs(), [1]);
  t.true(bed.lasting.size < size);
  checkWitnesses(t, bed, old, await bed.make(old, 'compact'));
  t.deepEqual(bed.faults, []);
});

test('leaves of a full subtree without notes go at once, those of a young one stay', async (t) => {
  const { bed, mined } = await scannedBed(t, 'sapling');
  const { noteStore } = bed.session;
  const young = mined.flatMap((block) => notesIn(block, 'sapling')).slice(-4);
  // Far below the tip, as when a wallet is restored, few blocks stay known.
  const scannedAt = noteStore.block.bind(noteStore);
  const knowFew = (): void => {
    const blockHeights: Height[] = [];
    for (let height = SETTLED_SPACING; height <= noteStore.scannedTop()!; height += SETTLED_SPACING)
      blockHeights.push(height);
    const block = (height: Height) => (blockHeights.includes(height) ? scannedAt(height) : undefined);
    Object.assign(noteStore, { notes: [], missing: () => [], block, blockHeights });
  };
  knowFew();
  // A reorganisation may still undo its end.
  await settleLeaves(sourceOf(bed));
  t.is(leafRuns(noteStore).length, 2);
  await scan(bed, 'sapling', empty(bed, 100 + SETTLED_SPACING - 1));
  knowFew();
  t.is(noteStore.block(noteStore.scannedTop()! - FINAL_DEPTH), undefined);
  await settleLeaves(sourceOf(bed));
  t.deepEqual(
    leafRuns(noteStore).map(({ subtree }) => subtree),
    [1],
  );
  Object.assign(noteStore, { block: scannedAt });
  checkWitnesses(t, bed, young, await bed.make(young, 'compact'));
});
