// A page of what a hook reads, as it came: bytes of JSON that are wiped after use. Its texts (memos, what a shop wrote into
// an invoice) never become strings, which would stay in the main thread's heap after the lock.

import { elementsOf, memberOf, memberValue } from '@wallet-companion/base/memory';
import type { Listed, ListName, ListOutput } from './hookLink.ts';

const NOTHING = new Uint8Array();

/** An entry of a page, as JSON. Its bytes are the page's. */
export interface Entry {
  readonly sequence: number;
  readonly json: Uint8Array;
}

export class Page<N extends ListName> {
  readonly entries: readonly Entry[];
  readonly #json: Uint8Array;

  constructor(json: Uint8Array, list: Listed<N>) {
    this.#json = json;
    this.entries = elementsOf(memberOf(json, list) ?? NOTHING).map((entry) => ({
      sequence: memberValue(entry, 'sequence') as number,
      json: entry,
    }));
  }

  /** A member that is not secret. */
  value<M extends keyof ListOutput<N> & string>(name: M): ListOutput<N>[M] {
    return memberValue(this.#json, name) as ListOutput<N>[M];
  }

  wipe(): void {
    this.#json.fill(0);
  }
}
