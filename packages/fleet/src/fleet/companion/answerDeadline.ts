// How long to wait while no worker answers at all. Only Redis knows whether workers exist, and a connection may have a
// worker's name and do nothing; an answer that opens with the fleet's key is from a worker.

import type { After } from '@wallet-companion/base/async';
import { JobLost } from '../ports/jobQueue.ts';

/**
 * A job is a second of a core. A job lost with its worker passes to the next after twice the 30 s of its lock, and is
 * then read again from a node that may be slow.
 */
const DEADLINE_MS = 120_000;

export class AnswerDeadline {
  readonly #after: After;
  readonly #restarts = new Set<() => void>();

  constructor(after: After) {
    this.#after = after;
  }

  /** An answer to any job has arrived. */
  answered(): void {
    for (const restart of this.#restarts) restart();
  }

  /** Rejects with `JobLost` when no answer arrived for so long. */
  async within<T>(answer: Promise<T>): Promise<T> {
    let callOff = (): void => undefined;
    let restart = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      restart = () => {
        callOff();
        callOff = this.#after(DEADLINE_MS, () => reject(new JobLost('no results')));
      };
    });
    restart();
    this.#restarts.add(restart);
    try {
      return await Promise.race([answer, late]);
    } finally {
      this.#restarts.delete(restart);
      callOff();
    }
  }
}
