// The claims in memory: journal entries about blocks that were forgotten and not scanned again yet. They exist only
// after a rescan. Pages are stretches of heights, so that a commit rewrites the few pages that it scanned again.

import type { Claim, ClaimPage } from '../ports/journal.ts';
import type { HeightRange } from '../ports/storage.ts';
import { noteKey } from './noteBook.ts';

const CLAIMS_PER_PAGE = 256;

export const claimKey = (kind: Claim['kind'], key: string): string => `${kind}:${key}`;
const keyOf = (claim: Claim): string => claimKey(claim.kind, noteKey(claim.note));

interface Page {
  readonly claims: ReadonlyMap<string, Claim>;
  readonly lowest: number;
  readonly highest: number;
}

export class ClaimBook {
  readonly #pages = new Map<number, Page>();
  readonly #pageOf = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#pageOf.size === 0;
  }

  get(kind: Claim['kind'], key: string): Claim | undefined {
    const name = claimKey(kind, key);
    const page = this.#pageOf.get(name);
    return page === undefined ? undefined : this.#pages.get(page)?.claims.get(name);
  }

  /** Claims about blocks in this range. */
  within({ start, end }: HeightRange): Claim[] {
    return [...this.#pages.values()]
      .filter(({ lowest, highest }) => lowest <= end && highest >= start)
      .flatMap(({ claims }) => [...claims.values()])
      .filter(({ height }) => height >= start && height <= end);
  }

  /** The pages after the change; those without claims are deleted. New claims get pages of their own. */
  changed(gone: readonly Claim[], put: readonly Claim[]): ClaimPage[] {
    const drafts = new Map<number, Map<string, Claim>>();
    const draft = (page: number): Map<string, Claim> => {
      const known = drafts.get(page) ?? new Map(this.#pages.get(page)?.claims);
      drafts.set(page, known);
      return known;
    };
    const fresh: Claim[] = [];
    for (const claim of gone) {
      const page = this.#pageOf.get(keyOf(claim));
      if (page !== undefined) draft(page).delete(keyOf(claim));
    }
    for (const claim of put) {
      const page = this.#pageOf.get(keyOf(claim));
      if (page === undefined) fresh.push(claim);
      else draft(page).set(keyOf(claim), claim);
    }
    const pages = [...drafts].map(([page, claims]) => ({ page, claims: [...claims.values()] }));
    let next = Math.max(-1, ...this.#pages.keys()) + 1;
    fresh.sort((a, b) => a.height - b.height);
    for (let i = 0; i < fresh.length; i += CLAIMS_PER_PAGE)
      pages.push({ page: next++, claims: fresh.slice(i, i + CLAIMS_PER_PAGE) });
    return pages;
  }

  keep({ page, claims }: ClaimPage): void {
    for (const name of this.#pages.get(page)?.claims.keys() ?? []) this.#pageOf.delete(name);
    this.#pages.delete(page);
    if (claims.length === 0) return;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    const kept = new Map<string, Claim>();
    for (const claim of claims) {
      lowest = Math.min(lowest, claim.height);
      highest = Math.max(highest, claim.height);
      kept.set(keyOf(claim), claim);
      this.#pageOf.set(keyOf(claim), page);
    }
    this.#pages.set(page, { claims: kept, lowest, highest });
  }
}
