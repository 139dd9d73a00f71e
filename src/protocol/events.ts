// The events that the companion sends without a request: plain data, since they cross threads and become server-sent
// events. Amounts and addresses are present only while a session is open; the emitter, not the front, leaves them out. A
// memo travels between threads beside its event, as bytes that are wiped (eventMemo.ts): copies would outlive the lock.

import type { ErrorCode } from './errors.ts';
import type { Outputs } from './generated/types.ts';

// Plain types, because the client package shows them to compilers that do not have the schema library.
type Pool = Outputs['notes.list']['notes'][number]['pool'];
type Memo = Outputs['notes.list']['notes'][number]['memo'];

interface EventBodies {
  readonly 'sync.progress': NonNullable<Outputs['sync.status']['progress']>;
  readonly 'sync.finished':
    | { readonly ok: true; readonly summary: Outputs['sync.run'] }
    | { readonly ok: false; readonly code: ErrorCode; readonly last_scan_height: number };
  readonly 'note.received': {
    readonly account: number;
    readonly pool: Pool;
    readonly height: number;
    readonly txid: string;
    readonly output_index: number;
    readonly value_zatoshi?: number;
    readonly diversifier_index?: string;
    readonly address?: string | null;
    /** Null when there is no memo; missing while it is not known yet, and for a client that resumes. */
    readonly memo?: Memo;
  };
  readonly 'note.memo': {
    readonly account: number;
    readonly pool: Pool;
    readonly height: number;
    readonly txid: string;
    readonly output_index: number;
    /** Missing for a client that resumes. */
    readonly memo?: Memo;
  };
  readonly 'note.spent': {
    readonly account: number;
    readonly pool: Pool;
    readonly height: number;
    /** The id of the spending transaction. */
    readonly txid: string;
    readonly value_zatoshi?: number;
  };
  readonly 'note.seen': {
    readonly account: number;
    readonly pool: Pool;
    readonly txid: string;
    readonly output_index: number;
    readonly expiry_height: number | null;
    readonly value_zatoshi?: number;
    readonly diversifier_index?: string;
    readonly address?: string | null;
  };
  readonly 'transaction.vanished': {
    readonly txid: string;
    readonly reason: 'expired' | 'conflicted' | 'dropped';
    readonly received_zatoshi?: number;
    readonly spent_zatoshi?: number;
  };
  readonly 'payment.changed': {
    readonly payment_id: string;
    readonly account: number;
    readonly txid: string;
    readonly status: Outputs['payments.get']['status'];
    /** Set while the transaction is in a scanned block. */
    readonly mined_height: number | null;
  };
  readonly reorg: { readonly fork_height: number; readonly depth: number };
  readonly 'wallet.locked': { readonly reason: 'asked' | 'idle' | 'exit' | 'thread_lost' };
  readonly 'wallet.unlocked': { readonly expires_at: string | null };
  readonly 'config.changed': Outputs['config.get'];
  readonly 'pairing.changed': Outputs['pairing.list'];
  readonly 'server.changed': {
    readonly server: 'node' | 'compact_server';
    readonly state: Outputs['system.status']['node']['state'];
    readonly code: string | null;
  };
  readonly 'follow.changed': Outputs['follow.get'];
}

export type EventName = keyof EventBodies;
export type EventBody<E extends EventName> = EventBodies[E];
export type CompanionEvent = {
  [E in EventName]: { readonly event: E; readonly data: EventBodies[E] };
}[EventName];
/** Event descriptions for the documentation. */
export const EVENT_TEXT: Readonly<Record<EventName, string>> = {
  'sync.progress': 'After each commit of a scan: the `progress` of `GET /api/sync/status`',
  'sync.finished':
    'A scan ended: `ok` and the `summary` that `POST /api/sync` answers with, or the `code` of the failure and `last_scan_height`',
  'note.received':
    'A note of ours was found: `account`, `pool`, `height`, `txid`, `output_index`, `value_zatoshi`, `diversifier_index`, `address` and `memo`. `memo` is missing where it is not known yet (compact scan), for a client that resumes and in the window: `GET /api/changes` has it',
  'note.memo':
    'The memo of a note became known, after a compact scan: `account`, `pool`, `height`, `txid`, `output_index` and `memo`, which is missing for a client that resumes and in the window',
  'note.spent':
    'A note of ours was spent: `account`, `pool`, `height`, `txid` of the spender, `value_zatoshi`',
  'note.seen':
    'An unmined transaction makes a note of ours: `account`, `pool`, `txid`, `output_index`, `expiry_height`, `value_zatoshi`, `diversifier_index` and `address`; once in a session, and again where it comes back. `note.received` follows when it is mined',
  'transaction.vanished':
    'An unmined transaction of ours is out of the mempool and in no block: `txid`, `reason` (`expired`, `conflicted`, `dropped`), `received_zatoshi`, `spent_zatoshi`',
  'payment.changed':
    'A prepared payment has another status, or is mined elsewhere: `payment_id`, `account`, `txid`, `status`, `mined_height`',
  reorg:
    'The chain changed, or the node denied what was scanned: `fork_height`, the last block that stays, and `depth`',
  'wallet.locked': 'The session ended: `reason` is `asked`, `idle`, `exit` or `thread_lost`',
  'wallet.unlocked': 'A session began: `expires_at`, null without auto-lock',
  'config.changed': 'A setting changed: what `GET /api/config` answers now',
  'pairing.changed': 'An extension asks to be let in, or was answered: what `GET /api/pair` answers now',
  'server.changed':
    'The configured node or compact server is found in another state: `server`, `state` as in `GET /api/status`, `code`',
  'follow.changed': 'Follow mode was set, or went over to another state: what `GET /api/follow` answers now',
};

/** `memo` is the bytes that `takeMemo` took from the event. They are valid only during the call. */
export type EventListener = (event: CompanionEvent, memo?: Uint8Array) => void;
