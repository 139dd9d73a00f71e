import type { After } from '../../src/async/after.ts';

/** Waits that last until the test ends them. */
export class Waits {
  readonly #open = new Set<{ readonly strike: () => void }>();
  #areOver = false;

  readonly after: After = (_ms, strike) => {
    const wait = { strike };
    this.#open.add(wait);
    if (this.#areOver) setImmediate(() => this.#end(wait));
    return () => this.#open.delete(wait);
  };

  /** How many are under way. */
  get open(): number {
    return this.#open.size;
  }

  /** Ends those under way, and those that begin later at once. */
  end(): void {
    this.#areOver = true;
    for (const wait of [...this.#open]) this.#end(wait);
  }

  /** What begins from now on lasts again. */
  begin(): void {
    this.#areOver = false;
  }

  #end(wait: { readonly strike: () => void }): void {
    if (this.#open.delete(wait)) wait.strike();
  }
}
