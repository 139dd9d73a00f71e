// The changes of notes for one hook: read from the journal a page at a time, delivered in order, and never dropped. The
// position of the last delivered change is stored, so a crash at any moment repeats at most the last delivery.

import { randomBytes } from 'node:crypto';
import { memberValue } from '@wallet-companion/base/memory';
import { CHANGE_EVENTS, type ChangeEvent, type HookEvent } from '../protocol/hookEvents.ts';
import { encodeJson } from './delivery.ts';
import type { Entry } from './hookLink.ts';
import type { BeginReason, HookRecord } from './hookRecords.ts';
import { type Found, type LaneContext, type LaneItem, PagedLane } from './lane.ts';

const PAGE_SIZE = 50;

/** A hook for one kind of change also receives the kind that undoes it. */
const TAKEN_BACK_BY: { readonly [E in ChangeEvent]?: ChangeEvent } = {
  'change.received': 'change.unreceived',
  'change.confirmed': 'change.unreceived',
  'change.spent': 'change.unspent',
};

export function wantedChanges(events: readonly HookEvent[]): ReadonlySet<ChangeEvent> {
  if (events.includes('change')) return new Set(CHANGE_EVENTS);
  const named = CHANGE_EVENTS.filter((kind) => events.includes(kind));
  return new Set(named.flatMap((kind) => [kind, TAKEN_BACK_BY[kind] ?? kind]));
}

export interface ChangesContext extends LaneContext {
  readonly now: () => number;
  /** Called when the journal no longer knows the position. */
  readonly beganAnew: () => void;
}

export class ChangesLane extends PagedLane<'changes.list', ChangesContext> {
  readonly #wanted: ReadonlySet<ChangeEvent>;
  /** False until a new position is saved: after a crash, an unsaved one would be replaced by a later one. */
  #isKept = true;

  constructor(wanted: ReadonlySet<ChangeEvent>, record: HookRecord, context: ChangesContext) {
    super(record, context);
    this.#wanted = wanted;
  }

  async next(): Promise<Found> {
    for (;;) {
      if (this.isLocked) return 'nothing';
      if (!this.#isKept && !(await this.#keep())) return { failed: 'STORAGE_FAILED' };
      const { cursor, begun, epoch, done } = this.record;
      if (cursor !== undefined && begun !== undefined) return this.#beginning(epoch, begun);
      const change = this.page?.entries.find((one) => one.sequence > done && this.#wanted.has(eventOf(one)));
      if (change !== undefined) return this.#itemOf(epoch, change);
      if (this.page !== undefined) {
        this.record.cursor = this.page.value('next_cursor');
        if (this.page.value('has_more')) this.mayHaveMore = true;
        this.drop();
      }
      if (!this.mayHaveMore) return 'nothing';
      const failed = await this.#read();
      if (failed !== undefined) return { failed };
    }
  }

  /** Returns the code of a failure, unless it only means that the wallet is locked. */
  async #read(): Promise<string | undefined> {
    const { cursor = 'now' } = this.record;
    const found = await this.ask('changes.list', 'changes', { since: cursor, limit: PAGE_SIZE });
    if ('answer' in found) {
      if (cursor === 'now') this.#begin(found.answer.value('next_cursor'));
      else this.keep(found.answer);
      return undefined;
    }
    if (found.failed !== 'CURSOR_UNKNOWN' || cursor === 'now') return found.failed;
    this.record.cursor = undefined;
    this.record.begun = 'cursor_unknown';
    this.record.beganAnewAt = new Date(this.context.now()).toISOString();
    this.context.beganAnew();
    return undefined;
  }

  async #keep(): Promise<boolean> {
    try {
      await this.context.save();
      this.#isKept = true;
    } catch {
      // `next` reports the failure.
    }
    return this.#isKept;
  }

  /** Starts at the journal's current end. */
  #begin(cursor: string): void {
    this.record.begun ??= 'new';
    this.record.cursor = cursor;
    this.record.done = 0;
    this.record.epoch = randomBytes(9).toString('base64url');
    this.#isKept = false;
    this.mayHaveMore = true;
  }

  #beginning(epoch: string, reason: BeginReason): LaneItem {
    const settle = () => {
      if (this.record.epoch === epoch) this.record.begun = undefined;
    };
    return { id: `${epoch}-0`, event: 'hook.started', data: encodeJson({ reason }), settle };
  }

  #itemOf(epoch: string, change: Entry): LaneItem {
    const settle = () => {
      if (this.record.epoch === epoch) this.record.done = change.sequence;
    };
    return { id: `${epoch}-${change.sequence}`, event: eventOf(change), data: this.dataOf(change), settle };
  }
}

const eventOf = ({ json }: Entry): ChangeEvent => `change.${memberValue(json, 'kind')}` as ChangeEvent;
