// Scanning. A request covers at most 1,000 blocks; clients repeat it until `caught_up`.

import * as z from 'zod';
import { forReaders } from '../events.ts';
import * as field from '../fields.ts';
import { ANY_SCOPE } from '../grants.ts';
import { ASKS_SOURCE, NEEDS_PASSWORD, type Operation } from '../operation.ts';

/** Else a scan of single blocks would tell where the notes are. */
const FOR_READERS = '0 for a grant without `read`';

/** The source may be the remembered one, which the actor knows. */
export const VERIFIES_COMPACT = 'is for blocks of a compact server: it needs the source compact';

const work = z.int().min(0);
const WORK =
  'In outputs and actions, and two more for each block: what scanning costs, where blocks say little';

/** The progress of a running scan. Rates are averages over this request. */
export const syncProgress = z.strictObject({
  source: field.source,
  start_height: field.height,
  end_height: field.height,
  /** `start_height - 1` until the first commit. */
  committed_height: field.height.describe('Highest block committed so far; what is below is kept on cancel'),
  blocks_scanned: field.count,
  blocks_total: field.count,
  outputs_scanned: field.count,
  notes_found: field.count.describe(FOR_READERS),
  elapsed_ms: field.elapsedMs,
  blocks_per_second: z.number().min(0),
  outputs_per_second: z.number().min(0),
  eta_seconds: z.number().min(0).nullable().describe('Null until a rate is known'),
  limited_by: z
    .enum(['blocks', 'scanning'])
    .nullable()
    .describe(
      'What most of the time went by with: waiting for blocks of the source while the processor had nothing to do, or scanning. Null in the first seconds',
    ),
  bounded_by: z
    .enum(['network', 'cpu', 'disk'])
    .nullable()
    .describe(
      'What most of the time of this request went by with: waiting for the other side, computing, or waiting for the disk. Null in the first seconds',
    ),
  received_bytes: field.count.describe(
    'From the other side, for the blocks of this request; stored blocks count nothing',
  ),
  received_bytes_per_second: z.number().min(0),
  work_done: work.describe(`${WORK}. What is scanned, of work_total`),
  work_total: work.describe(
    'From the birthday to the chain tip, whatever this request covers: expected by a table of the main network and by what blocks tell as they come, so it may change',
  ),
  work_eta_seconds: z
    .number()
    .min(0)
    .nullable()
    .describe('For what is left of work_total, by the pace of the last minutes; null until there is one'),
  cancelling: z.boolean(),
});

const notLookedAt = z
  .string()
  .optional()
  .describe('What is missing up to last_scan_height, in words and days; left out when nothing is');

const contradicted = z
  .strictObject({
    start_height: field.height,
    end_height: field.height,
    blocks: field.count.describe('How many between them'),
    compact_server_url: z.string().describe('As it is configured now'),
  })
  .nullable();

export const syncSummary = z.strictObject({
  start_height: field.height,
  end_height: field.height.describe('Last block of this request; below start_height when there was none'),
  blocks_scanned: field.count,
  outputs_scanned: field.count,
  notes_found: field.count.describe(`Notes of the wallet in the blocks of this request. ${FOR_READERS}`),
  notes_new: field.count.describe(`Those that were not known before. ${FOR_READERS}`),
  notes_spent: field.count.describe(`Notes that were not known as spent before. ${FOR_READERS}`),
  reorg: field.reorg,
  last_scan_height: field.height,
  chain_tip: field.height.describe('The top of the local store when the compact server cannot be reached'),
  next_start_height: field.height,
  range_complete: z.boolean().describe('Whether every block asked for exists and is scanned'),
  caught_up: z
    .boolean()
    .describe(
      "Whether last_scan_height is the other side's chain tip: nothing is left to scan above. What was skipped below is in missing_ranges, and end_height alone closes it",
    ),
  complete: z.boolean().describe('Whether everything from the birthday to last_scan_height is scanned'),
  missing_ranges: z.array(field.heightRange),
  accounts_searched: field.accountsSearched,
  not_looked_at: notLookedAt,
  contradicted: contradicted.describe(
    'Blocks of which the compact server said something else than the full blocks of the node, which count; null where none is known',
  ),
  cancelled: z.boolean(),
  elapsed_ms: field.elapsedMs,
  source: field.source,
  verified_with: z
    .enum(['node'])
    .nullable()
    .describe(
      'That every block of this request was compared with the node before it counted; null without verify_with, and where no block was scanned',
    ),
});

export const syncOperations = {
  'sync.run': {
    actor: 'wallet',
    access: 'session_or_password',
    reach: ['sync'],
    answerFor: forReaders,
    summary: 'Scan up to 1,000 blocks for notes and spends',
    input: z
      .strictObject({
        password: field.password.optional(),
        start_height: field.height.optional().describe('Default: last_scan_height + 1'),
        end_height: field.height
          .optional()
          .describe('Default: the chain tip. Alone: what is not scanned yet up to there, lowest first'),
        node_url: field.nodeUrl.optional(),
        source: field.source.optional(),
        verify_with: z
          .enum(['node'])
          .optional()
          .describe(
            'With the source compact alone: block hashes and note commitment tree sizes are compared with the chain node before blocks count',
          ),
        newest_first: z
          .boolean()
          .optional()
          .describe(
            'true: the newest blocks not scanned yet, and when there are none above, what is missing from its top down; not with start_height or end_height',
          ),
      })
      .refine(({ verify_with, source }) => verify_with === undefined || source !== 'node', {
        path: ['verify_with'],
        error: VERIFIES_COMPACT,
      }),
    output: syncSummary,
    http: { method: 'POST', path: '/api/sync' },
    ipc: 'sync',
    cli: { words: ['sync'], repeated: true },
    hasNoDeadline: true,
    errors: [
      ...new Set([
        ...NEEDS_PASSWORD,
        'WALLET_LOCKED',
        'INVALID_RANGE',
        'SYNC_IN_PROGRESS',
        'NODE_BEHIND',
        'BLOCK_AHEAD_OF_CLOCK',
        'REORG_TOO_DEEP',
        ...ASKS_SOURCE,
      ] as const),
    ],
  },
  'sync.status': {
    actor: 'wallet',
    access: 'anyone',
    reach: ANY_SCOPE,
    answerFor: forReaders,
    summary: 'Progress of the running scan, and how the last one ended',
    input: z.strictObject({}),
    output: z.strictObject({
      syncing: z.boolean(),
      progress: syncProgress.nullable().describe('Null when nothing runs'),
      last_scan_height: field.height,
      complete: z
        .boolean()
        .nullable()
        .describe('Whether everything from the birthday to last_scan_height is scanned; null while locked'),
      chain_tip: field.height.nullable().describe('As last seen; null before the first sync'),
      work_done: work
        .nullable()
        .describe(
          `${WORK}. What is scanned, of work_total; null while locked, and before the chain tip is known`,
        ),
      work_total: work.nullable().describe('From the birthday to the chain tip, as expected'),
      accounts_searched: field.accountsSearched.describe('As of the balance; null while locked'),
      shared_accounts: z
        .array(field.account)
        .describe(
          'Accounts whose viewing key has a part in common with that of one before: a note that both see counts once, for the lower number. Empty while locked',
        ),
      not_looked_at: notLookedAt.describe(
        'What is missing up to last_scan_height, in words and days; left out when nothing is, and while locked',
      ),
      contradicted: contradicted.describe('As sync answers it, of the last time that it was not null'),
      last_finished_at: field.time.nullable(),
      last_error: z
        .strictObject({ code: z.string(), detail: z.string(), at: field.time })
        .nullable()
        .describe('Null when the last sync succeeded'),
    }),
    http: { method: 'GET', path: '/api/sync/status' },
    ipc: 'sync_status',
    cli: { words: ['sync', 'status'] },
    errors: [],
  },
  'sync.estimate': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['sync'],
    summary: 'How long a scan will take, and how much it will receive, before it begins',
    input: z.strictObject({
      birthday_height: field.birthdayHeight.optional(),
      birthday: field.birthday.optional(),
      source: field.source
        .optional()
        .describe(
          'As if blocks came from it. Default: block_source; peers that are not in use are not asked',
        ),
    }),
    output: z.strictObject({
      start_height: field.height.describe(
        'By the birthday; without one above last_scan_height, or where a new wallet would begin',
      ),
      chain_tip: field.height.describe(
        'By the clock, on the main network, while peers have not shown theirs',
      ),
      read_from_height: field.height.describe(
        'start_height; where peers are read for the first time, a block below it: they give no note commitment trees, so that reading begins above trees that come with the program',
      ),
      blocks: field.count,
      outputs: field.count.describe('Expected by a table of the main network; 0 on others'),
      megabytes: z
        .number()
        .min(0)
        .nullable()
        .describe('To receive from read_from_height on; null for a node, whose blocks are not counted'),
      seconds: z
        .number()
        .min(0)
        .describe('Of computing, with all threads of this companion; a slow line or server adds to it'),
      source: field.source,
    }),
    http: { method: 'GET', path: '/api/sync/estimate' },
    ipc: 'sync_estimate',
    cli: { words: ['sync', 'estimate'] },
    errors: [...ASKS_SOURCE],
  },
  'sync.cancel': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['sync'],
    summary: 'Stop the running scan at its next commit; what was scanned stays',
    input: z.strictObject({}),
    output: z.strictObject({ cancelling: z.boolean().describe('False when nothing was running') }),
    http: { method: 'POST', path: '/api/sync/cancel' },
    ipc: 'sync_cancel',
    cli: { words: ['sync', 'cancel'] },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
