// Full blocks from several peers: each gets a share, what one lacks or leaves out is asked of another, and who sends a wrong
// block is left and named, while the others go on.

import { mapInOrder } from '@wallet-companion/base/async';
import { bytesToHex, FormatError } from '@wallet-companion/base/bytes';
import { CompanionError } from '@wallet-companion/client/contract';
import type { FullBlock } from '../source/fullBlockPacking.ts';
import type { PeerPlace } from './addressBook.ts';
import { checkedBlock, type WantedBlock } from './fullBlock.ts';
import { MOST_BLOCKS_ASKED, type PeerConnection, PeerError } from './peerConnection.ts';

/** Peers that are asked for blocks at once. */
const MOST_SERVING = 4;
/** Nodes send no more for one question, and leave out the rest. */
const ANSWER_BYTES = 1_000_000;

/** A connected peer that may be asked for blocks. */
export interface ServingPeer extends Pick<PeerConnection, 'blocks'> {
  readonly place: PeerPlace;
  /** Ends the connection, and leaves its host alone for a day. */
  blame(why: string): void;
}

export class BlockPeers {
  readonly #serving: () => readonly ServingPeer[];
  /** Questions that a peer has not answered yet. */
  readonly #asked = new WeakMap<ServingPeer, number>();
  /** Bytes of a block, of late. */
  #usual = ANSWER_BYTES / MOST_BLOCKS_ASKED;

  /** `serving`: the same object for the same connection. */
  constructor(serving: () => readonly ServingPeer[]) {
    this.#serving = serving;
  }

  /** Checked blocks in the order in which they are wanted. Throws `PEERS_UNREACHABLE` where no peer has one. */
  async *stream(wanted: Iterable<WantedBlock>, signal?: AbortSignal): AsyncGenerator<FullBlock, void, void> {
    const shares = this.#shares(wanted[Symbol.iterator]());
    for await (const blocks of mapInOrder(shares, MOST_SERVING, (share) => this.fetch(share, signal), signal))
      yield* blocks;
  }

  /** So many that one answer has all of them, as far as blocks are as long as the last ones. */
  *#shares(wanted: Iterator<WantedBlock>): Generator<WantedBlock[], void, void> {
    for (;;) {
      const count = Math.max(1, Math.min(MOST_BLOCKS_ASKED, Math.floor(ANSWER_BYTES / this.#usual)));
      const share: WantedBlock[] = [];
      while (share.length < count) {
        const next = wanted.next();
        if (next.done === true) break;
        share.push(next.value);
      }
      if (share.length === 0) return;
      yield share;
    }
  }

  /** At most 16 blocks, in their order. */
  async fetch(wanted: readonly WantedBlock[], signal?: AbortSignal): Promise<FullBlock[]> {
    const found = new Map<string, FullBlock>();
    const fruitless = new Set<ServingPeer>();
    for (;;) {
      signal?.throwIfAborted();
      const open = wanted.filter(({ hash }) => !found.has(bytesToHex(hash)));
      if (open.length === 0) return wanted.map(({ hash }) => found.get(bytesToHex(hash))!);
      const peer = this.#idlest(fruitless);
      if (peer === undefined) throw noneHas(open[0]!, fruitless.size);
      const before = found.size;
      await this.#ask(peer, open, found);
      if (found.size === before) fruitless.add(peer);
    }
  }

  /** Never rejects: what went wrong shows by what was not found. */
  async #ask(
    peer: ServingPeer,
    wanted: readonly WantedBlock[],
    found: Map<string, FullBlock>,
  ): Promise<void> {
    this.#asked.set(peer, this.#owed(peer) + 1);
    try {
      const answer = await peer.blocks(wanted.map(({ hash }) => hash));
      for (const one of wanted) {
        const key = bytesToHex(one.hash);
        const bytes = answer.get(key);
        if (bytes === undefined) continue;
        found.set(key, checkedBlock(bytes, one));
        this.#usual += (bytes.length - this.#usual) / MOST_BLOCKS_ASKED;
      }
    } catch (error) {
      if (error instanceof FormatError) peer.blame(`it sent a wrong block: ${error.message}`);
      else if (!(error instanceof PeerError)) throw error;
    } finally {
      this.#asked.set(peer, this.#owed(peer) - 1);
    }
  }

  #owed(peer: ServingPeer): number {
    return this.#asked.get(peer) ?? 0;
  }

  /** The one with the fewest open questions, among the first four that were not asked in vain. */
  #idlest(fruitless: ReadonlySet<ServingPeer>): ServingPeer | undefined {
    const [first, ...others] = this.#serving()
      .filter((one) => !fruitless.has(one))
      .slice(0, MOST_SERVING);
    return (
      first && others.reduce((idlest, one) => (this.#owed(one) < this.#owed(idlest) ? one : idlest), first)
    );
  }
}

const noneHas = ({ height }: WantedBlock, asked: number): CompanionError =>
  new CompanionError(
    'PEERS_UNREACHABLE',
    asked === 0
      ? `No peer of the network is connected that could give block ${height}. Try again in a moment.`
      : `No connected peer of the network gave block ${height}, of ${asked} that were asked. Try again in a moment.`,
  );
