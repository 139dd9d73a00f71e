// Finds the entry point of the program that runs fastest in the present stack layout (assembly/laneProgram.ts explains
// the difference). The layout depends on the frames of the calling functions, which the JIT changes now and then, so
// the other entry points are tried again from time to time.

const ENTRIES = 3;
/** Runs over fewer blocks are too short to be timed. */
const LEAST_BLOCKS = 512;
/** One run in 24 tries another entry. */
const TRIAL_INTERVAL = 24;
/** Weight of the newest measurement. */
const NEWEST = 0.5;

export class FastestEntry {
  /** Milliseconds per block; 0: not tried yet. */
  readonly #costs: number[] = new Array<number>(ENTRIES).fill(0);
  #best = 0;
  #runs = 0;

  /** The entry point for a run over this many blocks. */
  next(blocks: number): number {
    if (blocks < LEAST_BLOCKS) return this.#best;
    this.#runs++;
    if (this.#runs <= ENTRIES) return this.#runs - 1;
    if (this.#runs % TRIAL_INTERVAL !== 0) return this.#best;
    return (this.#best + 1 + ((this.#runs / TRIAL_INTERVAL) % (ENTRIES - 1))) % ENTRIES;
  }

  record(entry: number, blocks: number, milliseconds: number): void {
    if (blocks < LEAST_BLOCKS) return;
    const cost = milliseconds / blocks;
    const before = this.#costs[entry]!;
    this.#costs[entry] = before === 0 ? cost : before + NEWEST * (cost - before);
    this.#best = this.#costs.indexOf(Math.min(...this.#costs.filter((known) => known > 0)));
  }
}
