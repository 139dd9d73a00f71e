// What hooks need of a companion: its events, and the two lists that they read their place in.

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
