// What is said of the companion's events beside their types, which the package of the client has: amounts and addresses
// are in an event only while a session is open; the emitter, not the front, leaves them out. Its texts travel between
// threads beside it, as bytes that are wiped (eventTexts.ts): copies would outlive the lock.

import type { CompanionEvent, EventName, EventsMissed } from '@wallet-companion/client/contract';
import {
  ANY_SCOPE,
  hasScope,
  mayHave,
  mayUseWallet,
  type Owned,
  type Permit,
  type Reach,
  reaches,
} from './grants.ts';

export {
  type CompanionEvent,
  type EventBody,
  type EventName,
  type EventsMissed,
  MISSED,
} from '@wallet-companion/client/contract';

/** Event descriptions for the documentation. */
export const EVENT_TEXT: Readonly<Record<EventName, string>> = {
  'sync.progress': 'After each commit of a scan: the `progress` of `GET /api/sync/status`',
  'sync.finished':
    'A scan ended: `ok` and the `summary` that `POST /api/sync` answers with, or the `code` of the failure and `last_scan_height`',
  'note.received':
    'A note of ours was found: `account`, `pool`, `height`, `txid`, `output_index`, `value_zatoshi`, `diversifier_index`, `address`, `verified_with` and `memo`. `memo` is missing where it is not known yet (compact scan): `GET /api/changes` has it. Again where it is found in a block of another height, which replaces what was known',
  'note.memo':
    'The memo of a note became known, after a compact scan: `account`, `pool`, `height`, `txid`, `output_index` and `memo`',
  'note.spent':
    'A note of ours was spent: `account`, `pool`, `height`, `txid` of the spender, `note_txid` and `output_index` of the note, `value_zatoshi`, `verified_with`. Again where another transaction or block spends it, which replaces what was known',
  'note.seen':
    'An unmined transaction makes a note of ours: `account`, `pool`, `txid`, `output_index`, `expiry_height`, `value_zatoshi`, `diversifier_index` and `address`; once in a session, and again where it comes back. `note.received` follows when it is mined',
  'transaction.vanished':
    'An unmined transaction of ours is out of the mempool and in no block: `txid`, `reason` (`expired`, `conflicted`, `dropped`), `received_zatoshi`, `spent_zatoshi`',
  'transaction.unmined':
    'An unmined transaction of ours, received or sent: `txid`, `state` (`seen`; then `replaced` by one that spends the same, `expired`, or `dropped` from the mempool, if it is not mined), `received_zatoshi`, `spent_zatoshi`. `seen` comes once in a session. `transaction.vanished` tells its end, too',
  'payment.changed':
    'A prepared payment has another status, or is mined elsewhere: `payment_id`, `account`, `txid`, `status`, `mined_height`, `grant_id`, `refund_of`',
  'invoice.changed':
    'An invoice was made, or stands differently: what `GET /api/invoices/{invoice_id}` answers, without the memos of its payments. Each change once, in the order of `sequence`; `GET /api/invoices?since=` has those that were missed',
  reorg:
    'The chain changed, or the node denied what was scanned: `fork_height`, the last block that stays, and `depth`',
  'blocks.contradicted':
    'The compact server said something else about blocks than the full blocks of the node, which replaced it: `start_height`, `end_height`, `blocks`, `compact_server_url`; what changed is in `GET /api/changes`',
  'wallet.locked': 'The session ended: `reason` is `asked`, `idle`, `exit` or `thread_lost`',
  'wallet.unlocked': 'A session began: `expires_at`, null without auto-lock',
  'config.changed': 'A setting changed: what `GET /api/config` answers now',
  'pairing.changed': 'An extension asks to be let in, or was answered: what `GET /api/pair` answers now',
  'server.changed':
    'The configured node or compact server is found in another state: `server`, `state` as in `GET /api/status`, `code`',
  'wallet.behind':
    'A wallet that follows the chain unlocked has had no new block for `behind_after_seconds`, or its server was away for so long; and once more when that is over: `behind`, `reason` (`old_tip`, `server_away`; null: it is over), `tip_height`, `since`. Only `serve` looks, once a minute',
  'disk.low':
    'The disk of the data directory has less free than `disk_low_bytes`; and once more when it has a tenth more than that: `low`, `free_bytes`, `limit_bytes`. To the streams of all wallets. Only `serve` looks, once a minute',
  'follow.changed': 'Follow mode was set, or went over to another state: what `GET /api/follow` answers now',
};

/** Which grants hear of it, for a wallet of theirs. */
const EVENT_REACH: Readonly<Record<EventName | EventsMissed['event'] | 'hook.started', Reach>> = {
  'sync.progress': ['read', 'sync'],
  'sync.finished': ['read', 'sync'],
  'note.received': ['read'],
  'note.memo': ['read'],
  'note.spent': ['read'],
  'note.seen': ['read'],
  'transaction.vanished': ['read'],
  'transaction.unmined': ['read'],
  'payment.changed': ['read', 'prepare', 'send'],
  'invoice.changed': ['read', 'invoice'],
  reorg: ['read', 'sync'],
  'blocks.contradicted': ['read', 'sync'],
  'wallet.locked': ANY_SCOPE,
  'wallet.unlocked': ANY_SCOPE,
  'config.changed': ['read'],
  'pairing.changed': 'owner',
  'server.changed': ['read', 'sync'],
  'wallet.behind': ['read', 'sync'],
  'disk.low': ['read', 'sync'],
  'follow.changed': ['read', 'sync'],
  'events.missed': ANY_SCOPE,
  // That the hook begins anew.
  'hook.started': ANY_SCOPE,
};

/** Events of which a caller with a grant may see its own alone. */
const EVENT_OWNS: Partial<Record<string, Owned>> = {
  'payment.changed': 'payment',
  'invoice.changed': 'invoice',
};

/** Whether the caller may hear of it (`wallet`: undefined for the default one). */
function mayHear(permit: Permit, name: keyof typeof EVENT_REACH, data: object, wallet?: string): boolean {
  if (!mayUseWallet(permit, wallet) || !reaches(permit, EVENT_REACH[name])) return false;
  const owned = EVENT_OWNS[name];
  return owned === undefined || mayHave(owned, permit, (data as { readonly grant_id?: string }).grant_id);
}

/** The event as the caller may hear it; undefined: not at all. */
export function heardBy(
  permit: Permit,
  event: CompanionEvent | EventsMissed,
  wallet?: string,
): CompanionEvent | EventsMissed | undefined {
  if (!mayHear(permit, event.event, event.data, wallet)) return undefined;
  if (event.event === 'sync.progress') return { event: event.event, data: forReaders(permit, event.data) };
  if (event.event !== 'sync.finished' || !event.data.ok) return event;
  return { event: event.event, data: { ok: true, summary: forReaders(permit, event.data.summary) } };
}

const FINDINGS = ['notes_found', 'notes_new', 'notes_spent'] as const;

/** How many notes a scan found tells, block by block, where they are: 0 for callers that may not read. */
export const forReaders = <T extends object>(caller: Pick<Permit, 'scopes'>, scan: T): T =>
  hasScope(caller, ['read']) ? scan : withoutFindings(scan);

const withoutFindings = <T extends object>(scan: T): T => ({
  ...scan,
  ...('progress' in scan && scan.progress !== null && { progress: withoutFindings(scan.progress as object) }),
  ...Object.fromEntries(FINDINGS.filter((name) => Object.hasOwn(scan, name)).map((name) => [name, 0])),
  ...(Object.hasOwn(scan, 'accounts_searched') && { accounts_searched: null }),
  ...(Object.hasOwn(scan, 'shared_accounts') && { shared_accounts: [] }),
});

/** As `mayHear`, for what hooks deliver: their names for changes are others. */
export function mayDeliver(permit: Permit, event: string, data: unknown, wallet?: string): boolean {
  const name = event.startsWith('change.')
    ? 'note.received'
    : event === 'sync.failed'
      ? 'sync.finished'
      : event;
  return Object.hasOwn(EVENT_REACH, name) && mayHear(permit, name as EventName, data as object, wallet);
}

/** `texts` is the bytes that `takeTexts` took from the event. They are valid only during the call. */
export type EventListener = (event: CompanionEvent, texts?: Uint8Array) => void;
