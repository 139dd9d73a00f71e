// Trial decryption by a build that is fast but less trusted, under watch: canaries go with its batches, and where one is
// missed another build decrypts these outputs again, and all that follow in any thread.

import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { POOL } from '@wallet-companion/zcash/pools';
import type { DecryptedOutput, OutputColumns, RecoveredOutput } from '@wallet-companion/zcash/scan';
import { BuildDecryptor, type KernelDecryptor } from './buildDecryptor.ts';
import { CanaryTables } from './canaries/canaryTable.ts';
import { LEAST_WATCHED_ROWS, MissedCanary } from './canaries/plantedCanaries.ts';
import { PROTOCOLS } from './curves.ts';
import type { KernelModule, KernelVariant, KernelWatch } from './load/kernelModule.ts';
import { missedNote } from './noteSelfTest.ts';

/** After so many searches known notes are sought, too: canaries do not come as far as the verification of a note. */
const SEARCHES_PER_NOTE_TEST = 256;

export class WatchedDecryptor implements KernelDecryptor {
  readonly #builds: readonly KernelModule[];
  readonly #refused: Int32Array;
  readonly #opened: (BuildDecryptor | undefined)[] = [];
  readonly #canaries: CanaryTables;
  #searches = 0;

  constructor(module: KernelModule, { others, refused }: KernelWatch, random: () => number = Math.random) {
    this.#builds = [module, ...others];
    this.#refused = refused;
    this.#canaries = new CanaryTables(() => this.#open(this.#last), random);
  }

  get variant(): KernelVariant {
    return this.#builds[this.#next(0)]!.variant;
  }

  decrypt(columns: OutputColumns, keys: readonly IncomingKey[]): DecryptedOutput[] {
    return this.decryptAll([columns], keys)[0]!;
  }

  decryptAll(all: readonly OutputColumns[], keys: readonly IncomingKey[]): DecryptedOutput[][] {
    const found = new Map<OutputColumns, DecryptedOutput[]>();
    // Each protocol has as many outputs as decide about the build.
    for (const protocol of PROTOCOLS) {
      const columns = all.filter(({ pool }) => POOL[pool].protocol === protocol);
      const count = columns.reduce((sum, one) => sum + one.count, 0);
      const lists =
        count === 0 ? columns.map(() => []) : this.#search(count, (build) => build.decryptAll(columns, keys));
      for (const [i, list] of lists.entries()) found.set(columns[i]!, list);
    }
    return all.map((columns) => found.get(columns)!);
  }

  encryptionKeys(columns: OutputColumns, key: IncomingKey): Uint8Array[][] {
    return this.#search(columns.count, (build) => build.encryptionKeys(columns, key));
  }

  /** These use what is the same in all builds, and no canary is in it. */
  open(encryptionKey: Uint8Array, ciphertext: Uint8Array): Uint8Array | undefined {
    return this.#open(this.#last).open(encryptionKey, ciphertext);
  }

  recover(...sent: Parameters<KernelDecryptor['recover']>): RecoveredOutput | undefined {
    return this.#open(this.#last).recover(...sent);
  }

  get #last(): number {
    return this.#builds.length - 1;
  }

  #search<T>(count: number, search: (build: BuildDecryptor) => T): T {
    for (let index = this.#next(count < LEAST_WATCHED_ROWS ? 1 : 0); ; index = this.#next(index + 1)) {
      try {
        const build = this.#open(index);
        const found = search(build);
        if (index < this.#last) this.#testNotes(build);
        return found;
      } catch (error) {
        // Whatever it fails with: the last build shows whether it is the input's fault.
        if (index === this.#last) throw error;
        // With those before it, which the engine compiles in the same way or a more daring one.
        Atomics.or(this.#refused, 0, (2 << index) - 1);
        Atomics.notify(this.#refused, 0);
      }
    }
  }

  /** The first build from this one on that is not refused: a bit is set only with those below it. */
  #next(index: number): number {
    return Math.max(index, 32 - Math.clz32(Atomics.load(this.#refused, 0)));
  }

  #open(index: number): BuildDecryptor {
    const canaries = index === this.#last ? undefined : this.#canaries.plant.bind(this.#canaries);
    this.#opened[index] ??= new BuildDecryptor(this.#builds[index]!, canaries);
    return this.#opened[index];
  }

  #testNotes(build: BuildDecryptor): void {
    this.#searches = (this.#searches + 1) % SEARCHES_PER_NOTE_TEST;
    if (this.#searches !== 0) return;
    const missed = missedNote(build);
    if (missed !== undefined) throw new MissedCanary(`it misses a known ${missed} note`);
  }
}
