// What the collector would take, seen at once and without waiting for memory to run short.

import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** A weak reference keeps its object until the turn ends, and a collected one may hold others. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await turn();
    gc();
  }
}

/** Objects that ought to be garbage. */
export class Reachable {
  readonly #watched: WeakRef<object>[] = [];

  watch<T extends object>(object: T): T {
    this.#watched.push(new WeakRef(object));
    return object;
  }

  /** How many of them somebody still holds. */
  async count(): Promise<number> {
    await collectGarbage();
    return this.#watched.filter((weak) => weak.deref() !== undefined).length;
  }

  get watched(): number {
    return this.#watched.length;
  }
}
