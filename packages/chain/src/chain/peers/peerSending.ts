// Hands a transaction to one peer, and to another where no other peer shows it in time. Peers report neither that they accept one
// nor why not, so another peer's mempool, or a block, is the only sign. A rejection is shown and not believed.

import type { After } from '@wallet-companion/base/async';
import { bytesToHex, equalBytes, FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { BlockHash, TxId } from '@wallet-companion/zcash/identifiers';
import { presentable } from '../source/sending.ts';
import { checkedBlock, type WantedBlock } from './fullBlock.ts';
import type { ConnectedPeer, HeaderPeers } from './headerPeers.ts';
import { MOST_BLOCKS_ASKED, PeerError } from './peerConnection.ts';

/** How long each of the peers that got it in turn has, until another shows it. */
const PATIENCE_MS = [180_000, 60_000] as const;
/** After so many rejections no further peer gets it. */
const MOST_REJECTIONS = 3;
/** Between two looks, drawn: a question in the same second would name the sender. */
const LEAST_WAIT_MS = 5_000;
const WAITS_MS = 15_000;

export type PeerSending =
  /** Another peer has it in its mempool, or a block has it. */
  | { readonly kind: 'seen' }
  /** Every peer that got it rejected it. `text`: the first reason, in printable characters. */
  | { readonly kind: 'rejected'; readonly text: string }
  /** It was handed over, and no other peer has shown it. */
  | { readonly kind: 'silent' }
  /** No peer got it. */
  | { readonly kind: 'no peer' };

interface Chain {
  readonly tip: { readonly height: Height };
  hashAt(height: Height): BlockHash | undefined;
}

export interface PeerSenderParts {
  readonly peers: Pick<HeaderPeers, 'connected' | 'another'>;
  readonly groupOf: (peer: ConnectedPeer) => string;
  readonly chain: () => Chain;
  readonly after: After;
  /** An integer from 0 to below the bound, drawn anew. */
  random(bound: number): number;
}

export class PeerSender {
  readonly #parts: PeerSenderParts;
  readonly #endings = new Set<() => void>();
  #isOpen = true;

  constructor(parts: PeerSenderParts) {
    this.#parts = parts;
  }

  /** Ends the waits: what was handed over is on its way. */
  close(): void {
    this.#isOpen = false;
    for (const end of this.#endings) end();
  }

  /** Takes some seconds, and four minutes where no peer shows it. */
  async send(raw: Uint8Array, txid: TxId): Promise<PeerSending> {
    const blocks = new BlockLooks(this.#parts.chain(), txid);
    const receivers = new Set<string>();
    const rejections: string[] = [];
    let handed = 0;
    while (handed < PATIENCE_MS.length && rejections.length < MOST_REJECTIONS) {
      const receiver = await this.#receiver(receivers);
      if (receiver === undefined) break;
      receivers.add(this.#parts.groupOf(receiver.peer));
      const handover = await handOver(receiver, raw);
      if (handover.kind === 'rejected') {
        rejections.push(handover.text);
        continue;
      }
      // Where the connection ended it may have been read all the same: the next peer decides.
      const patience = handover.kind === 'read' ? PATIENCE_MS[handed]! : 0;
      if (await this.#isSeenWithin(patience, txid, receivers, blocks)) return { kind: 'seen' };
      handed++;
    }
    const [text] = rejections;
    if (handed > 0) return { kind: 'silent' };
    if (text === undefined) return { kind: 'no peer' };
    return (await this.isSeen(txid)) ? { kind: 'seen' } : { kind: 'rejected', text };
  }

  /** Whether a peer has it in its mempool now. */
  async isSeen(txid: TxId, receivers: ReadonlySet<string> = new Set()): Promise<boolean> {
    const peer = this.#witness(receivers);
    if (peer === undefined) return false;
    const items = await peer.connection.mempool().catch(endedAs([]));
    return items.some(({ id }) => equalBytes(id.subarray(0, txid.length), txid));
  }

  /**
   * A connection of its own, to a peer that is asked for nothing else and learns nothing more of us. One of those that are
   * asked for headers where no other is known.
   */
  async #receiver(before: ReadonlySet<string>): Promise<Receiver | undefined> {
    const { peers, groupOf } = this.#parts;
    const fresh = await peers.another(before);
    if (fresh !== undefined) return { peer: fresh, isOwn: true };
    const others = peers.connected.filter((one) => !before.has(groupOf(one)));
    return others.length === 0 ? undefined : { peer: this.#drawn(others), isOwn: false };
  }

  /** Who did not get it from us, where there is one. */
  #witness(receivers: ReadonlySet<string>): ConnectedPeer | undefined {
    const { peers, groupOf } = this.#parts;
    const others = peers.connected.filter((one) => !receivers.has(groupOf(one)));
    const asked = others.length > 0 ? others : peers.connected;
    return asked.length === 0 ? undefined : this.#drawn(asked);
  }

  #drawn(peers: readonly ConnectedPeer[]): ConnectedPeer {
    return peers[this.#parts.random(peers.length)]!;
  }

  async #isSeenWithin(
    ms: number,
    txid: TxId,
    receivers: ReadonlySet<string>,
    blocks: BlockLooks,
  ): Promise<boolean> {
    for (let left = ms; left > 0 && this.#isOpen; ) {
      const wait = Math.min(left, LEAST_WAIT_MS + this.#parts.random(WAITS_MS));
      left -= wait;
      await this.#pause(wait);
      if (await this.isSeen(txid, receivers)) return true;
      const peer = this.#witness(receivers);
      // A block takes it out of the mempools.
      if (peer !== undefined && (await blocks.look(peer).catch(endedAs(false)))) return true;
    }
    return false;
  }

  async #pause(ms: number): Promise<void> {
    let end: () => void = () => undefined;
    const cancel = await new Promise<() => void>((resolve) => {
      const stop = this.#parts.after(ms, () => end());
      end = () => resolve(stop);
      this.#endings.add(end);
    });
    cancel();
    this.#endings.delete(end);
  }
}

interface Receiver {
  readonly peer: ConnectedPeer;
  /** The connection is for this alone. */
  readonly isOwn: boolean;
}

type Handover =
  | { readonly kind: 'read' }
  /** `text`: the peer's reason. */
  | { readonly kind: 'rejected'; readonly text: string }
  /** The connection did. */
  | { readonly kind: 'ended' };

async function handOver({ peer, isOwn }: Receiver, raw: Uint8Array): Promise<Handover> {
  const { connection } = peer;
  try {
    const rejection = await connection.send(raw);
    if (rejection === undefined) return { kind: 'read' };
    return { kind: 'rejected', text: presentable(rejection.reason) || 'it gave no reason' };
  } catch (error) {
    return endedAs<Handover>({ kind: 'ended' })(error);
  } finally {
    if (isOwn) connection.close();
  }
}

const endedAs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof PeerError) return value;
    throw error;
  };

/** Looks for a transaction in the blocks that have come since: all of them, whole, so that nobody learns which is meant. */
class BlockLooks {
  readonly #chain: Chain;
  readonly #txid: TxId;
  readonly #from: Height;
  readonly #looked = new Set<string>();

  constructor(chain: Chain, txid: TxId) {
    this.#chain = chain;
    this.#txid = txid;
    this.#from = chain.tip.height + 1;
  }

  /** Rejects with `PeerError`. */
  async look({ connection }: ConnectedPeer): Promise<boolean> {
    const wanted: WantedBlock[] = [];
    for (let height = this.#from; height <= this.#chain.tip.height; height++) {
      const hash = this.#chain.hashAt(height);
      if (hash !== undefined && !this.#looked.has(bytesToHex(hash))) wanted.push({ height, hash });
    }
    if (wanted.length === 0) return false;
    const some = wanted.slice(0, MOST_BLOCKS_ASKED);
    const blocks = await connection.blocks(some.map(({ hash }) => hash));
    return some.some((one) => this.#isIn(one, blocks.get(bytesToHex(one.hash))));
  }

  /** A wrong block shows nothing: another peer is asked for it at the next look. */
  #isIn(wanted: WantedBlock, bytes: Uint8Array | undefined): boolean {
    if (bytes === undefined) return false;
    try {
      const { txids } = checkedBlock(bytes, wanted);
      this.#looked.add(bytesToHex(wanted.hash));
      return txids.some((one) => equalBytes(one, this.#txid));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return false;
    }
  }
}
