// What other sides may tell that does not lead to the root: nothing of it is handed out, and honest answers afterwards are.

import { inTurn } from '@wallet-companion/base/test/atLength';
import type { BlockTreeStates, Source } from '@wallet-companion/chain/ports';
import type { MinedBlock } from '@wallet-companion/devnet/chain';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { SUBTREE_LEAVES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import {
  BED_START,
  checkWitnesses,
  notesIn,
  startWitnessBed,
  type WitnessBed,
} from '../../../helpers/witnessBed.ts';

const PARAMS = regtestParameters({ nu6_3: 1 });

interface Lie {
  readonly what: string;
  readonly report: (bed: WitnessBed, block: MinedBlock) => void;
  readonly code: string;
  readonly sources?: readonly Source[];
  /** Of the block with the notes; default: one in the subtree that is full. */
  readonly block?: number;
}

/** One bit of a field element: its lowest one, so that it stays one. */
const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));

function changingStates(
  bed: WitnessBed,
  change: (reported: BlockTreeStates, height: number) => BlockTreeStates | null,
): void {
  const { treeStates } = bed.chain;
  bed.chain.treeStates = async (query) => {
    const reported = await treeStates(query);
    return reported && change(reported, query.height);
  };
}

const withIronwood = (reported: BlockTreeStates, ironwood: Uint8Array): BlockTreeStates => ({
  ...reported,
  states: { ...reported.states, ironwood },
});

const LIES: readonly Lie[] = [
  {
    what: 'another leaf in its blocks',
    code: 'WITNESS_MISMATCH',
    report: (bed, block) => {
      const { nextBatch } = bed.chain;
      const leaf = Buffer.from(block.leaves('ironwood')[1]!);
      bed.chain.nextBatch = async (query) => {
        const batch = await nextBatch(query);
        const bytes = Buffer.from(batch?.buffer ?? new ArrayBuffer(0));
        const at = bytes.indexOf(leaf);
        if (at >= 0) bytes[at]! ^= 1;
        return batch;
      };
    },
  },
  {
    what: 'fewer leaves than its trees have',
    code: 'WITNESS_MISMATCH',
    report: (bed) => {
      const { nextBatch } = bed.chain;
      bed.chain.nextBatch = async (query) => {
        const batch = await nextBatch(query);
        return batch && { ...batch, blocks: batch.blocks.slice(0, 2) };
      };
    },
  },
  {
    what: 'a hole between leaves',
    code: 'WITNESS_MISMATCH',
    report: (bed) => {
      const { nextBatch } = bed.chain;
      bed.chain.nextBatch = async (query) => {
        const batch = await nextBatch(query);
        return batch && { ...batch, blocks: batch.blocks.slice(1) };
      };
    },
  },
  {
    what: 'another tree before, which was believed and kept',
    code: 'WITNESS_MISMATCH',
    report: (bed) =>
      changingStates(bed, (reported, height) =>
        height === BED_START - 1 ? withIronwood(reported, flipped(reported.states.ironwood, 1)) : reported,
      ),
  },
  {
    // Of leaves to the right of all notes nothing but the state tells: a compact server is believed then.
    what: 'another tree at the anchor',
    code: 'WITNESS_MISMATCH',
    block: 3,
    report: (bed) =>
      changingStates(bed, (reported, height) =>
        height === BED_START - 1 ? reported : withIronwood(reported, flipped(reported.states.ironwood, 1)),
      ),
  },
  {
    what: 'another root than its tree has',
    code: 'WITNESS_MISMATCH',
    sources: ['node'],
    report: (bed) =>
      changingStates(bed, (reported) => ({
        ...reported,
        roots: { ...reported.roots, orchard: flipped(reported.roots.orchard!, 0) },
      })),
  },
  {
    what: 'a smaller tree',
    code: 'BAD_RESPONSE',
    report: (bed) => changingStates(bed, (reported) => withIronwood(reported, new Uint8Array(0))),
  },
  {
    what: 'a malformed tree',
    code: 'BAD_RESPONSE',
    report: (bed) => changingStates(bed, (reported) => withIronwood(reported, Uint8Array.of(1, 2, 3))),
  },
  {
    what: 'the tree of another block',
    code: 'BAD_RESPONSE',
    report: (bed) =>
      changingStates(bed, (reported) => ({
        ...reported,
        hash: flipped(reported.hash, 3) as typeof reported.hash,
      })),
  },
  {
    what: 'no such block',
    code: 'BAD_RESPONSE',
    report: (bed) => changingStates(bed, () => null),
  },
  {
    what: 'another root of a subtree',
    code: 'WITNESS_MISMATCH',
    report: (bed) => {
      const { subtreeRoots } = bed.chain;
      bed.chain.subtreeRoots = async (query) =>
        (await subtreeRoots(query)).map((reported) => ({ ...reported, root: flipped(reported.root, 0) }));
    },
  },
  {
    what: 'a subtree that is full too early',
    code: 'WITNESS_MISMATCH',
    report: (bed) => {
      const { subtreeRoots } = bed.chain;
      bed.chain.subtreeRoots = async (query) =>
        (await subtreeRoots(query)).map((reported) => ({ ...reported, endHeight: BED_START }));
    },
  },
  {
    what: 'a subtree that is full above the anchor',
    code: 'WITNESS_MISMATCH',
    report: (bed) => {
      const { subtreeRoots } = bed.chain;
      bed.chain.subtreeRoots = async (query) =>
        (await subtreeRoots(query)).map((reported) => ({ ...reported, endHeight: bed.devnet.tip.height }));
    },
  },
];

for (const source of ['node', 'compact'] as const) {
  for (const [place, { what, code, sources = ['node', 'compact'], block = 1, report }] of LIES.entries()) {
    if (!inTurn(sources, place).includes(source)) continue;
    test(`${source}: ${what}`, async (t) => {
      const bed = await startWitnessBed(t, {
        params: PARAMS,
        initialSizes: { ironwood: SUBTREE_LEAVES - 9 },
      });
      const { devnet } = bed;
      const blocks = Array.from({ length: 4 }, () =>
        devnet.mine({ transactions: [devnet.traffic({ ironwood: 4 })] }),
      );
      devnet.mineEmpty(3);
      const notes = notesIn(blocks[block]!, 'ironwood');
      const honest = { ...bed.chain };
      report(bed, blocks[block]!);
      const side = source === 'node' ? 'NODE' : 'COMPACT_SERVER';
      await t.throwsAsync(bed.make(notes, source), {
        code: code === 'BAD_RESPONSE' ? `${side}_${code}` : code,
      });
      t.false([...bed.kept.keys()].some((key) => key.startsWith('path:')));
      Object.assign(bed.chain, honest);
      checkWitnesses(t, bed, notes, await bed.make(notes, source));
    });
  }
}

test('a kept path that rots is read anew', async (t) => {
  const bed = await startWitnessBed(t, { params: PARAMS });
  const { devnet, kept } = bed;
  const block = devnet.mine({ transactions: [devnet.traffic({ ironwood: 4 })] });
  devnet.mineEmpty(3);
  const notes = notesIn(block, 'ironwood').slice(1, 3);
  await bed.make(notes, 'node');
  for (const [key, part] of kept) {
    if (!key.startsWith('path:')) continue;
    const value = part.value as { readonly siblings: readonly (string | null)[] };
    kept.set(key, {
      ...part,
      value: { ...value, siblings: [`01${'00'.repeat(31)}`, ...value.siblings.slice(1)] },
    });
  }
  checkWitnesses(t, bed, notes, await bed.make(notes, 'node'));
});
