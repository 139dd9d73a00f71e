// Somebody who keeps books from events alone: what comes in, what goes out, and what a reorganisation takes back.

import type { CompanionEvent } from '../../../../src/protocol/events.ts';
import { nameOf } from './branch.ts';

interface Entry {
  readonly account: number;
  readonly height: number;
  readonly value: number;
}

export class Shop {
  #read = 0;
  readonly #in = new Map<string, Entry>();
  readonly #out = new Map<string, Entry>();
  readonly #forks: number[] = [];

  read(events: readonly CompanionEvent[]): void {
    for (const { event, data } of events.slice(this.#read)) {
      if (event === 'reorg') this.forgetAbove(data.fork_height);
      else if (event === 'note.received') {
        const name = nameOf(data);
        if (this.#in.get(name)?.height === data.height) throw new Error(`note.received twice: ${name}`);
        this.#in.set(name, { ...data, value: amount(data) });
      } else if (event === 'note.spent')
        this.#out.set(nameOf({ ...data, txid: data.note_txid }), { ...data, value: amount(data) });
    }
    this.#read = events.length;
  }

  /** A companion that was started again tells its events from the first. */
  restarted(): void {
    this.#read = 0;
  }

  /** Also when the owner has blocks scanned again: no event says so. */
  forgetAbove(height: number): void {
    this.#forks.push(height);
    for (const entries of [this.#in, this.#out])
      for (const [name, entry] of entries) if (entry.height > height) entries.delete(name);
  }

  /** How often what stands at this height was taken back: what is found there again is another entry. */
  takenBack(height: number): number {
    return this.#forks.filter((fork) => fork < height).length;
  }

  balance(account: number): number {
    const sum = (entries: Iterable<Entry>) =>
      [...entries].reduce((total, entry) => total + (entry.account === account ? entry.value : 0), 0);
    return sum(this.#in.values()) - sum(this.#out.values());
  }
}

function amount({ value_zatoshi: value }: { readonly value_zatoshi?: number }): number {
  if (value === undefined) throw new Error('an event without its amount');
  return value;
}
