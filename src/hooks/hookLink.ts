// What hooks need of a companion: its events, and the two lists that they read their place in, page by page.

import { elementsOf, memberOf, memberValue } from '@wallet-companion/base/memory';
import type { CompanionEvent, Outputs } from '@wallet-companion/client/contract';

export interface ReadContext {
  readonly requestId: string;
  /** The call counts as no activity of a user. */
  readonly byService: true;
  readonly wallet: string;
}

export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: { readonly code: string } };

export type ListName = 'changes.list' | 'invoices.list';
export type ListOutput<N extends ListName> = Outputs[N];
/** The member of the answer that is the list. */
export type Listed<N extends ListName> = N extends 'changes.list' ? 'changes' : 'invoices';

export interface HookReads {
  /** Input and answer are the bytes of JSON texts; the caller wipes the answer. Never rejects. */
  dispatchJson(
    name: ListName,
    input: Uint8Array<ArrayBuffer>,
    context: ReadContext,
  ): Promise<ReadResult<Uint8Array>>;
}

export interface HookLink extends HookReads {
  /** The events of all wallets, each with its name. Returns the function that unsubscribes. */
  subscribeToAll(listener: (event: CompanionEvent, wallet: string) => void): () => void;
}

// A page of what a hook reads, as it came: bytes of JSON that are wiped after use. Its texts (memos, what a shop wrote into
// an invoice) never become strings, which would stay in the main thread's heap after the lock.
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
