// Slows guessing down: after a wrong password the next try has to wait, 1 s doubling to 5 s. The wait is refused at
// once (429) rather than slept through, so that nobody can tie up the thread.

import { CompanionError } from '../../protocol/errors.ts';
import type { Clock } from './environment.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5_000;

export class PasswordGuard {
  readonly #clock: Clock;
  #waitMs = 0;
  #allowedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs one attempt. Throws `TOO_MANY_ATTEMPTS` while a wait is on; a `WRONG_PASSWORD` from `attempt` starts one. */
  async attempt<T>(attempt: () => T | Promise<T>): Promise<T> {
    const left = this.#allowedAt - this.#clock.now();
    if (left > 0) {
      const retryAfterSeconds = Math.ceil(left / 1000);
      throw new CompanionError(
        'TOO_MANY_ATTEMPTS',
        `Wait ${retryAfterSeconds} s before the next password attempt.`,
        {
          retryAfterSeconds,
        },
      );
    }
    try {
      const value = await attempt();
      this.#waitMs = 0;
      return value;
    } catch (error) {
      if (error instanceof CompanionError && error.code === 'WRONG_PASSWORD') {
        this.#waitMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, this.#waitMs * 2));
        this.#allowedAt = this.#clock.now() + this.#waitMs;
      }
      throw error;
    }
  }
}
