// What rests on a compact server's word alone is read once more from the node, the newest blocks first, when follow mode has nothing
// else to scan. Each piece has a turn of its own, so that others never wait for long.

import { Patience } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '../../../protocol/errors.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import { verifyingSource } from '../source/blockSource.ts';
import { highest } from '../sync/newestFirst.ts';
import type { Scans } from '../sync/scans.ts';
import { FOLLOW_POLL_MS } from './follower.ts';

const BLOCKS_AT_ONCE = 200;

export class SecondLook {
  readonly #environment: WalletEnvironment;
  readonly #scans: Scans;
  /** New blocks do not wait for a node that does not answer. */
  readonly #patience: Patience;
  /** The code of the last failure, which is logged once. */
  #failure: string | undefined;

  constructor(environment: WalletEnvironment, scans: Scans) {
    this.#environment = environment;
    this.#scans = scans;
    this.#patience = new Patience(undefined, (ms, strike) => environment.clock.after(ms, strike));
  }

  /**
   * Whether there is more to do at once: the node has more to give, and new blocks have waited long enough. A node that fails, or does
   * not have the blocks, is asked again with the next call. Never rejects.
   */
  async run(session: Session, isOver: () => boolean): Promise<boolean> {
    const { clock, configFile } = this.#environment;
    const { noteStore } = session;
    if (verifyingSource(configFile) === null || noteStore.unverified.length === 0) return false;
    const tip = await this.#nodeTip();
    const end = clock.now() + FOLLOW_POLL_MS;
    while (tip !== undefined && !isOver()) {
      const piece = newestPiece(noteStore, tip);
      if (piece === undefined || !(await this.#check(session, piece))) return false;
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

  /** Whether the node has given the blocks; not so where another turn came between. */
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
