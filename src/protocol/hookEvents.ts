// The events that the companion can report to a user's program or address (`on_event` in config.json).

import type { Outputs } from '@wallet-companion/client/contract';

type Kind = Outputs['changes.list']['changes'][number]['kind'];

/** Changes of notes, from the journal: delivered at least once each, in order. */
export const CHANGE_EVENTS = [
  'change.received',
  'change.memo',
  'change.confirmed',
  'change.spent',
  'change.unspent',
  'change.unreceived',
] as const satisfies readonly `change.${Kind}`[];

/** Changes of the companion's state: delivered as they happen, and lost if delivery fails for long. */
export const STATE_EVENTS = [
  'wallet.unlocked',
  'wallet.locked',
  'server.changed',
  'transaction.unmined',
  'payment.changed',
  'wallet.behind',
  'disk.low',
  'sync.failed',
  'reorg',
] as const;

/** Changes of invoices, by their numbers: delivered at least once each, in order, the last one of each invoice. */
export const INVOICE_EVENT = 'invoice.changed';

export type ChangeEvent = (typeof CHANGE_EVENTS)[number];
export type StateEvent = (typeof STATE_EVENTS)[number];

/** `change` stands for all kinds of changes. */
export const HOOK_EVENTS = ['change', ...CHANGE_EVENTS, INVOICE_EVENT, ...STATE_EVENTS] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** One entry of `on_event`: a `command`, or a `url` with a `secret_file`. */
export interface HookSetting {
  readonly name: string;
  readonly events: readonly HookEvent[];
  /** Whose events; absent: every wallet's. */
  readonly wallets?: readonly string[] | undefined;
  /** Name of the grant that says what it may hear, and how long; absent: everything. */
  readonly grant?: string | undefined;
  /** Absolute path of the program, and its arguments. */
  readonly command?: readonly string[] | undefined;
  readonly url?: string | undefined;
  /** Absolute path of the file with the key that signs deliveries. */
  readonly secret_file?: string | undefined;
}
