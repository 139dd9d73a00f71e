// The connection between the pages and the companion: HTTP in a browser, the private scheme in the desktop window. The
// code above it knows only operations and events.

import type { Client, CompanionEvent } from '@wallet-companion/client';

export interface EventHandlers {
  /** Also receives `events.missed`, after which the state must be read again. */
  readonly event: (event: CompanionEvent | { readonly event: 'events.missed' }) => void;
  /** Events arrive, for the first time or again after a break. */
  readonly up: () => void;
  readonly down: () => void;
}

/** Rejects with `CompanionError`. */
export type Call = Client['call'];

export interface Transport {
  readonly kind: 'browser' | 'window';
  readonly call: Call;
  /** Delivers events until the page is closed. */
  listen(handlers: EventHandlers): Promise<void>;
}
