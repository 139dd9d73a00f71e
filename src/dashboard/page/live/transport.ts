// How the pages reach the companion: over HTTP in a browser, by the private scheme in the desktop window. Everything
// above this knows operations and events alone.

import type { Arguments, OperationName, Output } from '../../../client/operationTypes.ts';
import type { CompanionEvent } from '../../../protocol/events.ts';

export interface EventHandlers {
  /** Also `events.missed`, after which the state has to be read anew. */
  readonly event: (event: CompanionEvent | { readonly event: 'events.missed' }) => void;
  /** Events come again, after a break as well. */
  readonly up: () => void;
  readonly down: () => void;
}

export interface Transport {
  readonly kind: 'browser' | 'window';
  /** Rejects with `CompanionError`. */
  call<N extends OperationName>(name: N, ...args: Arguments<N>): Promise<Output<N>>;
  /** Listens until the page is gone. */
  listen(handlers: EventHandlers): void;
}

export type Call = Transport['call'];
