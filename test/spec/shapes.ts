// Every answer of the two pages as a strict checker. Written from the pages alone, never from the schemas of
// the product: a shape that both sides share cannot show that the product answers something else. Fields beyond
// the listed ones pass, because the page says that adding is compatible.
import * as z from 'zod';

export const integer = z
  .int()
  .min(0)
  .lt(2 ** 53);
export const zatoshi = integer;
const signed = z.int();
export const hash = z.string().regex(/^[0-9a-f]{64}$/);
const hex = z.string().regex(/^([0-9a-f]{2})*$/);
export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const network = z.enum(['main', 'test', 'regtest']);
const pool = z.enum(['sapling', 'orchard', 'ironwood']);
const url = z.string().regex(/^https?:\/\/[^@]+$/);
const address = z.string().regex(/^u(test|regtest)?1[02-9ac-hj-np-z]+$/);
const object = z.looseObject;

/** The page does not show the shape of one range: any pair of a lower and an upper height is taken. */
export const range = object({ start_height: integer, end_height: integer }).refine(
  (held) => held.start_height <= held.end_height,
  'a range that ends before it starts',
);
const ranges = z.array(range).superRefine((list, context) => {
  for (const [at, next] of list.entries()) {
    const before = list[at - 1];
    if (before !== undefined && next.start_height <= before.end_height + 1) {
      context.addIssue('ranges overlap, touch or are out of order');
    }
  }
});

/** The table of the Errors section: one status for each code. */
export const STATUS_OF_CODE = {
  INVALID_REQUEST: 400,
  INVALID_MNEMONIC: 400,
  INVALID_PASSWORD_FORMAT: 400,
  INVALID_URL: 400,
  INVALID_THEME: 400,
  INVALID_RANGE: 400,
  INVALID_DB_PATH: 400,
  INVALID_VIEWING_KEY: 400,
  WRONG_PASSWORD: 401,
  ORIGIN_FORBIDDEN: 403,
  HOST_FORBIDDEN: 403,
  NOT_FOUND: 404,
  NO_WALLET: 404,
  METHOD_NOT_ALLOWED: 405,
  WALLET_EXISTS: 409,
  SYNC_IN_PROGRESS: 409,
  NETWORK_MISMATCH: 409,
  REORG_TOO_DEEP: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  WALLET_LOCKED: 423,
  TOO_MANY_ATTEMPTS: 429,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  WALLET_CORRUPT: 500,
  STORAGE_FAILED: 500,
  NODE_UNREACHABLE: 502,
  NODE_UNAUTHORIZED: 502,
  NODE_BAD_RESPONSE: 502,
  COMPACT_SERVER_UNREACHABLE: 502,
  COMPACT_SERVER_BAD_RESPONSE: 502,
  BUSY: 503,
  NODE_BEHIND: 503,
  THREAD_LOST: 503,
  UPSTREAM_TIMEOUT: 504,
} as const;
export type Code = keyof typeof STATUS_OF_CODE;

/** What the same call, sent again and unchanged, can turn into a success with time alone. */
const LATER: readonly Code[] = [
  'SYNC_IN_PROGRESS',
  'TOO_MANY_ATTEMPTS',
  'RATE_LIMITED',
  'NODE_UNREACHABLE',
  'COMPACT_SERVER_UNREACHABLE',
  'BUSY',
  'NODE_BEHIND',
  'THREAD_LOST',
  'UPSTREAM_TIMEOUT',
];
const codes = Object.keys(STATUS_OF_CODE) as [Code, ...Code[]];

export const problem = object({
  type: z.string().min(1),
  title: z.string().min(1),
  status: z.int(),
  detail: z.string().min(1),
  code: z.enum(codes),
  retryable: z.boolean(),
  request_id: z.string().min(1),
  errors: z.array(object({ path: z.string(), message: z.string().min(1) })).optional(),
  last_scan_height: integer.optional(),
}).superRefine((held, context) => {
  if (held.status !== STATUS_OF_CODE[held.code]) context.addIssue(`${held.code} with status ${held.status}`);
  if (held.status < 500 && held.retryable !== LATER.includes(held.code)) {
    context.addIssue(`${held.code} says retryable ${held.retryable}`);
  }
  if (LATER.includes(held.code) && !held.retryable) context.addIssue(`${held.code} says not retryable`);
});

export const exists = object({ exists: z.boolean() });
export const created = object({
  mnemonic: z.string().regex(/^([a-z]+ ){11,23}[a-z]+$/),
  unified_address: address,
  birthday_height: integer,
  network,
});
export const restored = object({
  unified_address: address,
  birthday_height: integer,
  network,
  unlocked: z.literal(true),
});
export const unlocked = object({
  unlocked: z.literal(true),
  expires_at: time.nullable(),
  unified_address: address,
});
export const config = object({
  node_url: url,
  compact_server_url: url,
  last_scan_height: integer,
  theme: z.enum(['system', 'light', 'dark']),
  network,
  birthday_height: integer.nullable(),
  min_confirmations: integer,
  auto_lock_seconds: integer,
  allowed_origins: z.array(z.string()),
});

const poolBalance = object({ total_zatoshi: zatoshi, confirmed_zatoshi: zatoshi, note_count: integer });
export const balance = object({
  total_zatoshi: zatoshi,
  confirmed_zatoshi: zatoshi,
  pending_zatoshi: zatoshi,
  note_count: integer,
  pools: object({ sapling: poolBalance, orchard: poolBalance, ironwood: poolBalance }),
  as_of_height: integer.nullable(),
  as_of_hash: hash.nullable(),
  complete: z.boolean(),
  missing_ranges: ranges,
}).superRefine((held, context) => {
  const parts = Object.values(held.pools) as z.infer<typeof poolBalance>[];
  const sum = (field: keyof z.infer<typeof poolBalance>) =>
    parts.reduce((total, part) => total + Number(part[field]), 0);
  if (sum('total_zatoshi') !== held.total_zatoshi) context.addIssue('the pools do not add up to the total');
  if (sum('confirmed_zatoshi') !== held.confirmed_zatoshi) context.addIssue('the pools miss confirmed');
  if (sum('note_count') !== held.note_count) context.addIssue('the pools do not add up to note_count');
  if (held.total_zatoshi !== held.confirmed_zatoshi + held.pending_zatoshi) {
    context.addIssue('total is not confirmed + pending');
  }
  if ((held.as_of_height === null) !== (held.as_of_hash === null)) context.addIssue('one as_of is null');
  if (held.complete && held.missing_ranges.length > 0) context.addIssue('complete with missing ranges');
  if (held.complete && held.as_of_height === null) context.addIssue('complete before anything was scanned');
});

export const synced = object({
  start_height: integer.nullable(),
  end_height: integer.nullable(),
  blocks_scanned: integer.max(1000),
  outputs_scanned: integer,
  notes_found: integer,
  notes_new: integer,
  notes_spent: integer,
  reorg: object({ fork_height: integer, depth: integer.min(1) }).nullable(),
  last_scan_height: integer,
  chain_tip: integer,
  next_start_height: integer.nullable(),
  range_complete: z.boolean(),
  caught_up: z.boolean(),
  complete: z.boolean(),
  missing_ranges: ranges,
  cancelled: z.boolean(),
  elapsed_ms: integer,
  source: z.enum(['node', 'compact']),
}).superRefine((held, context) => {
  if (held.notes_new > held.notes_found) context.addIssue('more new notes than found ones');
  if (held.complete && held.missing_ranges.length > 0) context.addIssue('complete with missing ranges');
  if (held.caught_up && held.last_scan_height !== held.chain_tip) context.addIssue('caught up below the tip');
  if (held.cancelled && held.range_complete) context.addIssue('a cancelled range that is complete');
});

const store = object({
  path: z.string().min(1),
  first_height: integer,
  last_height: integer,
  block_count: integer,
  missing_ranges: ranges,
});
export const serverInfo = object({ compact_server_url: url, store: store.nullable() });
export const serverTip = object({
  height: integer,
  hash,
  compact_server_url: url,
  stored_height: integer.nullable(),
});
export const compactSynced = object({
  start_height: integer.nullable(),
  end_height: integer.nullable(),
  blocks_stored: integer.max(1000),
  bytes: integer,
  chain_tip: integer,
  next_start_height: integer.nullable(),
  range_complete: z.boolean(),
  caught_up: z.boolean(),
  reorg: object({ fork_height: integer, depth: integer.min(1) }).nullable(),
  db_path: z.string().min(1),
  elapsed_ms: integer,
});

export const status = object({
  exists: z.boolean(),
  unlocked: z.boolean(),
  expires_at: time.nullable(),
  syncing: z.boolean(),
  network,
});
export const addressed = object({
  unified_address: address,
  sapling_address: z.string().regex(/^z[a-z]+1[02-9ac-hj-np-z]+$/),
  diversifier_index: z.union([integer, z.string().regex(/^\d+$/)]),
});
export const note = object({
  account: integer,
  pool,
  scope: z.string().min(1),
  value_zatoshi: zatoshi,
  height: integer.nullable(),
  txid: hash,
  output_index: integer,
  position: integer.nullable(),
  nullifier: hex.length(64).nullable(),
  diversifier_index: z.union([integer, z.string().regex(/^\d+$/)]).nullable(),
  memo: object({ text: z.string().optional(), hex: hex.optional() }).nullable(),
  confirmations: integer,
  spent: object({ txid: hash, height: integer.nullable() }).nullable(),
});
export const notes = object({ notes: z.array(note).max(1000), next_cursor: z.string().min(1).nullable() });
export const transaction = object({
  txid: hash,
  height: integer.nullable(),
  received_zatoshi: zatoshi,
  spent_zatoshi: zatoshi,
});
export const transactions = object({
  transactions: z.array(transaction).max(1000),
  next_cursor: z.string().min(1).nullable(),
});
export const version = object({
  name: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  api_version: z.literal(1),
  network,
  features: z.array(z.string()),
});
export const backup = object({ mnemonic: z.string().min(1), birthday_height: integer });
export const anything = object({});
export const net = signed;

export type Balance = z.infer<typeof balance>;
export type Synced = z.infer<typeof synced>;
export type Note = z.infer<typeof note>;
export type Transaction = z.infer<typeof transaction>;
export type Problem = z.infer<typeof problem>;
export type CompactSynced = z.infer<typeof compactSynced>;
export type Status = z.infer<typeof status>;
