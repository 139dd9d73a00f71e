// Calls that run after a server has given a number of further answers: a wallet then sees the chain change, or the
// server fail, in the middle of an operation.
import type { Playground } from './playground.ts';

export interface LaterCall {
  readonly server: 'node' | 'compact';
  /** How many answers the server gives before the call; each block of a streamed range counts as one. */
  readonly answers: number;
  readonly call: string;
}

interface Entry extends LaterCall {
  left: number;
  readonly run: () => void;
  state: 'waiting' | 'done' | 'failed';
  error: string | null;
}

const KEPT = 100;

export class Later {
  #entries: Entry[] = [];

  constructor({ node, compact }: Pick<Playground, 'node' | 'compact'>) {
    node.watch(() => this.#answering('node'));
    compact.watch(() => this.#answering('compact'));
  }

  add(call: LaterCall, run: () => void): void {
    if (this.#entries.length >= KEPT)
      this.#entries = this.#entries.filter(({ state }) => state === 'waiting');
    if (this.#entries.length >= KEPT) throw new RangeError(`at most ${KEPT} calls can wait`);
    this.#entries.push({ ...call, left: call.answers, run, state: 'waiting', error: null });
  }

  /** Clears the calls that wait for one server, or for both. */
  clear(server?: LaterCall['server']): void {
    this.#entries = server === undefined ? [] : this.#entries.filter((entry) => entry.server !== server);
  }

  get shown() {
    return this.#entries.map(({ server, left, call, state, error }) => ({
      server,
      answers_left: left,
      call,
      state,
      error,
    }));
  }

  #answering(server: LaterCall['server']): void {
    for (const entry of this.#entries.filter((one) => one.server === server && one.state === 'waiting')) {
      if (entry.left > 0) {
        entry.left -= 1;
        continue;
      }
      entry.state = 'done';
      try {
        entry.run();
      } catch (thrown) {
        entry.state = 'failed';
        entry.error = thrown instanceof Error ? thrown.message : String(thrown);
      }
    }
  }
}
