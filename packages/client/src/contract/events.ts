// The events that the companion sends without a request, as plain data. Amounts and addresses are present only while a
// session is open.

import type { ErrorCode } from './errors.ts';
import type { Outputs } from './generated/types.ts';

type Pool = Outputs['notes.list']['notes'][number]['pool'];
/** Of the block; absent for a client that resumes after a lock. */
type Mark = Outputs['notes.list']['notes'][number]['verified_with'];
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
    readonly verified_with?: Mark;
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
    /** The transaction that made the note, and which of its outputs. */
    readonly note_txid: string;
    readonly output_index: number;
    readonly value_zatoshi?: number;
    readonly verified_with?: Mark;
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
  readonly 'transaction.unmined': {
    readonly txid: string;
    readonly state: 'seen' | 'replaced' | 'expired' | 'dropped';
    /** 0 where it makes no note of ours. */
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
    /** That prepared it; null: the owner, or a caller without one. */
    readonly grant_id: string | null;
    /** Where it refunds an invoice: that invoice's `invoice_id`. */
    readonly refund_of?: string;
  };
  /** Payments come without their memos. */
  readonly 'invoice.changed': Outputs['invoices.get'];
  readonly reorg: { readonly fork_height: number; readonly depth: number };
  readonly 'blocks.contradicted': NonNullable<Outputs['sync.run']['contradicted']>;
  readonly 'wallet.locked': { readonly reason: 'asked' | 'idle' | 'exit' | 'thread_lost' };
  readonly 'wallet.unlocked': { readonly expires_at: string | null };
  readonly 'config.changed': Outputs['config.get'];
  readonly 'pairing.changed': Outputs['pairing.list'];
  readonly 'server.changed': {
    readonly server: 'node' | 'compact_server';
    readonly state: Outputs['system.status']['node']['state'];
    readonly code: string | null;
  };
  readonly 'wallet.behind': {
    readonly behind: boolean;
    /** Null once it is over. */
    readonly reason: 'old_tip' | 'server_away' | null;
    readonly tip_height: number | null;
    /** Since when the tip is that, or the server away. */
    readonly since: string;
  };
  readonly 'disk.low': {
    readonly low: boolean;
    readonly free_bytes: number;
    readonly limit_bytes: number;
  };
  readonly 'follow.changed': Outputs['follow.get'];
}

export type EventName = keyof EventBodies;
export type EventBody<E extends EventName> = EventBodies[E];
export type CompanionEvent = {
  [E in EventName]: { readonly event: E; readonly data: EventBodies[E] };
}[EventName];

/** Events were lost (a restart of the companion, a long break): read everything derived from them again. */
export interface EventsMissed {
  readonly event: 'events.missed';
  readonly data: Readonly<Record<string, never>>;
}

export const MISSED: EventsMissed = { event: 'events.missed', data: {} };
