// What every view is given, and what a view is.

import type { Formats } from '../../model/amounts.ts';
import type { Store } from '../live/store.ts';
import type { SyncRunner } from '../live/syncRunner.ts';
import type { Call } from '../live/transport.ts';

export interface App {
  readonly store: Store;
  readonly call: Call;
  readonly formats: Formats;
  readonly runner: SyncRunner;
  /** Keeps this view although the wallet is open now: a new phrase is still being written down. */
  hold(isHeld: boolean): void;
}

export interface View {
  readonly title: string;
  readonly element: HTMLElement;
  /** Called when something that the page knows has changed. */
  update?(): void;
  /** Takes away what must not outlive the view. */
  leave?(): void;
}
