// When blocks were mined, and the last block at a given time. The wallet keeps the newest blocks and one in a thousand;
// it asks the block source about the others, one block at a time and a dozen at most.

import type { BlockTime, ChainTip } from '@wallet-companion/chain/ports';
import { lowestNotHolding } from '@wallet-companion/shielded/async';
import type { Height } from '@wallet-companion/shielded/values';
import { CompanionError } from '../../../protocol/errors.ts';
import type { NoteStore } from '../notes/noteStore.ts';
import { blockSource, type SourceEnvironment } from '../source/blockSource.ts';
import { badAnswer } from '../witnesses/witnessFailures.ts';

export class BlockTimes {
  readonly #noteStore: NoteStore;
  readonly #environment: SourceEnvironment;
  /** Below it there are no shielded notes. */
  readonly #firstHeight: Height;

  constructor(noteStore: NoteStore, environment: SourceEnvironment, firstHeight: Height) {
    this.#noteStore = noteStore;
    this.#environment = environment;
    this.#firstHeight = firstHeight;
  }

  /** Null where neither the wallet nor the source knows the block. */
  async at(height: Height): Promise<BlockTime | null> {
    try {
      return await this.#ask(height);
    } catch (error) {
      if (error instanceof CompanionError) return null;
      throw error;
    }
  }

  /**
   * The last block whose time is not after `seconds`; times increase from block to block, with a little disorder.
   * `isCertain` is false where it is unknown whether there are later ones. Errors: those of the chain side;
   * `INVALID_REQUEST` for a time before all blocks.
   */
  async lastBy(seconds: number): Promise<{ readonly height: Height; readonly isCertain: boolean }> {
    const heights = this.#noteStore.blockHeights;
    const isBy = (height: Height): boolean => (this.#noteStore.block(height)?.time ?? 0) <= seconds;
    const low = heights.findLast(isBy);
    const high = heights.find((height) => height > (low ?? -1));
    if (high !== undefined) return { height: await this.#between(low, high, seconds), isCertain: true };
    try {
      const { height: tip } = await this.#tip();
      if (low !== undefined && tip <= low) return { height: low, isCertain: true };
      if ((await this.#time(tip)) <= seconds) return { height: tip, isCertain: true };
      return { height: await this.#between(low, tip, seconds), isCertain: true };
    } catch (error) {
      if (low === undefined || !(error instanceof CompanionError)) throw error;
      return { height: low, isCertain: false };
    }
  }

  /** `high` is after the time; `low`, where there is one, is not. */
  async #between(low: Height | undefined, high: Height, seconds: number): Promise<Height> {
    const by = low ?? this.#firstHeight;
    if (low === undefined && (high <= by || (await this.#time(by)) > seconds)) throw tooEarly();
    const after = await lowestNotHolding(
      by + 1,
      high,
      async (height) => (await this.#time(height)) <= seconds,
    );
    return after - 1;
  }

  async #time(height: Height): Promise<number> {
    const block = await this.#ask(height);
    if (block !== null) return block.time;
    throw badAnswer(
      await blockSource(this.#environment),
      `The block at height ${height} is not to be had, so the date cannot be looked up. Give a height instead.`,
    );
  }

  async #ask(height: Height): Promise<BlockTime | null> {
    const known = this.#noteStore.block(height);
    if (known !== undefined) return known;
    const { chain } = this.#environment;
    return chain.blockTime({ source: await blockSource(this.#environment), height });
  }

  /** A store that answers in the server's place does not know what came since. */
  async #tip(): Promise<ChainTip> {
    const { chain } = this.#environment;
    const tip = await chain.tip({ source: await blockSource(this.#environment) });
    if (tip.offline !== undefined) throw CompanionError.fromRecord(tip.offline.reason);
    return tip;
  }
}

const tooEarly = (): CompanionError =>
  new CompanionError('INVALID_REQUEST', 'At that date there were no shielded funds yet.', {
    errors: [{ path: 'date', message: 'is before the first block that can hold shielded funds' }],
  });
