// The JSON-RPC methods of zebrad that a wallet uses, with zebrad's shapes, argument types and error codes. Verbose
// blocks lack value pools (coins of strangers are made up), final roots (computing them for every block would be slow;
// z_gettreestate has them) and the fields of single outputs.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { type ParsedHeader, parseHeader } from '@wallet-companion/zcash/blocks';
import { blockHashToHex, toDisplayHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { branchIdAt, type NetworkParameters } from '@wallet-companion/zcash/network';
import { isActionPool, POOLS, type Pool, type TreeSizes } from '@wallet-companion/zcash/pools';
import type { MinedTransaction } from './blockTree.ts';
import type { ChainView } from './chainView.ts';
import { RpcError } from './devnetError.ts';
import type { MinedBlock } from './minedBlock.ts';
import { encodeFrontier } from './noteTree.ts';
import { coinsAt } from './transparentCoins.ts';
import { hasTreeState } from './treeStates.ts';
import { branchIdHex, upgradesOf } from './upgrades.ts';

export type RpcMethod = (params: readonly unknown[]) => unknown;

const invalidParams = () => new RpcError(-1, 'Invalid params');
const unknownBlock = (byHash: boolean) => new RpcError(byHash ? -5 : -8, 'block height not in best chain');

/** zebrad reports "test" on regtest too. */
export const chainName = (params: NetworkParameters): string => (params.network === 'main' ? 'main' : 'test');

const [sapling, orchard, ...younger] = POOLS;
/** In zebrad's order, oldest pool first. */
const POOL_IDS = ['transparent', 'sprout', sapling, orchard, 'lockbox', ...younger];

export function nodeMethods(view: ChainView): Readonly<Record<string, RpcMethod>> {
  const { blocks, params } = view;
  return {
    getblockchaininfo: () => blockchainInfo(view),
    getinfo: () => ({
      version: 7_000_000,
      build: 'devnet',
      subversion: '/Devnet/',
      protocolversion: 170_190,
      blocks: blocks.tip.height,
      testnet: params.network !== 'main',
    }),
    getblockcount: () => blocks.tip.height,
    getbestblockhash: () => toDisplayHex(blocks.tip.hash),
    getbestblockheightandhash: () => ({ height: blocks.tip.height, hash: toDisplayHex(blocks.tip.hash) }),
    getblockhash: ([height]) => {
      if (typeof height !== 'number' || !Number.isInteger(height)) throw invalidParams();
      // The genesis hash, which identifies the network, is known even if the chain starts above it.
      if (height === 0) return params.genesisHash;
      return blockHashToHex(blockByName(view, String(height)).hash);
    },
    getblockheader: ([name, verbose = true]) => {
      const block = blockByName(view, name);
      const header = parseHeader(block.bytes);
      return verbose === false
        ? bytesToHex(block.bytes.subarray(0, header.headerLength))
        : headerFields(view, block, header);
    },
    getblock: (params) => getblock(view, params),
    getrawtransaction: (params) => getrawtransaction(view, params),
    getrawmempool: ([verbose = false]) => {
      const txids = view.mempool.transactions.map(({ txid }) => txIdToHex(txid));
      return verbose === true ? Object.fromEntries(txids.map((txid) => [txid, {}])) : txids;
    },
    sendrawtransaction: async ([hex]) => {
      if (typeof hex !== 'string') throw invalidParams();
      if (view.receive === undefined) throw new RpcError(-32_601, 'Method not found');
      return txIdToHex(await view.receive(bytesOf(hex)));
    },
    getaddressutxos: ([asked]) => addressUtxos(view, asked),
    z_gettreestate: (params) => treestate(view, params),
    z_getsubtreesbyindex: (params) => subtrees(view, params),
  };
}

function addressUtxos(view: ChainView, asked: unknown): unknown {
  const {
    addresses,
    startHeight = 0,
    maxEntries,
  } = (asked ?? {}) as {
    readonly addresses?: unknown;
    readonly startHeight?: number;
    readonly maxEntries?: number;
  };
  if (!Array.isArray(addresses) || !addresses.every((one) => typeof one === 'string')) throw invalidParams();
  const coins = coinsAt(view, addresses).filter(({ height }) => height >= startHeight);
  return coins.slice(0, maxEntries).map(({ address, txid, index, scriptPubKey, value, height }) => ({
    address,
    txid: txIdToHex(txid),
    outputIndex: index,
    script: bytesToHex(scriptPubKey),
    satoshis: Number(value),
    height,
  }));
}

/** Heights are strings, such as `"22"` or `"-1"` (the tip); a JSON number is refused, as by zebrad. */
function blockByName({ blocks }: ChainView, name: unknown): MinedBlock {
  if (typeof name !== 'string') throw invalidParams();
  const byHash = /^[0-9a-fA-F]{64}$/.test(name);
  if (!byHash && !/^-?\d{1,10}$/.test(name)) throw invalidParams();
  const height = Number(name);
  const block = byHash
    ? blocks.byHash(name.toLowerCase())
    : blocks.at(height < 0 ? blocks.tip.height + 1 + height : height);
  if (!block) throw unknownBlock(byHash);
  return block;
}

const confirmations = ({ blocks }: ChainView, block: MinedBlock): number =>
  blocks.tip.height - block.height + 1;

function headerFields(view: ChainView, block: MinedBlock, header: ParsedHeader) {
  const next = view.blocks.at(block.height + 1);
  return {
    hash: blockHashToHex(block.hash),
    confirmations: confirmations(view, block),
    height: block.height,
    version: header.version,
    merkleroot: toDisplayHex(header.merkleRoot),
    blockcommitments: toDisplayHex(header.blockCommitments),
    time: block.time,
    nonce: toDisplayHex(header.nonce),
    solution: bytesToHex(header.solution),
    bits: header.bits.toString(16).padStart(8, '0'),
    difficulty: 1,
    previousblockhash: blockHashToHex(block.prevHash),
    ...(next ? { nextblockhash: blockHashToHex(next.hash) } : {}),
  };
}

function transactionObject(view: ChainView, { transaction, block }: MinedTransaction) {
  return {
    in_active_chain: true,
    hex: bytesToHex(transaction.bytes),
    height: block.height,
    confirmations: confirmations(view, block),
    txid: txIdToHex(transaction.txid),
    size: transaction.bytes.length,
    version: transaction.version,
    blockhash: blockHashToHex(block.hash),
    blocktime: block.time,
    time: block.time,
  };
}

function getblock(view: ChainView, [name, verbosity = 1]: readonly unknown[]): unknown {
  const block = blockByName(view, name);
  if (verbosity === 0) return bytesToHex(block.bytes);
  if (verbosity !== 1 && verbosity !== 2) throw invalidParams();
  const { transactions } = block;
  return {
    ...headerFields(view, block, parseHeader(block.bytes)),
    size: block.bytes.length,
    nTx: transactions.length,
    tx: transactions.map((transaction) =>
      verbosity === 1 ? txIdToHex(transaction.txid) : transactionObject(view, { transaction, block }),
    ),
    trees: treeSizesObject(block.treeSizes),
  };
}

function treestate(view: ChainView, [name]: readonly unknown[]): unknown {
  const block = blockByName(view, name);
  // The Sapling root is shown reversed, as it was in the header; the roots of newer pools are not.
  const shown = (pool: Pool) => (isActionPool(pool) ? bytesToHex : toDisplayHex);
  const commitments = (pool: Pool) => ({
    commitments: {
      finalRoot: shown(pool)(view.trees[pool].rootAfter(block)),
      finalState: bytesToHex(encodeFrontier(view.trees[pool].frontierAfter(block))),
    },
  });
  return {
    hash: blockHashToHex(block.hash),
    height: block.height,
    time: block.time,
    ...Object.fromEntries(
      POOLS.filter((pool) => hasTreeState(pool, view.params.activation, block.height)).map((pool) => [
        pool,
        commitments(pool),
      ]),
    ),
  };
}

function subtrees(view: ChainView, [pool, start, limit]: readonly unknown[]): unknown {
  const named = POOLS.find((one) => one === pool);
  const isIndex = (index: unknown): index is number => Number.isInteger(index) && Number(index) >= 0;
  if (named === undefined || !isIndex(start)) throw invalidParams();
  const roots = view.trees[named].subtreeRoots(view.blocks.tip);
  const end = isIndex(limit) ? start + limit : roots.length;
  return {
    pool: named,
    start_index: start,
    subtrees: roots
      .slice(start, end)
      .map(({ root, block }) => ({ root: bytesToHex(root), end_height: block.height })),
  };
}

function blockchainInfo({ blocks, params }: ChainView): unknown {
  const { tip } = blocks;
  const { activation } = params;
  return {
    chain: chainName(params),
    blocks: tip.height,
    headers: tip.height,
    difficulty: 1,
    verificationprogress: 1,
    pruned: false,
    bestblockhash: blockHashToHex(tip.hash),
    estimatedheight: tip.height,
    valuePools: POOL_IDS.map((id) => ({ id, chainValue: 0, chainValueZat: 0, monitored: false })),
    upgrades: Object.fromEntries(
      upgradesOf(activation).map(({ name, branchId, height }) => [
        branchIdHex(branchId),
        { name, activationheight: height, status: tip.height >= height ? 'active' : 'pending' },
      ]),
    ),
    consensus: {
      chaintip: branchIdHex(branchIdAt(activation, tip.height)),
      nextblock: branchIdHex(branchIdAt(activation, tip.height + 1)),
    },
  };
}

function getrawtransaction(view: ChainView, [txid, verbose = 0]: readonly unknown[]): unknown {
  if (typeof txid !== 'string' || !/^[0-9a-fA-F]{64}$/.test(txid)) throw invalidParams();
  const unmined = view.mempool.byTxid(txid.toLowerCase());
  if (unmined) {
    const hex = bytesToHex(unmined.bytes);
    return verbose === 0 || verbose === false
      ? hex
      : { in_active_chain: false, hex, txid: txid.toLowerCase(), size: unmined.bytes.length };
  }
  const mined = view.blocks.byTxid(txid.toLowerCase());
  if (!mined) throw new RpcError(-5, 'Transaction not found in mempool or best chain');
  return verbose === 0 || verbose === false
    ? bytesToHex(mined.transaction.bytes)
    : transactionObject(view, mined);
}

function bytesOf(hex: string): Uint8Array {
  const wrong = /[^0-9a-fA-F]/.exec(hex);
  if (wrong !== null) throw new RpcError(-22, `Invalid character '${wrong[0]}' at position ${wrong.index}`);
  if (hex.length % 2 === 1) throw new RpcError(-22, 'Odd number of digits');
  return hexToBytes(hex);
}

/** zebrad leaves a tree out while it is empty. */
function treeSizesObject(sizes: TreeSizes): unknown {
  return Object.fromEntries(
    POOLS.filter((pool) => sizes[pool] > 0).map((pool) => [pool, { size: sizes[pool] }]),
  );
}
