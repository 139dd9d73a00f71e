// The interface of a view, and what every view receives.

import type { Formats } from '../../model/amounts.ts';
import type { Store } from '../live/store.ts';
import type { SyncRunner } from '../live/syncRunner.ts';
import type { Call } from '../live/transport.ts';

export interface App {
  readonly store: Store;
  readonly call: Call;
  readonly formats: Formats;
  readonly runner: SyncRunner;
  /** Keeps this view although the wallet is open now: the user is still writing down a new phrase. */
  hold(isHeld: boolean): void;
}

export interface View {
  readonly title: string;
  readonly element: HTMLElement;
  /** Called when the page's state has changed. */
  update?(): void;
  /** Removes everything that must not outlive the view. */
  leave?(): void;
}
