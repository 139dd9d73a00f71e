import { FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { treeSizeFromState } from '../../src/zcash/encoding/treeSize.ts';
import { readFixtureJson } from '../helpers/fixtures.ts';

interface TreeState {
  size: number;
  finalState: string;
}
interface BlockTrees {
  height: number;
  finalState: { sapling: string; orchard: string; ironwood: string } | null;
  sapling: { size: number };
  orchard: { size: number };
  ironwood: { size: number };
}
interface Expected {
  treeStateBeforeFirstBlock: { sapling: TreeState; orchard: TreeState; ironwood: TreeState };
  blocks: BlockTrees[];
}

for (const folder of ['main', 'regtest']) {
  test(`${folder}: sizes of the recorded trees`, (t) => {
    const expected = readFixtureJson<Expected>('known-seed', folder, 'expected-main.json');
    for (const pool of ['sapling', 'orchard', 'ironwood'] as const) {
      const before = expected.treeStateBeforeFirstBlock[pool];
      t.is(treeSizeFromState(hexToBytes(before.finalState)), before.size);
      for (const block of expected.blocks) {
        if (block.finalState) t.is(treeSizeFromState(hexToBytes(block.finalState[pool])), block[pool].size);
      }
    }
  });
}

const node = '11'.repeat(32);
for (const [state, size] of [
  ['', 0],
  ['000000', 0],
  [`01${node}0000`, 1],
  [`01${node}01${node}00`, 2],
  [`01${node}000101${node}`, 3],
  [`01${node}01${node}0301${node}0001${node}`, 2 + 2 + 8],
] as const) {
  test(`a frontier of ${size} leaves in ${state.length / 2} bytes`, (t) => {
    t.is(treeSizeFromState(hexToBytes(state)), size);
  });
}

for (const [title, state] of [
  ['a right leaf alone', `0001${node}00`],
  ['a flag that is neither 0 nor 1', '020000'],
  ['a short node', '01110000'],
  ['too many parents', `000020${'00'.repeat(32)}`],
  ['bytes behind the end', '00000000'],
] as const) {
  test(`malformed: ${title}`, (t) => {
    t.throws(() => treeSizeFromState(hexToBytes(state)), { instanceOf: FormatError });
  });
}
