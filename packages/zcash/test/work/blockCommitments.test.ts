import { hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { type Block, parseBlock } from '../../src/zcash/encoding/block.ts';
import { recordField } from '../../src/zcash/encoding/records.ts';
import { authDigest } from '../../src/zcash/encoding/txid.ts';
import { MAIN, type NetworkParameters, regtestParameters, TEST } from '../../src/zcash/network.ts';
import { type PerPool, POOLS, type Pool, perPool } from '../../src/zcash/pools.ts';
import {
  authDataRoot,
  type HistoryBlock,
  HistoryTree,
  isCommitted,
} from '../../src/zcash/work/blockCommitments.ts';
import { readRawBlocks } from '../helpers/fixtures.ts';
import { smallTree } from '../helpers/noteTree.ts';
import { readVectors } from '../helpers/readVectors.ts';

const NONE = new Uint8Array(32);

const commitmentsOf = ({ transactions }: Block, pool: Pool): Uint8Array[] =>
  transactions.flatMap((transaction) => {
    const records = pool === 'sapling' ? transaction.sapling.outputs : transaction[pool].actions;
    const at = pool === 'sapling' ? 32 : 96;
    return Array.from({ length: records.count }, (_, i) => recordField(records, i, at, 32));
  });

const transactionsWith = ({ transactions }: Block): PerPool<number> =>
  perPool(
    (pool) =>
      transactions.filter((transaction) =>
        pool === 'sapling'
          ? transaction.sapling.spends.count + transaction.sapling.outputs.count > 0
          : transaction[pool].actions.count > 0,
      ).length,
  );

/** Each block of a chain from height 1 on, with what its header commits to. */
function committed(blocks: readonly Block[], { activation }: NetworkParameters) {
  const leaves = perPool<Uint8Array[]>(() => []);
  const roots = perPool((pool) => smallTree(pool, []).root);
  const tree = new HistoryTree(activation);
  return blocks.map((block, place) => {
    for (const pool of POOLS) {
      const added = commitmentsOf(block, pool);
      leaves[pool].push(...added);
      if (added.length > 0) roots[pool] = smallTree(pool, leaves[pool]).root;
    }
    const height = place + 1;
    const history = tree.root();
    tree.add({ height, header: block.header, roots: { ...roots }, transactions: transactionsWith(block) });
    const authData = authDataRoot(block.transactions.map(authDigest));
    return { height, header: block.header, history, saplingRoot: roots.sapling, authData };
  });
}

test('headers of a node’s chain commit to the trees of all pools before them and to their signatures', (t) => {
  const params = regtestParameters({ nu6_3: 20, nu7: undefined });
  const blocks = readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex').map(parseBlock);
  const rows = committed(blocks, params);
  for (const row of rows) t.true(isCommitted(params.activation, row), `block ${row.height}`);
  for (const row of rows.slice(1)) {
    const changed = (bytes: Uint8Array) => bytes.map((byte, i) => (i === row.height % 32 ? byte ^ 1 : byte));
    t.false(isCommitted(params.activation, { ...row, history: changed(row.history!) }));
    t.false(isCommitted(params.activation, { ...row, authData: changed(row.authData) }));
  }
});

test('a left out output, or another transaction count, shows in the next header', (t) => {
  const params = regtestParameters({ nu6_3: 20, nu7: undefined });
  const blocks = readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex').map(parseBlock).slice(0, 7);
  const [last] = committed(blocks, params).slice(-1);
  const tree = (change: (block: HistoryBlock) => HistoryBlock) => {
    const made = new HistoryTree(params.activation);
    const leaves = perPool<Uint8Array[]>(() => []);
    for (const [place, block] of blocks.slice(0, 6).entries()) {
      for (const pool of POOLS) leaves[pool].push(...commitmentsOf(block, pool));
      const roots = perPool((pool) => smallTree(pool, leaves[pool]).root);
      const row = { height: place + 1, header: block.header, roots, transactions: transactionsWith(block) };
      made.add(place === 5 ? change(row) : row);
    }
    return made.root();
  };
  const isRight = (history: Uint8Array | undefined) => isCommitted(params.activation, { ...last!, history });
  t.true(isRight(tree((row) => row)));
  const empty = smallTree('orchard', []).root;
  t.false(isRight(tree((row) => ({ ...row, roots: { ...row.roots, orchard: empty } }))));
  t.false(isRight(tree((row) => ({ ...row, transactions: { ...row.transactions, orchard: 0 } }))));
  t.false(isRight(tree((row) => ({ ...row, header: { ...row.header, time: row.header.time + 1 } }))));
  t.false(isRight(undefined));
});

test('the public networks’ first blocks of Heartwood and Canopy: peers/upgrade_blocks', (t) => {
  const { cases } = readVectors<{ cases: { network: 'main' | 'test'; height: number; raw: string }[] }>(
    'peers/upgrade_blocks',
  );
  const roots = readVectors<{ cases: { network: string; height: number; sapling_root?: string }[] }>(
    'peers/real_headers',
  );
  const rootAt = (network: string, height: number): Uint8Array =>
    hexToBytes(
      roots.cases.find((one) => one.network === network && one.height === height)?.sapling_root ?? '',
    );
  const blocks = cases.map(({ network, height, raw }) => ({
    network,
    height,
    block: parseBlock(hexToBytes(raw)),
  }));
  let checked = 0;
  for (const { network, height, block } of blocks) {
    const { activation } = network === 'main' ? MAIN : TEST;
    const before = blocks.find((one) => one.network === network && one.height === height - 1);
    const tree = new HistoryTree(activation);
    if (before !== undefined) {
      const saplingRoot = rootAt(network, height - 1);
      const atUpgrade = { height: height - 1, header: before.block.header };
      tree.add({
        ...atUpgrade,
        roots: { ...perPool(() => NONE), sapling: saplingRoot },
        transactions: transactionsWith(before.block),
      });
    }
    const isKnown = before !== undefined || height === activation.heartwood || height < activation.heartwood;
    const saplingRoot = height < activation.heartwood ? rootAt(network, height) : NONE;
    const row = { height, header: block.header, history: tree.root(), saplingRoot, authData: NONE };
    t.is(isCommitted(activation, row), isKnown, `${network} ${height}`);
    if (isKnown) checked++;
  }
  t.is(checked, 7);
});
