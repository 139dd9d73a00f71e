// Slows guessing down: three wrong passwords are free, since people mistype; then the next try has to wait, 1 s
// doubling to 5 s, until a right one. During the wait a try is refused at once (429), without a sleep, a key derivation
// or a count, so that no caller can block the thread or make the owner wait longer than that.
//
// Each class of caller waits for its own wrong tries: what one of them guesses keeps no other out.

import type { Clocks } from '@wallet-companion/base/async';
import { EXTENSION_ORIGIN } from '@wallet-companion/client/contract';
import { CompanionError } from './errors.ts';
import type { Caller } from './operations.ts';

/** How often a class of callers tried a wrong password since its last right one. */
export interface WrongTries {
  readonly by: string;
  readonly count: number;
  /** By `Clocks.elapsed`, which has one origin in all threads of a Node process. */
  readonly lastAt: number;
}

const FREE_TRIES = 3;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5_000;
/**
 * A right password may cost a key derivation each time (`wallet.backup`), up to a second on a slow machine: all within
 * two minutes.
 */
const MOST_IN_LINE = 100;

/**
 * The owner's command line, the dashboard, each grant, and all others together. Programs can claim an origin: then they wait,
 * and let wait, where they claim to be. Extensions that are not let in are no classes: names are free.
 */
export function classOf({ byOwner, grant, origin }: Caller): string {
  if (byOwner === true) return 'owner';
  if (grant !== undefined) return grant.id;
  return origin === undefined || EXTENSION_ORIGIN.test(origin) ? 'others' : 'page';
}

export class PasswordGuards {
  readonly #clock: Clocks;
  readonly #guards: Map<string, PasswordGuard>;

  /** `before`: as counted by the guards that these replace. */
  constructor(clock: Clocks, before: readonly WrongTries[] = []) {
    this.#clock = clock;
    this.#guards = new Map(before.map((tries) => [tries.by, new PasswordGuard(clock, tries)]));
  }

  get wrongTries(): readonly WrongTries[] {
    return [...this.#guards].flatMap(([by, { count, lastAt }]) =>
      count === 0 ? [] : [{ by, count, lastAt }],
    );
  }

  of(callers: string): PasswordGuard {
    const known = this.#guards.get(callers);
    if (known !== undefined) return known;
    const guard = new PasswordGuard(this.#clock);
    this.#guards.set(callers, guard);
    return guard;
  }
}

export class PasswordGuard {
  readonly #clock: Clocks;
  #wrongTries: number;
  /** By the clock that nobody sets: a time of day that is set forward would end the wait. */
  #lastWrongAt: number;
  #inLine = 0;

  /** `before`: the tries counted by the guard that this one replaces. */
  constructor(clock: Clocks, before: Omit<WrongTries, 'by'> = { count: 0, lastAt: 0 }) {
    this.#clock = clock;
    this.#wrongTries = before.count;
    this.#lastWrongAt = before.lastAt;
  }

  get count(): number {
    return this.#wrongTries;
  }

  get lastAt(): number {
    return this.#lastWrongAt;
  }

  /** For a call that will make an attempt later: refused now where the attempt would be. Throws `TOO_MANY_ATTEMPTS`. */
  async inLine<T>(turn: () => Promise<T>): Promise<T> {
    this.#refuseWhileWaiting();
    if (this.#inLine >= MOST_IN_LINE) {
      throw new CompanionError('TOO_MANY_ATTEMPTS', 'Too many passwords at once; wait for their answers.', {
        retryAfterSeconds: FIRST_WAIT_MS / 1000,
      });
    }
    this.#inLine += 1;
    try {
      return await turn();
    } finally {
      this.#inLine -= 1;
    }
  }

  /** Runs one attempt. Throws `TOO_MANY_ATTEMPTS` during a wait; `WRONG_PASSWORD` from `attempt` may start one. */
  async attempt<T>(attempt: () => T | Promise<T>): Promise<T> {
    this.#refuseWhileWaiting();
    try {
      const value = await attempt();
      this.#wrongTries = 0;
      return value;
    } catch (error) {
      if (error instanceof CompanionError && error.code === 'WRONG_PASSWORD') {
        this.#wrongTries += 1;
        this.#lastWrongAt = this.#clock.elapsed();
      }
      throw error;
    }
  }

  #refuseWhileWaiting(): void {
    if (this.#wrongTries < FREE_TRIES) return;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#wrongTries - FREE_TRIES));
    const leftMs = this.#lastWrongAt + waitMs - this.#clock.elapsed();
    if (leftMs <= 0) return;
    const retryAfterSeconds = Math.ceil(leftMs / 1000);
    throw new CompanionError(
      'TOO_MANY_ATTEMPTS',
      `Wait ${retryAfterSeconds} s before the next password attempt.`,
      { retryAfterSeconds },
    );
  }
}
