// An embedded chain for tests and the demo: it mines blocks with notes that really decrypt, reorganises, and serves its
// blocks like a node and like a compact server. Everything on it is determined by the seed and the calls made.

import type { Height } from '@wallet-companion/base/values';
import { parseUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { asBlockHash, type TxId, txIdToHex } from '@wallet-companion/zcash/identifiers';
import type { ViewingKeys } from '@wallet-companion/zcash/keys';
import {
  isActive,
  type NetworkParameters,
  newestRule,
  regtestParameters,
  type TxVersion,
} from '@wallet-companion/zcash/network';
import {
  isWithdrawOnly,
  type PerPool,
  POOL,
  POOLS,
  type Pool,
  perPool,
  poolsAt,
  type TreeSizes,
} from '@wallet-companion/zcash/pools';
import { addLeaves, EMPTY_TREES, leafCount, TREE_HASH } from '@wallet-companion/zcash/trees';
import { acceptedTransaction, checkProofs, isMineableAt } from './acceptance.ts';
import { assembleBlock } from './blockAssembly.ts';
import { type BlockClock, fixedClock } from './blockClock.ts';
import { BlockRoom } from './blockLimit.ts';
import { BlockTree } from './blockTree.ts';
import type { BuiltTransaction } from './builtTransaction.ts';
import type { ChainView, FindWrongProofs } from './chainView.ts';
import { CompactServer } from './compactServer.ts';
import { DevnetAccount, type SpendOrder } from './devnetAccount.ts';
import { RpcError } from './devnetError.ts';
import { REGTEST_GENESIS_TIME, regtestGenesis } from './genesis.ts';
import { Mempool } from './mempool.ts';
import type { MinedBlock } from './minedBlock.ts';
import { NodeServer } from './nodeServer.ts';
import { madeUpFrontier } from './noteTree.ts';
import { jubjubPoints, pallasPoints } from './otherPoints.ts';
import { type OpenPayment, type Payment, planOpenPayment, planPayment } from './payment.ts';
import { PeerServer } from './peerServer.ts';
import { type Randomness, seededRandomness } from './randomness.ts';
import { TransactionBuilder } from './transactionBuilder.ts';
import type { TransactionPlan } from './transactionPlan.ts';
import { TreeStates } from './treeStates.ts';
import { versionsAt } from './upgrades.ts';

export interface DevnetOptions {
  /** Default: regtest with every upgrade at height 1. */
  readonly params?: NetworkParameters;
  /** The same seed and the same calls give the same bytes. */
  readonly seed?: string;
  /** Default: times count from the first block, so that the same calls give the same bytes. */
  readonly clock?: BlockClock;
  /** Height of the first block to mine, default 1. One block lies below it: genesis, or a made-up one. */
  readonly startHeight?: Height;
  /** Leaves that the trees already have below `startHeight`, which must be above 1. */
  readonly initialLeaves?: Partial<TreeSizes>;
  /**
   * Count of leaves below `initialLeaves`, of which only the trees' state is known: instant for any count, less than
   * twice a subtree of 2^16.
   */
  readonly initialSizes?: Partial<TreeSizes>;
  /** Verifies Orchard's and Ironwood's proofs of sent transactions. Default: only their length is checked. */
  readonly findWrongProofs?: FindWrongProofs | undefined;
}

export interface PayOptions {
  /** Default: the newest version that the height allows. */
  readonly version?: TxVersion;
  /** The payer; default: a stranger with notes in the pool of the first payment. */
  readonly payer?: Pool | 'transparent';
  /** Outputs to strangers besides the payments. */
  readonly otherOutputs?: Partial<TreeSizes>;
}

/** A coinbase that pays the miner in a pool; without an address it is paid transparently to nobody. */
export interface CoinbasePayment {
  readonly address: Payment['address'];
  /** Default as in a node: Ironwood from NU6.3, Orchard from NU5, Sapling before that. */
  readonly pool?: Pool;
  readonly memo?: string | Uint8Array;
}

export interface MineOptions {
  /** Transactions after the coinbase, in this order. */
  readonly transactions?: readonly BuiltTransaction[];
  /** Default: the miner is paid transparently. */
  readonly coinbase?: CoinbasePayment | Omit<OpenPayment, 'zatoshi'>;
  /** Whether the block also takes sent transactions, after `transactions`; default: yes, but no in `reorganise`. */
  readonly takesSent?: boolean;
}

export interface Reorganisation {
  /** The last common block. */
  readonly forkHeight: Height;
  /** Abandoned blocks, lowest first. */
  readonly abandoned: readonly MinedBlock[];
  readonly mined: readonly MinedBlock[];
}

/** Zatoshi; the fees of the block are added. */
export const BLOCK_SUBSIDY = 312_500_000n;
/** Block time where no upgrade gives another, and the average for blocks below the first. */
const BLOCK_SECONDS = 75;
/** As in zebrad's queue. */
const MOST_RECEIVED = 25;
/** Anyone can open shielded coinbase outputs (ZIP 213). */
const COINBASE_OUTGOING_KEY = new Uint8Array(32);

export class Devnet implements ChainView {
  readonly params: NetworkParameters;
  readonly blocks: BlockTree;
  readonly trees: PerPool<TreeStates>;
  /** A transaction that a test puts here is mined only by an explicit `mine`; a sent one, with the next block. */
  readonly mempool = new Mempool();
  /** JSON-RPC server like zebrad's; call its `listen`. */
  readonly node: NodeServer;
  /** CompactTxStreamer server; call its `listen`. */
  readonly compact: CompactServer;
  readonly peer: PeerServer;
  readonly #findWrongProofs: FindWrongProofs | undefined;
  /** Transactions whose proofs are being verified. */
  readonly #received = new Set<string>();
  readonly #randomness: Randomness;
  readonly #clock: BlockClock;
  readonly #builder: TransactionBuilder;

  constructor(options: DevnetOptions = {}) {
    const { params = regtestParameters(), seed = 'devnet', startHeight = 1, clock = fixedClock } = options;
    const randomness = seededRandomness(seed);
    this.params = params;
    this.#findWrongProofs = options.findWrongProofs;
    this.#randomness = randomness;
    this.#clock = clock;
    this.#builder = new TransactionBuilder({
      params,
      randomness,
      pallas: pallasPoints(randomness),
      jubjub: jubjubPoints(randomness),
    });
    const initial = { ...EMPTY_TREES, ...options.initialLeaves };
    const unknown = { ...EMPTY_TREES, ...options.initialSizes };
    const leaves = (pool: Pool) => Array.from({ length: initial[pool] }, () => randomness.fieldElement());
    this.trees = perPool((pool) => {
      const frontier = madeUpFrontier(unknown[pool], () => randomness.fieldElement());
      return new TreeStates(pool, TREE_HASH[POOL[pool].protocol], leaves(pool), frontier);
    });
    this.blocks = new BlockTree(this.#firstBlock(startHeight, addLeaves(unknown, initial)));
    this.node = new NodeServer(this);
    this.compact = new CompactServer(this);
    this.peer = new PeerServer(this);
  }

  get tip(): MinedBlock {
    return this.blocks.tip;
  }

  /** Closes both servers. */
  async close(): Promise<void> {
    await Promise.all([this.node.close(), this.compact.close(), this.peer.close()]);
  }

  /** Adds one block to the best chain. */
  mine({ transactions: chosen = [], coinbase, takesSent = true }: MineOptions = {}): MinedBlock {
    const { tip } = this;
    const height = tip.height + 1;
    const { activation } = this.params;
    const paid = coinbase && (coinbase.pool ?? this.#minerPool(height));
    const coinbasePool = paid === 'transparent' ? undefined : paid;
    const room = new BlockRoom(isActive(activation, 'nu7', height), coinbasePool);
    for (const { bytes } of chosen) room.fill(bytes);
    const transactions = takesSent ? [...chosen, ...this.mempool.sentBeside(chosen, room)] : chosen;
    const fees = transactions.reduce((sum, transaction) => sum + transaction.fee, 0n);
    const block = assembleBlock({
      network: this.params.network,
      height,
      prevHash: tip.hash,
      parent: tip,
      treeSizes: tip.treeSizes,
      time: this.#clock(tip.time, newestRule('blockSeconds', activation, height) ?? BLOCK_SECONDS),
      transactions: [this.#coinbase(height, BLOCK_SUBSIDY + fees, coinbase), ...transactions],
      randomness: this.#randomness,
    });
    this.mempool.mined(block);
    for (const { txid: id, bytes } of this.mempool.sent)
      if (!isMineableAt(this, bytes, height + 1)) this.mempool.drop(id);
    this.blocks.append(block);
    return block;
  }

  /** Adds `count` blocks without shielded transactions, sent ones included. */
  mineEmpty(count: number): void {
    for (let i = 0; i < count; i++) this.mine({ takesSent: false });
  }

  /**
   * Does what both servers do with a transaction: `send`, and its proofs are verified where the devnet was given a
   * verifier, of some transactions at a time. Throws `RpcError` as `send` does.
   */
  async receive(bytes: Uint8Array): Promise<TxId> {
    const find = this.#findWrongProofs;
    if (find === undefined) return this.send(bytes);
    const dropped = (reason: string) => new RpcError(-1, `transaction dropped because ${reason}`);
    if (this.#received.size >= MOST_RECEIVED) throw dropped('the queue is full');
    const accepted = acceptedTransaction(this, bytes);
    const id = txIdToHex(accepted.txid);
    if (this.#received.has(id)) throw dropped('it is already queued for download');
    this.#received.add(id);
    try {
      await checkProofs(this, find, accepted.bytes);
    } finally {
      this.#received.delete(id);
    }
    // The chain may have changed in the meantime.
    return this.send(accepted.bytes);
  }

  /**
   * Accepts a whole transaction into the mempool as a node does, whatever its proofs are; the next block has it. Throws
   * `RpcError` with zebrad's code and text when a node would refuse it.
   */
  send(bytes: Uint8Array): TxId {
    const transaction = acceptedTransaction(this, bytes);
    this.mempool.put(transaction);
    return transaction.txid;
  }

  /** Adds a block with one payment from a stranger. */
  payTo(address: Payment['address'], payment: Omit<Payment, 'address'>): MinedBlock {
    return this.mine({ transactions: [this.pay([{ address, ...payment }])] });
  }

  /** A transaction for the next block in which a stranger pays. */
  pay(payments: readonly (Payment | OpenPayment)[], options: PayOptions = {}): BuiltTransaction {
    const { version = this.#usualVersion(this.#nextHeight), payer, otherOutputs } = options;
    const open = payments.filter((payment) => payment.pool === 'transparent');
    const outputs = payments
      .filter((payment) => payment.pool !== 'transparent')
      .map((payment) => planPayment(payment, this.params, undefined));
    return this.#build({
      height: this.#nextHeight,
      version,
      outputs,
      spends: [],
      payer: payer ?? payments[0]?.pool ?? 'sapling',
      otherOutputs: { ...EMPTY_TREES, ...otherOutputs },
      transparentOutputs: open.map((payment) => planOpenPayment(payment, this.params)),
      coinbase: undefined,
    });
  }

  /** A transaction between strangers for the next block. An Orchard or Ironwood bundle has at least two actions. */
  traffic(
    outputs: Partial<TreeSizes>,
    version: TxVersion = this.#usualVersion(this.#nextHeight),
  ): BuiltTransaction {
    const payer = POOLS.find((pool) => (outputs[pool] ?? 0) > 0);
    if (!payer) throw new RangeError('a transaction between strangers has outputs');
    return this.pay([], { version, payer, otherOutputs: outputs });
  }

  /** Follows an account by its viewing keys (or their ZIP 316 text), also for notes mined before. */
  account(keys: ViewingKeys | string, index = 0): DevnetAccount {
    const parsed = typeof keys === 'string' ? parseUnifiedViewingKey(keys, this.params) : keys;
    return new DevnetAccount(parsed, index, this);
  }

  /** A transaction for the next block in which the account pays, with change to its internal address. */
  spend(account: DevnetAccount, order: SpendOrder): BuiltTransaction {
    const plan = account.planSpend(order, this.#nextHeight, this.#usualVersion(this.#nextHeight));
    const { tip } = this;
    return this.#builder.build(plan, (pool) =>
      plan.spends.some((spend) => spend.pool === pool)
        ? this.trees[pool].rootAfter(tip)
        : this.#oldAnchor(pool),
    );
  }

  /**
   * Drops the top `depth` blocks and mines `blocks` in their place; by default one empty block more than were dropped,
   * so that the new branch wins. A transaction of the old branch may be mined again on the new one.
   */
  reorganise(depth: number, blocks?: readonly MineOptions[]): Reorganisation {
    const forkHeight = this.tip.height - depth;
    const abandoned = this.rewindTo(forkHeight);
    const mined = (blocks ?? Array.from({ length: depth + 1 }, () => ({}))).map((options) =>
      this.mine({ takesSent: false, ...options }),
    );
    return { forkHeight, abandoned, mined };
  }

  /** Drops the blocks above `height`. Their sent transactions return to the mempool where they are still valid. */
  rewindTo(height: Height): readonly MinedBlock[] {
    const dropped = this.blocks.rewindTo(height);
    const waiting = this.mempool.sent;
    for (const { txid: id } of waiting) this.mempool.drop(id);
    const mined = dropped.flatMap(({ transactions }) => transactions.filter(({ isSent }) => isSent));
    for (const { bytes } of [...mined, ...waiting]) {
      try {
        this.send(bytes);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
      }
    }
    return dropped;
  }

  get #nextHeight(): number {
    return this.tip.height + 1;
  }

  #usualVersion(height: Height): TxVersion {
    return versionsAt(this.params.activation, height).newest;
  }

  #build(plan: TransactionPlan): BuiltTransaction {
    return this.#builder.build(plan, (pool) => this.#oldAnchor(pool));
  }

  /** Strangers spend old notes: any earlier root may be an anchor, and the first one has to be computed only once. */
  #oldAnchor(pool: Pool): Uint8Array {
    return this.trees[pool].rootAfter(this.blocks.first);
  }

  #coinbase(height: Height, value: bigint, payment?: MineOptions['coinbase']): BuiltTransaction {
    if (payment?.pool === 'transparent') {
      const output = planOpenPayment({ ...payment, pool: 'transparent', zatoshi: value }, this.params);
      return this.#buildCoinbase(height, { transparentOutputs: [output] });
    }
    const pool = payment && (payment.pool ?? this.#minerPool(height));
    if (pool !== undefined && isWithdrawOnly(pool, this.params.activation, height)) {
      throw new RangeError(`a coinbase can no longer pay ${POOL[pool].name}`);
    }
    const outputs =
      payment && pool
        ? [planPayment({ ...payment, pool, zatoshi: value }, this.params, COINBASE_OUTGOING_KEY)]
        : [];
    return this.#buildCoinbase(height, { outputs, coinbase: { transparentValue: payment ? 0n : value } });
  }

  #buildCoinbase(height: Height, paid: Partial<TransactionPlan>): BuiltTransaction {
    return this.#build({
      height,
      version: this.#usualVersion(height),
      outputs: [],
      spends: [],
      payer: 'none',
      otherOutputs: EMPTY_TREES,
      coinbase: { transparentValue: 0n },
      ...paid,
    });
  }

  #minerPool(height: Height): Pool {
    return poolsAt(this.params.activation, height).at(-1) ?? 'sapling';
  }

  #firstBlock(startHeight: Height, treeSizes: TreeSizes): MinedBlock {
    const { network } = this.params;
    const randomness = this.#randomness;
    if (startHeight < 1) throw new RangeError('the first block is genesis at height 0');
    if (network === 'regtest' && startHeight === 1) {
      if (leafCount(treeSizes) > 0) {
        throw new RangeError('genesis has no leaves before it');
      }
      return regtestGenesis();
    }
    return assembleBlock({
      network,
      height: startHeight - 1,
      prevHash: asBlockHash(randomness.bytes(32)),
      parent: undefined,
      treeSizes,
      time: REGTEST_GENESIS_TIME + BLOCK_SECONDS * startHeight,
      transactions: [this.#coinbase(startHeight - 1, BLOCK_SUBSIDY)],
      randomness,
    });
  }
}
