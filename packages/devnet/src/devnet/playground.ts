// A devnet that other programs control: its chain can be replaced behind the same two servers, a failed call leaves the
// chain as it was, and transactions that a reorganisation dropped can be mined again.
import { createHash } from 'node:crypto';
import { encodeUnifiedViewingKey, firstAddress } from '@wallet-companion/zcash/addresses';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { deriveViewingKeys, generateMnemonic, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import { type ActivationHeights, regtestParameters } from '@wallet-companion/zcash/network';
import { type BlockClock, fixedClock } from './blockClock.ts';
import type { BuiltTransaction } from './builtTransaction.ts';
import type { FindWrongProofs } from './chainView.ts';
import type { CompactServer } from './compactServer.ts';
import { Devnet, type MineOptions } from './devnet.ts';
import type { DevnetAccount } from './devnetAccount.ts';
import type { MinedBlock } from './minedBlock.ts';
import type { NodeServer } from './nodeServer.ts';
import type { PeerServer } from './peerServer.ts';

export interface ChainOptions {
  readonly seed: string;
  readonly activation: Partial<ActivationHeights>;
  /** Default: a clock that gives the same chain for the same seed and calls. */
  readonly clock?: BlockClock;
  readonly findWrongProofs?: FindWrongProofs | undefined;
}

/** A wallet with a public phrase: it follows from the seed. */
export interface OwnWallet {
  readonly mnemonic: string;
  readonly viewingKey: string;
  readonly address: string;
}

/** Called when the block before it exists. */
export type BlockPlan = () => MineOptions;

export class Playground {
  readonly node: NodeServer;
  readonly compact: CompactServer;
  readonly peer: PeerServer;
  #options: ChainOptions;
  #devnet: Devnet;
  #accounts = new Map<string, DevnetAccount>();
  #dropped = new Map<string, BuiltTransaction>();
  #wallet: OwnWallet | undefined;

  constructor(options: ChainOptions) {
    this.#options = options;
    this.#devnet = newChain(options);
    this.node = this.#devnet.node;
    this.compact = this.#devnet.compact;
    this.peer = this.#devnet.peer;
  }

  get devnet(): Devnet {
    return this.#devnet;
  }

  get seed(): string {
    return this.#options.seed;
  }

  /** Begins a new chain; absent options stay as they were. The servers keep their addresses and lose their faults. */
  reset(options: Partial<ChainOptions>): void {
    const next = { ...this.#options, ...options };
    this.#devnet = newChain(next);
    this.#options = next;
    this.#accounts = new Map();
    this.#dropped = new Map();
    this.#wallet = undefined;
    for (const server of [this.node, this.compact, this.peer]) {
      server.behave();
      server.show(this.#devnet);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.node.close(), this.compact.close(), this.peer.close()]);
  }

  get wallet(): OwnWallet {
    this.#wallet ??= ownWallet(this.#devnet, this.seed);
    return this.#wallet;
  }

  /** The account of a viewing key; by default the devnet's own wallet. */
  account(viewingKey = this.wallet.viewingKey): DevnetAccount {
    const known = this.#accounts.get(viewingKey);
    const account = known ?? this.#devnet.account(viewingKey);
    this.#accounts.set(viewingKey, account);
    return account;
  }

  /** A transaction of a dropped branch; undefined when no dropped branch had it. */
  dropped(txid: string): BuiltTransaction | undefined {
    return this.#dropped.get(txid);
  }

  /** Mines all blocks or none. */
  mine(plans: readonly BlockPlan[]): MinedBlock[] {
    return this.#allOrNothing(() => plans.map((plan) => this.#mineOne(plan())));
  }

  /** Drops the top `depth` blocks and mines the planned blocks. */
  reorganise(depth: number, plans: readonly BlockPlan[]): { forkHeight: number; mined: MinedBlock[] } {
    const { blocks, tip } = this.#devnet;
    const forkHeight = tip.height - depth;
    const abandoned = blocks.blocks.slice(-depth);
    const mined = this.#allOrNothing(() => {
      this.#devnet.rewindTo(forkHeight);
      for (const transaction of abandoned.flatMap((block) => block.transactions))
        this.#dropped.set(txIdToHex(transaction.txid), transaction);
      return plans.map((plan) => this.#mineOne({ takesSent: false, ...plan() }));
    });
    return { forkHeight, mined };
  }

  #mineOne(options: MineOptions): MinedBlock {
    this.#refuseDoubleSpends(options.transactions ?? []);
    return this.#devnet.mine(options);
  }

  #refuseDoubleSpends(transactions: readonly BuiltTransaction[]): void {
    const added = transactions.flatMap(({ spends }) => spends.map(({ nullifier }) => nullifier.join()));
    if (added.length === 0) return;
    const mined = this.#devnet.blocks.blocks.flatMap((block) =>
      block.transactions.flatMap(({ spends }) => spends.map(({ nullifier }) => nullifier.join())),
    );
    if (new Set([...added, ...mined]).size < added.length + mined.length)
      throw new RangeError('a note would be spent twice');
  }

  #allOrNothing<T>(work: () => T): T {
    const { blocks, mempool } = this.#devnet;
    const before = [...blocks.blocks];
    const unmined = mempool.copy();
    try {
      return work();
    } catch (thrown) {
      const common = before.findLast((block) => blocks.at(block.height) === block)!;
      blocks.rewindTo(common.height);
      for (const block of before) if (block.height > common.height) blocks.append(block);
      mempool.restore(unmined);
      throw thrown;
    }
  }
}

const newChain = ({ seed, activation, clock = fixedClock, findWrongProofs }: ChainOptions): Devnet =>
  new Devnet({ params: regtestParameters(activation), seed, clock, findWrongProofs });

function ownWallet({ params }: Devnet, seed: string): OwnWallet {
  const entropy = createHash('sha256').update('devnet wallet').update(seed).digest();
  const mnemonic = generateMnemonic(24, () => Uint8Array.from(entropy));
  const keys = deriveViewingKeys(mnemonicToSeed(mnemonic, ''), params, 0);
  return {
    mnemonic,
    viewingKey: encodeUnifiedViewingKey(keys, params),
    address: firstAddress(keys, params, 0n).unifiedAddress,
  };
}
