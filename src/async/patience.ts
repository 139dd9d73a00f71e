// How long a server is waited for by somebody who has something else to go on with. The question stays open meanwhile,
// so that a slow server (a first answer over Tor takes some seconds) is merely late and not taken for a dead one:
// connected and checked, it answers the next question at once. While it owes an answer, nobody waits for it again.

import { type After, systemAfter } from './after.ts';

/** Servers answer within some hundred milliseconds once connected; longer is felt as a hang. */
export const PATIENCE_MS = 3_000;

export class Patience {
  readonly #ms: number;
  readonly #after: After;
  #owed = false;

  constructor(ms: number = PATIENCE_MS, after: After = systemAfter) {
    this.#ms = ms;
    this.#after = after;
  }

  /** The answer or its failure, or undefined when it takes too long. */
  async within<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.#owed) return undefined;
    this.#owed = true;
    const answer = ask().finally(() => {
      this.#owed = false;
    });
    // It may fail when nobody waits any more: that must not count as unhandled.
    answer.catch(() => undefined);
    let callOff = (): void => undefined;
    const late = new Promise<undefined>((resolve) => {
      callOff = this.#after(this.#ms, () => resolve(undefined));
    });
    return Promise.race([answer, late]).finally(callOff);
  }
}
