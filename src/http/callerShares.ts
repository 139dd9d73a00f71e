// Shares of what the front has few of (event streams, calls that wait for a server). However many callers there are, and
// however much each asks for, the next one still gets a place, and the owner's pages have places of their own.

import type { Context } from 'koa';
import type { Permit } from '../protocol/grants.ts';

/** A page of the companion, which has the `reserved` places; no grant and no program is taken for one. */
const OWN_PAGE = 'own page';

export class CallerShares {
  readonly #open: number;
  readonly #reserved: number;
  readonly #held = new Map<string, number>();

  /** `open`: places of all callers but the owner's pages, of which a lone caller gets a third; `reserved`: those of the pages. */
  constructor(open: number, reserved: number) {
    this.#open = open;
    this.#reserved = reserved;
  }

  /** Returns what gives the place back; undefined where the caller has its share already. */
  take(context: Context, permit: Permit): (() => void) | undefined {
    const caller = callerOf(context, permit);
    const held = this.#held.get(caller) ?? 0;
    if (held >= this.#shareOf(caller)) return undefined;
    this.#held.set(caller, held + 1);
    return () => this.#giveBack(caller);
  }

  /** Half of what the caller leaves free: the places that are left shrink with each caller, and do not run out soon. */
  #shareOf(caller: string): number {
    if (caller === OWN_PAGE) return this.#reserved;
    let taken = 0;
    for (const [name, count] of this.#held) if (name !== OWN_PAGE) taken += count;
    return (this.#open - taken) / 2;
  }

  #giveBack(caller: string): void {
    const left = (this.#held.get(caller) ?? 0) - 1;
    if (left > 0) this.#held.set(caller, left);
    else this.#held.delete(caller);
  }
}

/** The kind of caller: a grant, an extension by its origin, the companion's pages by same-origin, and other programs. */
function callerOf({ req: { headers } }: Context, { id, scopes }: Permit): string {
  if (scopes !== 'all') return id;
  return headers.origin ?? (headers['sec-fetch-site'] === 'same-origin' ? OWN_PAGE : 'program');
}
