// What the companion tells of its own accord. Plain data: events cross threads and become server-sent events.
// Amounts are there only while a session is open: the emitter leaves them out, never the front.

import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { POOL_NAMES } from './fields.ts';
import type { syncProgress } from './operations/sync.ts';
import type { Output } from './operations.ts';

type Pool = (typeof POOL_NAMES)[number];

interface EventBodies {
  readonly 'sync.progress': Readonly<z.output<typeof syncProgress>>;
  readonly 'sync.finished':
    | { readonly ok: true; readonly summary: Output<'sync.run'> }
    | { readonly ok: false; readonly code: ErrorCode; readonly last_scan_height: number };
  readonly 'note.received': {
    readonly account: number;
    readonly pool: Pool;
    readonly height: number;
    readonly txid: string;
    readonly output_index: number;
    readonly value_zatoshi?: number;
  };
  readonly 'note.spent': {
    readonly account: number;
    readonly pool: Pool;
    readonly height: number;
    /** The spending transaction. */
    readonly txid: string;
    readonly value_zatoshi?: number;
  };
  readonly reorg: { readonly fork_height: number; readonly depth: number };
  readonly 'wallet.locked': { readonly reason: 'asked' | 'idle' | 'exit' | 'thread_lost' };
  readonly 'wallet.unlocked': { readonly expires_at: string | null };
  readonly 'config.changed': Output<'config.get'>;
}

export type EventName = keyof EventBodies;
export type EventBody<E extends EventName> = EventBodies[E];
export type CompanionEvent = {
  [E in EventName]: { readonly event: E; readonly data: EventBodies[E] };
}[EventName];
export type EventListener = (event: CompanionEvent) => void;
