// Whether this thread has held secrets that are no longer needed. Strings cannot be wiped, and libraries keep copies: only
// the end of a thread clears its heap, so this class requests it after a session, and after each call that carried a
// secret without a session.

import type { CompanionEvent } from '../protocol/events.ts';
import { SECRET_FIELDS } from '../protocol/secretFields.ts';

function carriesSecret(message: unknown): boolean {
  const { input } = (message ?? {}) as { readonly input?: unknown };
  if (typeof input !== 'object' || input === null) return false;
  return SECRET_FIELDS.some((field) => Object.hasOwn(input, field));
}

export class SecretsHandled {
  readonly #spent: () => void;
  #calls = 0;
  /** Those of them that carried a secret: an unlock may take seconds. */
  #secretCalls = 0;
  #isOpen = false;
  #hadSecrets = false;
  #isReported = false;

  /** `spent`: called when the thread may end, once for each use. */
  constructor(spent: () => void) {
    this.#spent = spent;
  }

  sawEvent({ event }: CompanionEvent): void {
    if (event === 'wallet.unlocked') {
      this.#isOpen = true;
      this.#hadSecrets = true;
      this.#isReported = false;
    } else if (event === 'wallet.locked') {
      this.#isOpen = false;
      this.#report();
    }
  }

  async during<T>(message: unknown, call: () => Promise<T>): Promise<T> {
    const secrets = carriesSecret(message) ? 1 : 0;
    this.#hadSecrets ||= secrets > 0;
    this.#calls += 1;
    this.#secretCalls += secrets;
    try {
      return await call();
    } finally {
      this.#calls -= 1;
      this.#secretCalls -= secrets;
      this.#report();
    }
  }

  /** Whether it is still unused. If the thread lives on all the same, `spent` is called again. */
  mayRetire(): boolean {
    this.#isReported = false;
    return !this.#isOpen && this.#calls === 0;
  }

  #report(): void {
    if (!this.#hadSecrets || this.#isOpen || this.#isReported || this.#secretCalls > 0) return;
    this.#isReported = true;
    this.#spent();
  }
}
