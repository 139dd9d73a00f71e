// When blocks were mined, and which of them belong to a period. The wallet keeps the times of the newest blocks, of one in
// a thousand and of its own transactions; it reads others from the block source: a dozen, and those within 90 minutes of a border.

import { integers, mapInOrder } from '@wallet-companion/base/async';
import { type Height, MAX_FUTURE_SECONDS } from '@wallet-companion/base/values';
import type { BlockTime, ChainTip } from '@wallet-companion/chain/ports';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import { KEPT_BLOCKS } from '../noteStore/book/knownBlocks.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import { blockSource, type SourceEnvironment } from '../source/blockSource.ts';
import type { WalletContext } from '../wallet/walletContext.ts';
import { badAnswer } from '../witnesses/witnessFailures.ts';
import { type Bracket, bracketOf, firstBetween, type TimedBlock } from './firstBlock.ts';
import type { Period } from './instant.ts';

/** Blocks that the source is asked for at once. */
const WINDOW = 8;

/** `amounts`: the source is asked only where its answer decides on which side of a border a transaction of the wallet lies. */
export type Precision = 'heights' | 'amounts';

/** The blocks of a period, both included. */
export interface Span {
  readonly start: Height;
  readonly end: Height;
}

export interface Edge {
  readonly height: Height;
  /** False where unscanned blocks may belong to the period too, and the source could not be asked. */
  readonly isCertain: boolean;
}

/** First blocks of periods, so far below the top that they stay: pages of a history need them again and again. */
const settled = new WeakMap<NoteStore, Map<number, Height>>();

export class BlockTimes {
  readonly #noteStore: NoteStore;
  readonly #environment: SourceEnvironment;
  /** Below it there are no shielded notes. */
  readonly #floor: Height;
  readonly #now: number;
  #timed: readonly TimedBlock[] | undefined;

  constructor({ environment, params }: WalletContext, noteStore: NoteStore) {
    this.#noteStore = noteStore;
    this.#environment = environment;
    this.#floor = params.activation.sapling;
    this.#now = Math.floor(environment.clock.now() / 1000);
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
   * Throws `INVALID_REQUEST` for a period that begins after the clock and after every scanned block, unless these show that
   * the clock is behind.
   */
  requireBegun({ from, field }: Period): void {
    if (from === undefined || from <= this.#now) return;
    const known = this.#known();
    if (known.every(({ time }) => time < from && time <= this.#now + MAX_FUTURE_SECONDS))
      throw badField(field, 'has not come yet');
  }

  /** The blocks of the period whose amounts are wanted. Errors: those of `requireBegun`, `startOf` and `endOf`. */
  async spanOf(period: Period): Promise<Span> {
    this.requireBegun(period);
    const start = await this.startOf(period, 'amounts', 0);
    return { start, end: (await this.endOf(period, 'amounts')).height };
  }

  /** The first block of the period; `lowest` where that is not below it. Errors: those of the chain side. */
  async startOf({ from }: Period, precision: Precision, lowest: Height): Promise<Height> {
    if (from === undefined) return lowest;
    const { at } = bracketOf(this.#known(), from, this.#floor);
    if (at !== undefined && at <= lowest) return lowest;
    return Math.max(lowest, (await this.#firstAt(from, precision)).height);
  }

  /**
   * The last block of the period, below the first block of the next one, so that consecutive periods share the history
   * out. Where no block begins the next one yet, and where the clock is before the chain and the period reaches to it: the
   * newest scanned block. Errors: those of the chain side; `INVALID_REQUEST` for a period before all blocks.
   */
  async endOf({ to, field }: Period, precision: Precision): Promise<Edge> {
    if (to === undefined) return { height: this.#top(), isCertain: true };
    const next = await this.#firstAt(to + 1, precision);
    const isEarly = next.height <= this.#floor;
    if (isEarly && to >= this.#now) return { height: this.#top(), isCertain: true };
    if (isEarly && precision === 'heights') throw tooEarly(field);
    return { ...next, height: next.height - 1 };
  }

  async #firstAt(border: number, precision: Precision): Promise<Edge> {
    const bracket = bracketOf(this.#known(), border, this.#floor);
    const { below, at } = bracket;
    const nearest: Edge = { height: at ?? this.#top() + 1, isCertain: at !== undefined };
    if (at === below + 1) return nearest;
    if (at === undefined && border > this.#now) return { ...nearest, isCertain: true };
    const { transactions } = this.#noteStore.tables;
    const decides = transactions.sorted.some(
      ({ height }) => height > below && height < (at ?? Number.POSITIVE_INFINITY),
    );
    if (precision === 'amounts' && !decides) return nearest;
    try {
      return { height: await this.#search(bracket, border), isCertain: true };
    } catch (error) {
      const isKnown = this.#noteStore.blockHeights.length > 0 && (at === undefined || !decides);
      if (isKnown && error instanceof CompanionError) return nearest;
      throw error;
    }
  }

  async #search({ below, at }: Bracket, border: number): Promise<Height> {
    const found = settled.get(this.#noteStore)?.get(border);
    if (found !== undefined) return found;
    const end = at ?? Math.max(this.#top(), (await this.#tip()).height) + 1;
    const first = await firstBetween(below, end, border, (start, stop) => this.#times(start, stop));
    if (first <= this.#top() - KEPT_BLOCKS) {
      const known = settled.get(this.#noteStore) ?? new Map<number, Height>();
      settled.set(this.#noteStore, known.set(border, first));
    }
    return first;
  }

  /** The newest block that the wallet knows. */
  #top(): Height {
    const scanned = this.#noteStore.scannedTop() ?? this.#noteStore.lastScanHeight;
    return Math.max(scanned, this.#known().at(-1)?.height ?? 0);
  }

  /** Ascending; a height may be there twice. */
  #known(): readonly TimedBlock[] {
    const store = this.#noteStore;
    this.#timed ??= [
      ...store.blockHeights.map((height) => ({ height, time: store.block(height)!.time })),
      ...store.tables.transactions.sorted,
    ].sort((a, b) => a.height - b.height);
    return this.#timed;
  }

  async #times(start: Height, end: Height): Promise<readonly number[]> {
    const times: number[] = [];
    for await (const time of mapInOrder(integers(start, end), WINDOW, (height) => this.#time(height)))
      times.push(time);
    return times;
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

const tooEarly = (field: string): CompanionError =>
  badField(
    field,
    'is before the first block that can hold shielded funds',
    'At that date there were no shielded funds yet.',
  );
