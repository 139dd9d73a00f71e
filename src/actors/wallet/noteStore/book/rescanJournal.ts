// The rescan entries in memory: journal entries about blocks that were forgotten and not scanned again yet. They
// exist only after a rescan. Pages are stretches of heights, so that a commit rewrites the few pages that it scanned
// again.

import { noteKey } from '@wallet-companion/zcash/identifiers';
import type { RescanEntry, RescanPage } from '../../ports/journal.ts';
import type { HeightRange } from '../../ports/noteDatabase.ts';

const ENTRIES_PER_PAGE = 256;

export const rescanEntryKey = (kind: RescanEntry['kind'], key: string): string => `${kind}:${key}`;
const keyOf = (rescanEntry: RescanEntry): string =>
  rescanEntryKey(rescanEntry.kind, noteKey(rescanEntry.note));

interface Page {
  readonly rescanEntries: ReadonlyMap<string, RescanEntry>;
  readonly lowest: number;
  readonly highest: number;
}

export class RescanJournal {
  readonly #pages = new Map<number, Page>();
  readonly #pageOf = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#pageOf.size === 0;
  }

  get(kind: RescanEntry['kind'], key: string): RescanEntry | undefined {
    const name = rescanEntryKey(kind, key);
    const page = this.#pageOf.get(name);
    return page === undefined ? undefined : this.#pages.get(page)?.rescanEntries.get(name);
  }

  /** Rescan entries about blocks in this range. */
  within({ start, end }: HeightRange): RescanEntry[] {
    return [...this.#pages.values()]
      .filter(({ lowest, highest }) => lowest <= end && highest >= start)
      .flatMap(({ rescanEntries }) => [...rescanEntries.values()])
      .filter(({ height }) => height >= start && height <= end);
  }

  /** The pages after the change; those without rescan entries are deleted. New rescan entries get pages of their own. */
  changed(gone: readonly RescanEntry[], put: readonly RescanEntry[]): RescanPage[] {
    const drafts = new Map<number, Map<string, RescanEntry>>();
    const draft = (page: number): Map<string, RescanEntry> => {
      const known = drafts.get(page) ?? new Map(this.#pages.get(page)?.rescanEntries);
      drafts.set(page, known);
      return known;
    };
    const fresh: RescanEntry[] = [];
    for (const rescanEntry of gone) {
      const page = this.#pageOf.get(keyOf(rescanEntry));
      if (page !== undefined) draft(page).delete(keyOf(rescanEntry));
    }
    for (const rescanEntry of put) {
      const page = this.#pageOf.get(keyOf(rescanEntry));
      if (page === undefined) fresh.push(rescanEntry);
      else draft(page).set(keyOf(rescanEntry), rescanEntry);
    }
    const pages = [...drafts].map(([page, rescanEntries]) => ({
      page,
      rescanEntries: [...rescanEntries.values()],
    }));
    let next = Math.max(-1, ...this.#pages.keys()) + 1;
    fresh.sort((a, b) => a.height - b.height);
    for (let i = 0; i < fresh.length; i += ENTRIES_PER_PAGE)
      pages.push({ page: next++, rescanEntries: fresh.slice(i, i + ENTRIES_PER_PAGE) });
    return pages;
  }

  keep({ page, rescanEntries }: RescanPage): void {
    for (const name of this.#pages.get(page)?.rescanEntries.keys() ?? []) this.#pageOf.delete(name);
    this.#pages.delete(page);
    if (rescanEntries.length === 0) return;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    const kept = new Map<string, RescanEntry>();
    for (const rescanEntry of rescanEntries) {
      lowest = Math.min(lowest, rescanEntry.height);
      highest = Math.max(highest, rescanEntry.height);
      kept.set(keyOf(rescanEntry), rescanEntry);
      this.#pageOf.set(keyOf(rescanEntry), page);
    }
    this.#pages.set(page, { rescanEntries: kept, lowest, highest });
  }
}
