// What rests on a compact server's word alone is read once more from the node, or from peers where a note of ours was made or spent:
// the newest blocks first, when follow mode has nothing else to scan. Each piece has a turn of its own, so that others never wait for long.

import { Patience } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '../../../protocol/errors.ts';
import { isWithin } from '../noteStore/book/ranges.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import { verifyingSource } from '../source/blockSource.ts';
import { highest } from '../sync/newestFirst.ts';
import type { Scans } from '../sync/scans.ts';
import { FOLLOW_POLL_MS } from './follower.ts';

const BLOCKS_AT_ONCE = 200;
/** Peers are asked for whole stretches, cut at multiples of it, so that they do not learn which block matters. */
const STRETCH_BLOCKS = 100;
/** Peers that could not give a piece are asked again after this time. */
const REST_MS = 60_000;

export class SecondLook {
  readonly #environment: WalletEnvironment;
  readonly #scans: Scans;
  /** New blocks do not wait for a node that does not answer. */
  readonly #patience: Patience;
  /** The code of the last failure, which is logged once. */
  #failure: string | undefined;
  /** Peers are not asked before. */
  #restUntil = Number.NEGATIVE_INFINITY;

  constructor(environment: WalletEnvironment, scans: Scans) {
    this.#environment = environment;
    this.#scans = scans;
    this.#patience = new Patience(undefined, (ms, strike) => environment.clock.after(ms, strike));
  }

  /**
   * Whether there is more to do at once, and new blocks have waited long enough. A node that fails, or does not have the blocks, is
   * asked again with the next call. Never rejects.
   */
  async run(session: Session, isOver: () => boolean): Promise<boolean> {
    const { clock, configFile } = this.#environment;
    const { noteStore } = session;
    const verifier = verifyingSource(configFile);
    if (verifier === null || noteStore.unverified.length === 0) return false;
    if (verifier === 'work' && clock.now() < this.#restUntil) return false;
    const tip = verifier === 'node' ? await this.#nodeTip() : noteStore.lastScanHeight;
    const end = clock.now() + FOLLOW_POLL_MS;
    while (tip !== undefined && !isOver()) {
      const piece = verifier === 'node' ? newestPiece(noteStore, tip) : newestOfOurs(noteStore);
      if (piece === undefined) return false;
      if (!(await this.#check(session, piece))) {
        this.#restUntil = clock.now() + REST_MS;
        return false;
      }
      // A note that was hidden may have been spent in blocks above: they are missing now, and come first.
      if (clock.now() >= end || noteStore.missing().length > 0) return true;
    }
    return false;
  }

  async #nodeTip(): Promise<Height | undefined> {
    const ask = () => this.#environment.chain.tip({ source: 'node' });
    // What `status` says of the node is known by then.
    const tip = await this.#patience.within(ask).catch(() => undefined);
    return tip?.height;
  }

  /** Whether the blocks were given; not so where another turn came between. */
  async #check(session: Session, piece: HeightRange): Promise<boolean> {
    const { turns } = this.#scans;
    try {
      await turns.during('check', (turn) => this.#scans.check(turn, session, piece));
      this.#failure = undefined;
      return session.noteStore.isVerified(piece.end);
    } catch (error) {
      const code = error instanceof CompanionError ? error.code : 'INTERNAL';
      if (code !== this.#failure) this.#environment.logFault('wallet.second_look', error);
      this.#failure = code;
      return false;
    }
  }
}

function newestPiece({ unverified }: NoteStore, tip: Height): HeightRange | undefined {
  const stretch = unverified.findLast(({ start }) => start <= tip);
  return stretch && highest({ start: stretch.start, end: Math.min(stretch.end, tip) }, BLOCKS_AT_ONCE);
}

/** The newest blocks around what is ours, of the stretch that peers are asked for. */
function newestOfOurs({ unverified, notes }: NoteStore): HeightRange | undefined {
  let newest: HeightRange | undefined;
  const heights = new Set<Height>();
  for (const { height, spent } of notes) {
    heights.add(height);
    if (spent !== null) heights.add(spent.height);
  }
  for (const height of heights) {
    if (newest !== undefined && height <= newest.end) continue;
    const stretch = unverified.find((one) => isWithin(one, height));
    if (stretch === undefined) continue;
    const start = height - (height % STRETCH_BLOCKS);
    newest = {
      start: Math.max(stretch.start, start),
      end: Math.min(stretch.end, start + STRETCH_BLOCKS - 1),
    };
  }
  return newest;
}
