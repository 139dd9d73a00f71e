// What a hook reads in order and never drops: the changes of notes, and those of invoices. Each lane knows its place.

import { joinApart } from '@wallet-companion/base/memory';
import { encodeJson } from './delivery.ts';
import { type Entry, type HookReads, type Listed, type ListName, Page } from './hookLink.ts';
import type { HookRecord } from './hookRecords.ts';

export interface LaneItem {
  readonly id: string;
  readonly event: string;
  /** A JSON text; the caller wipes it. */
  readonly data: Uint8Array;
  /** Marks it as delivered in the record; the caller saves the record. */
  readonly settle: () => void;
}

/** `nothing`: no delivery is due. `failed`: it could not be read, though the wallet may be open. */
export type Found = LaneItem | 'nothing' | { readonly failed: string };

export interface Lane {
  readonly isLocked: boolean;
  /** Called when there may be something new. */
  stir(): void;
  locked(): void;
  unlocked(): void;
  /** Wipes what was read. */
  drop(): void;
  next(): Promise<Found>;
}

const LOCKED = ['WALLET_LOCKED', 'NO_WALLET'];

export interface LaneContext {
  readonly link: HookReads;
  readonly requestId: () => string;
  readonly wallet: string;
  /** Known to be locked at the start. */
  readonly isLocked: boolean;
  /** Saves the record. */
  readonly save: () => Promise<void>;
}

/** A lane whose changes are read from the wallet a page at a time. */
export abstract class PagedLane<N extends ListName, C extends LaneContext> implements Lane {
  protected readonly record: HookRecord;
  protected readonly context: C;
  protected page: Page<N> | undefined;
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
    this.drop();
  }

  unlocked(): void {
    this.#isLocked = false;
    this.stir();
  }

  drop(): void {
    this.page?.wipe();
    this.page = undefined;
  }

  protected keep(page: Page<N>): void {
    if (this.#isLocked) page.wipe();
    else this.page = page;
  }

  /** Of its own: the page may be dropped during the delivery. */
  protected dataOf({ json }: Entry): Uint8Array {
    return joinApart(json);
  }

  /** `failed`: the code of a failure, undefined where it only means that the wallet is locked. */
  protected async ask(
    name: N,
    list: Listed<N>,
    input: object,
  ): Promise<{ readonly answer: Page<N> } | { readonly failed: string | undefined }> {
    const arrivals = this.#arrivals;
    this.mayHaveMore = false;
    const { link, requestId, wallet } = this.context;
    const context = { requestId: requestId(), byService: true, wallet } as const;
    const result = await link.dispatchJson(name, encodeJson(input), context);
    // The wallet was locked or unlocked, or there is something new, meanwhile: read again.
    const isOld = arrivals !== this.#arrivals;
    if (isOld || !result.ok) this.mayHaveMore = true;
    if (result.ok) return { answer: new Page<N>(result.value, list) };
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

  drop(): void {
    for (const lane of this.#lanes) lane.drop();
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
