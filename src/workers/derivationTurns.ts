// One derivation of a password's key at a time, for all wallets: each takes 64 MiB, and there may be as many wallet
// threads as wallets are in use. Threads ask the main thread for their turn.

import type { Worker } from 'node:worker_threads';
import { SerialQueue } from '@wallet-companion/shielded/async';
import type { FromWalletThread, ToWalletThread } from './threadMessages.ts';

/** The main thread's side. */
export class DerivationTurns {
  /** The first one has its turn. */
  readonly #line: Worker[] = [];

  /** Call it for each started thread. */
  listen(worker: Worker): void {
    worker.on('message', (message: FromWalletThread) => {
      if (message.kind !== 'derivation') return;
      if (message.step === 'wanted') this.#enter(worker);
      else this.#leave(worker);
    });
    worker.once('exit', () => this.#leave(worker));
  }

  #enter(worker: Worker): void {
    this.#line.push(worker);
    if (this.#line.length === 1) grant(worker);
  }

  #leave(worker: Worker): void {
    const place = this.#line.indexOf(worker);
    if (place === -1) return;
    this.#line.splice(place, 1);
    const next = this.#line[0];
    if (place === 0 && next !== undefined) grant(next);
  }
}

const grant = (worker: Worker): void => worker.postMessage({ kind: 'derive' } satisfies ToWalletThread);

/** A wallet thread's side. */
export class DerivationQueue {
  readonly #tell: (message: FromWalletThread) => void;
  readonly #own = new SerialQueue();
  #granted: () => void = () => undefined;

  constructor(tell: (message: FromWalletThread) => void) {
    this.#tell = tell;
  }

  /** This thread has its turn. */
  grant(): void {
    this.#granted();
  }

  run<T>(derivation: () => Promise<T>): Promise<T> {
    return this.#own.run(async () => {
      const turn = new Promise<void>((resolve) => {
        this.#granted = resolve;
      });
      this.#tell({ kind: 'derivation', step: 'wanted' });
      await turn;
      try {
        return await derivation();
      } finally {
        this.#tell({ kind: 'derivation', step: 'done' });
      }
    });
  }
}
