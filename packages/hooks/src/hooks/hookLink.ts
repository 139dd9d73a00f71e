// What hooks need of a companion: its events, and the two lists that they read their place in.

import type { CompanionEvent, Inputs, Outputs } from '@wallet-companion/client/contract';

export interface ReadContext {
  readonly requestId: string;
  /** The call counts as no activity of a user. */
  readonly byService: true;
  /** Undefined: the default one. */
  readonly wallet?: string;
}

export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: { readonly code: string } };

export interface HookReads {
  /** Never rejects. */
  dispatch(
    name: 'changes.list',
    input: Inputs['changes.list'],
    context: ReadContext,
  ): Promise<ReadResult<Outputs['changes.list']>>;
  dispatch(
    name: 'invoices.list',
    input: Inputs['invoices.list'],
    context: ReadContext,
  ): Promise<ReadResult<Outputs['invoices.list']>>;
}

export interface HookLink extends HookReads {
  /** The events of the default wallet. Returns the function that unsubscribes. */
  subscribe(listener: (event: CompanionEvent) => void): () => void;
  /** The events of the wallets besides the default one, each with its name. */
  subscribeOthers(listener: (wallet: string, event: CompanionEvent) => void): () => void;
}
