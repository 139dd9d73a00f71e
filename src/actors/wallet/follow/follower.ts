// When follow mode looks for new blocks: at once after an unlock, then every few seconds, or when a compact server
// announces one; less and less often while that fails, and at once when the machine has slept. Pauses are random, so
// that the wallets of a server do not ask all at the same time.

import { atDeadline, Deadline, SLICE_MS, type Timers } from '@wallet-companion/base/async';
import type { BlockNews } from '@wallet-companion/chain/ports';

/** Blocks come every 25 s on average from NU7 on, before it every 75 s; a look at the tip is one small request. */
export const FOLLOW_POLL_MS = 10_000;
/** The poll where the server announces new blocks: it may miss one, or the connection may be dead without a sign. */
export const FOLLOW_TOLD_POLL_MS = 60_000;
/** The longest pause: a node that is down is asked less and less often, up to this. */
export const FOLLOW_SLOWEST_MS = 5 * 60_000;
/** The pause between the announcement of a block and the look: a server sends it to all its clients at once. */
export const FOLLOW_SETTLE_MS = 2_000;
/** A server that announces no blocks may be replaced by one that does. */
export const FOLLOW_NOT_OFFERED_MS = 3_600_000;
/** A slice that ends so much later by the wall clock was one in which the machine slept. */
const SLEPT_MS = 15_000;
/** The part by which a pause may be shorter. */
const JITTER = 1 / 4;

/**
 * `more`: there are more blocks to scan now. `caught up`: there were some. `more to check`: nothing is left but scanned blocks to read
 * once more. `busy`: another scan runs.
 */
export type FollowOutcome = 'more' | 'caught up' | 'nothing new' | 'more to check' | 'busy' | 'failed';

export interface FollowContext {
  readonly clock: Timers;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Scans new blocks, at most as many as one request does, and never rejects. */
  readonly look: () => Promise<FollowOutcome>;
  /** Undefined where the server does not announce new blocks. */
  readonly newBlock: () => Promise<BlockNews> | undefined;
  readonly endWait: () => void;
  readonly stateChanged: () => void;
  /** Called every so often during the wait for the server. */
  readonly meanwhile: () => void;
}

/** A pause and the look after it. */
interface Round {
  cancel: () => void;
  /** The server has announced a block. */
  isReported: boolean;
  /** The wait for the server is on. */
  isListening: boolean;
}

export class Follower {
  readonly #context: FollowContext;
  /** Undefined while follow mode is off. */
  #round: Round | undefined;
  #state: 'scanning' | 'caught_up' | 'backing_off' = 'scanning';
  #failureMs = FOLLOW_POLL_MS;
  #nextLookAt: number | null = null;
  #notOfferedUntil = 0;

  constructor(context: FollowContext) {
    this.#context = context;
  }

  get isRunning(): boolean {
    return this.#round !== undefined;
  }

  get state(): 'scanning' | 'caught_up' | 'backing_off' {
    return this.#state;
  }

  /** Null during a look. */
  get nextLookAt(): number | null {
    return this.#nextLookAt;
  }

  start(): void {
    this.stop();
    this.#state = 'scanning';
    this.#failureMs = FOLLOW_POLL_MS;
    this.#notOfferedUntil = 0;
    this.#begin(0);
  }

  stop(): void {
    const round = this.#round;
    this.#round = undefined;
    this.#nextLookAt = null;
    if (round !== undefined) this.#endPause(round);
  }

  /** Something has changed: the next look comes at once. */
  wake(): void {
    if (this.isRunning) this.start();
  }

  #begin(ms: number): Round {
    const round: Round = { cancel: () => undefined, isReported: false, isListening: false };
    this.#round = round;
    this.#pause(round, ms);
    return round;
  }

  #endPause(round: Round): void {
    round.cancel();
    if (round.isListening) this.#context.endWait();
    round.isListening = false;
  }

  /** A new pause for the running round, from now on. */
  #pause(round: Round, ms: number): void {
    const { clock } = this.#context;
    round.cancel();
    const deadline = new Deadline(clock, ms);
    let lastAt = clock.now();
    /** Notes that a slice is over; whether the machine slept in it. */
    const endSlice = (): boolean => {
      const before = lastAt;
      lastAt = clock.now();
      this.#nextLookAt = lastAt + deadline.leftMs;
      return lastAt - before > SLICE_MS + SLEPT_MS;
    };
    this.#nextLookAt = deadline.at;
    const look = (): void => (endSlice() ? this.wake() : void this.#look(round));
    round.cancel = atDeadline(clock, deadline, look, () => {
      if (endSlice()) this.wake();
      else if (round.isListening) this.#context.meanwhile();
    });
  }

  async #look(round: Round): Promise<void> {
    this.#nextLookAt = null;
    this.#endPause(round);
    const outcome = await this.#context.look();
    // Stopped, or started again, during the scan.
    if (this.#round !== round) return;
    if (outcome !== 'busy') this.#state = STATES[outcome];
    if (outcome !== 'failed') this.#failureMs = FOLLOW_POLL_MS;
    if (outcome === 'more' || outcome === 'more to check') this.#begin(0);
    else if (outcome === 'failed') this.#begin(this.#drawn(this.#nextFailureMs()));
    else if (outcome === 'busy') this.#begin(this.#drawn(FOLLOW_POLL_MS));
    else this.#listen(round.isReported && outcome === 'nothing new');
    this.#context.stateChanged();
  }

  #nextFailureMs(): number {
    this.#failureMs = Math.min(this.#failureMs * 2, FOLLOW_SLOWEST_MS);
    return this.#failureMs;
  }

  /** Waits for the server's announcement, if there are any, and no longer than the poll. */
  #listen(wasFalse: boolean): void {
    const { clock, newBlock } = this.#context;
    const news = clock.now() < this.#notOfferedUntil ? undefined : newBlock();
    const round = this.#begin(this.#drawn(news === undefined ? FOLLOW_POLL_MS : FOLLOW_TOLD_POLL_MS));
    round.isListening = news !== undefined;
    // The next look reports what is wrong with the server.
    void news?.catch(() => 'over' as const).then((heard) => this.#heard(round, heard, wasFalse));
  }

  /** A server that announced a block that was not there is asked no more often than one without announcements. */
  #heard(round: Round, news: BlockNews, wasFalse: boolean): void {
    const { clock } = this.#context;
    if (this.#round !== round || this.#nextLookAt === null) return;
    round.isListening = false;
    round.isReported = news === 'new block';
    if (news === 'not offered') this.#notOfferedUntil = clock.now() + FOLLOW_NOT_OFFERED_MS;
    const ms = this.#drawn(round.isReported && !wasFalse ? FOLLOW_SETTLE_MS : FOLLOW_POLL_MS);
    this.#pause(round, Math.max(0, Math.min(ms, this.#nextLookAt - clock.now())));
  }

  #drawn(ms: number): number {
    return Math.round(ms * (1 - JITTER * this.#context.random()));
  }
}

const STATES = {
  more: 'scanning',
  'caught up': 'caught_up',
  'nothing new': 'caught_up',
  'more to check': 'caught_up',
  failed: 'backing_off',
} as const satisfies Record<Exclude<FollowOutcome, 'busy'>, Follower['state']>;
