// The stored state of each hook for each wallet: its position in the changes, and the highest number of a delivery. It is a file in the
// data directory; without the file the hooks begin anew.

import { DEFAULT_WALLET } from '@wallet-companion/client/contract';

/** Numbers are reserved in blocks of this size, so that none is ever used twice and the file is rarely written. */
const PORTION = 100;
/** Removed hooks keep their records, up to so many, and continue there when they are configured again. */
const MOST_GONE = 64;
const MAX_CURSOR_LENGTH = 256;

/** Neither part can have an @. The default wallet's is the hook's own name, as it was when there was no other. */
export const recordName = (hook: string, wallet: string): string =>
  wallet === DEFAULT_WALLET ? hook : `${hook}@${wallet}`;

export interface HookRecord {
  readonly name: string;
  /** All numbers up to this one may have been used. */
  reserved: number;
  /** Undefined until the wallet was first open. */
  cursor: string | undefined;
  /** `sequence` of the last delivered change after the cursor. */
  done: number;
  /** Whose the invoices' numbers are, and the number of the last delivered change. Undefined until they were first read. */
  invoices: { readonly series: string | null; readonly done: number } | undefined;
  /** Identifies the beginning that `done` counts from; part of each delivery's id. */
  epoch: string;
  /** Set while the beginning itself must be delivered. */
  begun: BeginReason | undefined;
  lastDeliveredAt: string | undefined;
  beganAnewAt: string | undefined;
}

export type BeginReason = 'new' | 'cursor_unknown';

export interface RecordFile {
  /** Undefined where the file does not exist. */
  read(): string | undefined;
  write(text: string): Promise<void>;
}

export class HookRecords {
  readonly #file: RecordFile;
  readonly #records = new Map<string, HookRecord>();
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** `damaged` is called when the file exists and is no valid record file. */
  constructor(file: RecordFile, damaged: () => void) {
    this.#file = file;
    try {
      const text = file.read();
      if (text === undefined) return;
      const parsed: unknown = JSON.parse(text);
      const { hooks } = parsed as { hooks: unknown[] };
      for (const record of hooks.map(recordOf)) this.#records.set(record.name, record);
    } catch {
      this.#records.clear();
      damaged();
    }
  }

  get(name: string): HookRecord {
    const record = this.look(name);
    this.#records.set(name, record);
    return record;
  }

  /** As `get`, for one that may never run: a new record is not kept. */
  look(name: string): HookRecord {
    return (
      this.#records.get(name) ?? {
        name,
        reserved: 0,
        cursor: undefined,
        done: 0,
        invoices: undefined,
        epoch: '',
        begun: undefined,
        lastDeliveredAt: undefined,
        beganAnewAt: undefined,
      }
    );
  }

  /** Gives the records of a wallet to its new name, or drops them. Returns whether there are any; the caller saves them. */
  move(wallet: string, to: string | undefined): boolean {
    const moved = [...this.#records.values()].filter(({ name }) => name.endsWith(`@${wallet}`));
    for (const record of moved) {
      this.#records.delete(record.name);
      const [hook = ''] = record.name.split('@');
      if (to !== undefined)
        this.#records.set(recordName(hook, to), { ...record, name: recordName(hook, to) });
    }
    return moved.length > 0;
  }

  /** The number after `last`, which no later run uses again. Rejects where it cannot be reserved. */
  async numberAfter(last: number, record: HookRecord): Promise<number> {
    if (last + 1 > record.reserved) {
      const before = record.reserved;
      record.reserved = last + PORTION;
      await this.save().catch((error: unknown) => {
        record.reserved = before;
        throw error;
      });
    }
    return last + 1;
  }

  /** Drops the oldest records of what runs no more, so that renaming hooks does not fill the file. */
  keep(names: ReadonlySet<string>): void {
    const gone = [...this.#records.keys()].filter((name) => !names.has(name));
    for (const name of gone.slice(0, Math.max(0, gone.length - MOST_GONE))) this.#records.delete(name);
  }

  /** When it resolves, the state at the time of the call is on the disk. */
  save(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const next = this.#writing.then(() => {
      this.#next = undefined;
      return this.#file.write(`${JSON.stringify({ hooks: [...this.#records.values()] })}\n`);
    });
    this.#next = next;
    this.#writing = next.catch(() => undefined);
    return next;
  }
}

function recordOf(value: unknown): HookRecord {
  const given = value as Partial<Record<keyof HookRecord, unknown>>;
  const record = {
    name: text(given.name),
    reserved: whole(given.reserved),
    cursor: given.cursor === undefined ? undefined : text(given.cursor),
    done: whole(given.done),
    invoices: given.invoices === undefined ? undefined : placeOf(given.invoices),
    epoch: text(given.epoch),
    begun: given.begun === 'new' || given.begun === 'cursor_unknown' ? given.begun : undefined,
    lastDeliveredAt: given.lastDeliveredAt === undefined ? undefined : text(given.lastDeliveredAt),
    beganAnewAt: given.beganAnewAt === undefined ? undefined : text(given.beganAnewAt),
  } as const;
  return record;
}

function placeOf(value: unknown): HookRecord['invoices'] {
  const { series, done } = value as { readonly series: unknown; readonly done: unknown };
  return { series: series === null ? null : text(series), done: whole(done) };
}

function text(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_CURSOR_LENGTH) throw new TypeError('not our file');
  return value;
}

function whole(value: unknown): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new TypeError('not our file');
  return Number(value);
}
