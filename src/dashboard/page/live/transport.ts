// The connection between the pages and the companion: HTTP in a browser, the private scheme in the desktop window. The
// code above it knows only operations and events.

import type { Arguments, OperationName, Output } from '@wallet-companion/client';
import type { CompanionEvent } from '../../../protocol/events.ts';

export interface EventHandlers {
  /** Also receives `events.missed`, after which the state must be read again. */
  readonly event: (event: CompanionEvent | { readonly event: 'events.missed' }) => void;
  /** Events arrive, for the first time or again after a break. */
  readonly up: () => void;
  readonly down: () => void;
}

export interface Transport {
  readonly kind: 'browser' | 'window';
  /** Rejects with `CompanionError`. */
  call<N extends OperationName>(name: N, ...args: Arguments<N>): Promise<Output<N>>;
  /** Delivers events until the page is closed. */
  listen(handlers: EventHandlers): void;
}

export type Call = Transport['call'];
