// One derivation of a password's key at a time, for all wallets: each takes 64 MiB, and there may be as many wallet
// threads as wallets are in use. Threads ask the main thread for their turn.

import { SerialQueue } from '@wallet-companion/base/async';
import { unwrap } from '../protocol/result.ts';
import type { MainChannel } from './threadMethods.ts';

/** The main thread's side. */
export class DerivationTurns {
  readonly #turns = new SerialQueue();

  /** For one thread, which asks for one turn at a time and gives it up with its end. */
  join(ended: Promise<void>): { take(): Promise<void>; done(): void } {
    let done: () => void = () => undefined;
    let isOver = false;
    void ended.then(() => {
      isOver = true;
      done();
    });
    return {
      take: () =>
        new Promise((granted) => {
          void this.#turns.run(async () => {
            if (isOver) return;
            granted();
            await new Promise<void>((resolve) => {
              done = resolve;
            });
          });
        }),
      done: () => done(),
    };
  }
}

/** A wallet thread's side. */
export class DerivationQueue {
  readonly #main: MainChannel;
  readonly #own = new SerialQueue();

  constructor(main: MainChannel) {
    this.#main = main;
  }

  run<T>(derivation: () => Promise<T>): Promise<T> {
    return this.#own.run(async () => {
      unwrap(await this.#main.call('derivationTurn', undefined));
      try {
        return await derivation();
      } finally {
        this.#main.emit('derivationDone');
      }
    });
  }
}
