// Compares the blocks that servers show with the chain of most work that the network's peers show. Where no peer is connected,
// no block is judged, and everything goes on as without them.

import type { Height } from '@wallet-companion/base/values';
import { CompanionError, type Outputs } from '@wallet-companion/client/contract';
import { type BlockHash, blockHashToHex } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { PLAIN_LEVEL_HASH } from '@wallet-companion/zcash/trees';
import { CheckedBlocks, unanswered } from '../peers/checkedBlocks.ts';
import { type Frontier, frontierBelow } from '../peers/frontiers.ts';
import type { PeersView } from '../peers/peerNetwork.ts';
import { PeerSource } from '../peers/peerSource.ts';
import type { ChainSettings, ServedBatch, Source } from '../ports/types.ts';
import type { ChainEnvironment, Peers } from './chainEnvironment.ts';

/** Who is held against peers. */
type Server = Exclude<Source, 'peers'>;
type PeersStatus = Outputs['system.status']['peers'];

/** Peers are asked before a server's block is refused: the chain may have moved. */
const ASK_MS = 5_000;
/** Nodes may have different blocks at the top, of equal work, until the next ones come: so many are not compared. */
const UNDECIDED = 2;
/** A server with so many blocks less is behind: some four minutes. */
const MOST_BEHIND = 10;

interface Shown {
  readonly height: Height;
  readonly hash: BlockHash;
}

const OFF: PeersStatus = {
  state: 'off',
  connected: 0,
  agreeing: 0,
  height: null,
  bytes_today: 0,
  warning: null,
};

const WARNINGS: Partial<Record<PeersView['state'], string>> = {
  stale:
    "The network's peers have shown no block for half an hour: the network stands still, or new blocks are withheld from this computer. Do not take new payments as confirmed.",
  slow: "The network's peers have shown less than half of the blocks that were due in six hours: new blocks may be withheld from this computer. Do not take new payments as confirmed.",
};

const NAMES: Readonly<Record<Server, string>> = { node: 'The node', compact: 'The compact server' };

export class SecondOpinion {
  readonly #open: ChainEnvironment['openPeers'];
  #peers: Peers | undefined;
  #key = '';
  #isStarted = false;
  #blocks: CheckedBlocks | undefined;
  #frontier: Frontier | undefined;
  #source: PeerSource | undefined;

  constructor({ openPeers }: Pick<ChainEnvironment, 'openPeers'>) {
    this.#open = openPeers;
  }

  configure({ peers, dataDir: folder }: ChainSettings, parameters: NetworkParameters): void {
    const { isOn = false, named = [], readFrom } = peers ?? {};
    const frontier = isOn ? frontierBelow(parameters, readFrom ?? undefined) : undefined;
    const start = readFrom === undefined ? undefined : frontier?.start;
    const { network, activation } = parameters;
    const from = start && frontier?.trees.height;
    const key = isOn ? JSON.stringify([network, activation, folder, named, from]) : '';
    if (key === this.#key) return;
    this.#key = key;
    this.#peers?.close();
    this.#blocks?.close();
    this.#blocks = undefined;
    this.#source?.close();
    this.#source = undefined;
    this.#frontier = frontier;
    this.#peers = isOn ? this.#open?.({ parameters, folder, named, start }) : undefined;
    this.#isStarted = false;
  }

  /** Peers are connected once a server is asked: a command that asks none, as for an address, connects to none. */
  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    void this.#peers?.start();
  }

  /** For other questions to peers, which are connected from then on. Throws `PEERS_UNREACHABLE` where they are off. */
  connected(): Peers {
    this.#start();
    if (this.#peers === undefined)
      throw new CompanionError(
        'PEERS_UNREACHABLE',
        'Peers of the network are off: "peers" in config.json turns them on, and on regtest names them.',
      );
    return this.#peers;
  }

  /** Full blocks of the chain of most work. Throws as `connected`. */
  blocks(): CheckedBlocks {
    const peers = this.connected();
    this.#blocks ??= new CheckedBlocks(peers);
    return this.#blocks;
  }

  /** Peers as the source of blocks. Throws as `connected`, and `PEERS_BAD_RESPONSE` where no known trees lie below what is read. */
  source(): PeerSource {
    const network = this.connected();
    if (this.#frontier === undefined)
      throw unanswered('note commitment trees, and none before the birthday come with this program');
    this.#source ??= new PeerSource({ network, trees: this.#frontier.trees, hashes: PLAIN_LEVEL_HASH });
    return this.#source;
  }

  status(): PeersStatus {
    const view = this.#peers?.view();
    if (view === undefined) return OFF;
    const { state, peers, agreeing, height = null, bytesToday } = view;
    return {
      state: state === 'catching up' ? 'catching_up' : state,
      connected: peers,
      agreeing,
      height,
      bytes_today: bytesToday,
      warning: WARNINGS[state] ?? null,
    };
  }

  /** A server whose tip is below is behind; null while it is unknown. */
  get leastTip(): Height | null {
    const { state, height } = this.#peers?.view() ?? {};
    return state === 'current' && height !== undefined ? height - MOST_BEHIND : null;
  }

  /** Throws `CHAIN_OF_LESS_WORK` for a block that is not on the chain of most work. */
  async ofBlock<T extends Shown | null>(source: Source, shown: T): Promise<T> {
    if (shown !== null) await this.#check(source, [shown]);
    return shown;
  }

  /** The same for all blocks of a batch. */
  async ofBatch(source: Source, batch: ServedBatch | null): Promise<ServedBatch | null> {
    if (batch !== null) await this.#check(source, batch.blocks);
    return batch;
  }

  async #check(source: Source, shown: readonly Shown[]): Promise<void> {
    if (source === 'peers') return;
    this.#start();
    const peers = this.#peers;
    if (peers === undefined || this.#refused(peers, shown) === undefined) return;
    // Peers that do not answer, as after a computer's sleep, may know an old chain only.
    const agreeing = await peers.refresh(ASK_MS);
    const refused = agreeing === 0 ? undefined : this.#refused(peers, shown);
    if (refused === undefined) return;
    const { height, hash } = refused;
    throw new CompanionError(
      'CHAIN_OF_LESS_WORK',
      `${NAMES[source]} shows ${blockHashToHex(hash)} as block ${height}. It is not on the chain of most work, which ${shownBy(agreeing)}, and is not counted. Try again in a moment; if it stays so, name another server.`,
    );
  }

  #refused(peers: Peers, shown: readonly Shown[]): Shown | undefined {
    const { state, height: top = Number.POSITIVE_INFINITY, highest = top } = peers.view();
    const isTooHigh = (height: Height): boolean => state === 'current' && height > highest;
    return shown.find(
      ({ height, hash }) =>
        isTooHigh(height) || (height <= top - UNDECIDED && peers.isOnBest(height, hash) === false),
    );
  }
}

const shownBy = (peers: number): string =>
  peers === 1 ? 'a peer of the network shows' : `${peers} peers of the network show`;
