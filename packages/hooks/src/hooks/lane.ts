// What a hook reads in order and never drops: the changes of notes, and those of invoices. Each lane knows its place.

import type { HookReads, ReadContext, ReadResult } from './hookLink.ts';
import type { HookRecord } from './hookRecords.ts';

export interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
  /** Marks it as delivered in the record; the caller saves the record. */
  readonly settle: () => void;
}

/** `nothing`: no delivery is due. `failed`: it could not be read, though the wallet may be open. */
export type Found = Told | 'nothing' | { readonly failed: string };

export interface Lane {
  readonly isLocked: boolean;
  /** Called when there may be something new. */
  stir(): void;
  locked(): void;
  unlocked(): void;
  next(): Promise<Found>;
}

const LOCKED = ['WALLET_LOCKED', 'NO_WALLET'];

export interface LaneContext {
  readonly link: HookReads;
  readonly requestId: () => string;
  /** Undefined: the default one. */
  readonly wallet: string | undefined;
  /** Known to be locked at the start. */
  readonly isLocked: boolean;
  /** Saves the record. */
  readonly save: () => Promise<void>;
}

/** A lane whose changes are read from the wallet a page at a time. */
export abstract class PagedLane<Page, C extends LaneContext> implements Lane {
  protected readonly record: HookRecord;
  protected readonly context: C;
  /** Dropped at the lock. */
  protected page: Page | undefined;
  protected mayHaveMore = true;
  #isLocked: boolean;
  /** Counts what makes a running request's answer outdated. */
  #arrivals = 0;

  constructor(record: HookRecord, context: C) {
    this.record = record;
    this.context = context;
    this.#isLocked = context.isLocked;
  }

  abstract next(): Promise<Found>;

  get isLocked(): boolean {
    return this.#isLocked;
  }

  stir(): void {
    this.#arrivals += 1;
    this.mayHaveMore = true;
  }

  locked(): void {
    this.#arrivals += 1;
    this.#isLocked = true;
    this.page = undefined;
  }

  unlocked(): void {
    this.#isLocked = false;
    this.stir();
  }

  /** `failed`: the code of a failure, undefined where it only means that the wallet is locked. */
  protected async ask<T>(
    read: (link: HookReads, context: ReadContext) => Promise<ReadResult<T>>,
  ): Promise<{ readonly answer: T } | { readonly failed: string | undefined }> {
    const arrivals = this.#arrivals;
    this.mayHaveMore = false;
    const { link, requestId, wallet } = this.context;
    const of = wallet === undefined ? {} : { wallet };
    const result = await read(link, { requestId: requestId(), byService: true, ...of });
    // The wallet was locked or unlocked, or there is something new, meanwhile: read again.
    const isOld = arrivals !== this.#arrivals;
    if (isOld || !result.ok) this.mayHaveMore = true;
    if (result.ok) return { answer: result.value };
    const { code } = result.error;
    if (!LOCKED.includes(code)) return { failed: code };
    if (!isOld) this.#isLocked = true;
    return { failed: undefined };
  }
}

/** One after the other: what comes first in an earlier lane is delivered first. */
export class Lanes implements Lane {
  readonly #lanes: readonly Lane[];

  constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes;
  }

  get isLocked(): boolean {
    return this.#lanes.some(({ isLocked }) => isLocked);
  }

  stir(): void {
    for (const lane of this.#lanes) lane.stir();
  }

  locked(): void {
    for (const lane of this.#lanes) lane.locked();
  }

  unlocked(): void {
    for (const lane of this.#lanes) lane.unlocked();
  }

  async next(): Promise<Found> {
    let failed: Found = 'nothing';
    for (const lane of this.#lanes) {
      const found = await lane.next();
      if (found !== 'nothing' && !('failed' in found)) return found;
      if (found !== 'nothing') failed = found;
    }
    return failed;
  }
}
