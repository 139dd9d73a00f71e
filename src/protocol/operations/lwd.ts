// The compact-block server: requests to it, and a store of its blocks.

import * as z from 'zod';
import * as field from '../fields.ts';
import { ASKS_COMPACT_SERVER, type Operation } from '../operation.ts';

const server = {
  compact_server_url: field.compactServerUrl.optional(),
  db_path: field.dbPath.optional(),
};

const store = z.strictObject({
  path: z.string(),
  first_height: field.height.nullable(),
  last_height: field.height.nullable(),
  block_count: field.count,
  missing_ranges: z.array(field.heightRange),
});

export const lwdOperations = {
  'lwd.info': {
    actor: 'chain',
    access: 'anyone',
    reach: ['read', 'sync'],
    summary:
      'What the compact-block server says about itself, its heights included, and what the local store holds',
    input: z.strictObject(server),
    // GetLightdInfo (lightwallet protocol 0.5.0) in snake_case. Fields that a server leaves out are "" or 0, as in
    // proto3.
    output: z.strictObject({
      version: z.string(),
      vendor: z.string(),
      taddr_support: z.boolean(),
      chain_name: z.string(),
      sapling_activation_height: field.count,
      consensus_branch_id: z.string(),
      block_height: field.count.describe(
        'What the server says, unchecked; see GET /api/lwd/chain-tip for a checked one',
      ),
      git_commit: z.string(),
      branch: z.string(),
      build_date: z.string(),
      build_user: z.string(),
      estimated_height: field.count.describe('What the server says, unchecked'),
      node_build: z.string(),
      node_subversion: z.string(),
      donation_address: z.string(),
      upgrade_name: z.string(),
      upgrade_height: field.count,
      lightwallet_protocol_version: z.string(),
      compact_server_url: z.string(),
      store: store.nullable().describe('Null while there is none; asking never makes one'),
    }),
    http: { method: 'GET', path: '/api/lwd/info' },
    ipc: 'lwd_info',
    cli: { words: ['lwd', 'info'] },
    errors: [...ASKS_COMPACT_SERVER, 'INVALID_DB_PATH'],
  },
  'lwd.chain_tip': {
    actor: 'chain',
    access: 'anyone',
    reach: ['read', 'sync'],
    summary: "The compact-block server's best block",
    input: z.strictObject(server),
    output: z.strictObject({
      height: field.height,
      hash: field.displayHash,
      compact_server_url: z.string(),
      stored_height: field.height.nullable().describe('Top of the local store'),
    }),
    http: { method: 'GET', path: '/api/lwd/chain-tip' },
    ipc: 'lwd_chain_tip',
    cli: { words: ['lwd', 'chain-tip'] },
    errors: [...ASKS_COMPACT_SERVER, 'INVALID_DB_PATH'],
  },
  'lwd.servers': {
    actor: 'chain',
    access: 'anyone',
    reach: ['admin'],
    summary: 'Public compact-block servers to choose from; nothing is asked of them unless try is given',
    input: z.strictObject({
      try: z
        .boolean()
        .optional()
        .describe('Ask each of them once now, which shows them this network address'),
    }),
    output: z.strictObject({
      list_date: z.string().nullable().describe('Of the list; null for one of config.json'),
      notice: z.string().describe('What such a server sees and can do, to be read before the choice'),
      servers: z.array(
        z.strictObject({
          compact_server_url: z.string(),
          operator: z.string().describe('Who runs it'),
          where: z.string().describe('Empty where it is not known'),
          tried: z
            .strictObject({
              state: z
                .enum(['up', 'behind', 'failed'])
                .describe('behind: more than 300 blocks below the highest of them'),
              height: field.height.nullable(),
              code: z.string().nullable().describe('Of the failure, such as NETWORK_MISMATCH'),
              detail: z.string().nullable(),
              elapsed_ms: field.elapsedMs,
            })
            .nullable()
            .describe('Null where it was not asked'),
        }),
      ),
    }),
    http: { method: 'GET', path: '/api/lwd/servers' },
    ipc: 'lwd_servers',
    cli: { words: ['lwd', 'servers'] },
    errors: [],
  },
  'lwd.sync_compact': {
    actor: 'chain',
    access: 'anyone',
    reach: ['sync'],
    summary: 'Fetch up to 1,000 compact blocks into the local store',
    input: z.strictObject({
      ...server,
      start_height: field.height.optional().describe("Default: above the store's top"),
      end_height: field.height.optional().describe('Default: the chain tip'),
    }),
    output: z.strictObject({
      start_height: field.height,
      end_height: field.height,
      blocks_stored: field.count,
      bytes: field.count,
      chain_tip: field.height,
      next_start_height: field.height,
      range_complete: z.boolean().describe('Whether every block asked for exists and is stored'),
      caught_up: z
        .boolean()
        .describe("Whether the store's top is the server's chain tip; `lwd.info` lists holes below it"),
      reorg: field.reorg,
      unscanned: field.heightRange
        .nullable()
        .describe(
          "Stored blocks above the wallet's last_scan_height: nothing is scanned here. Null without a wallet",
        ),
      db_path: z.string(),
      elapsed_ms: field.elapsedMs,
    }),
    http: { method: 'POST', path: '/api/lwd/sync/compact' },
    ipc: 'lwd_sync_compact',
    cli: { words: ['lwd', 'sync', 'compact'] },
    hasNoDeadline: true,
    errors: [
      ...ASKS_COMPACT_SERVER,
      'INVALID_DB_PATH',
      'INVALID_RANGE',
      'SYNC_IN_PROGRESS',
      'NODE_BEHIND',
      'REORG_TOO_DEEP',
    ],
  },
  'lwd.prune': {
    actor: 'chain',
    access: 'anyone',
    reach: ['admin'],
    summary: 'Remove old blocks from the local store, asked for or not, and give their room back to the disk',
    input: z
      .strictObject({
        ...server,
        below_height: field.height.optional().describe('Blocks below it go; with keep: those that both name'),
        keep: field.height
          .optional()
          .describe("So many heights up to the store's top stay; 0: all blocks go"),
      })
      .refine(({ below_height, keep }) => below_height !== undefined || keep !== undefined, {
        path: ['keep'],
        error: 'is needed, or below_height: which blocks are to go',
      }),
    output: z.strictObject({
      blocks_removed: field.count,
      bytes_removed: field.count.describe('The size of the messages of these blocks'),
      complete: z
        .boolean()
        .describe(
          'False: there are more to remove, since this one would have taken too long or a scan is reading them; ask again',
        ),
      file_bytes_before: field.count.describe('0 without a store'),
      file_bytes_after: field.count,
      reusable_bytes: field.count.describe('The part of file_bytes_after that the next blocks will use'),
      store: store.nullable().describe('What is left; null while there is none'),
      elapsed_ms: field.elapsedMs,
    }),
    http: { method: 'POST', path: '/api/lwd/prune' },
    ipc: 'lwd_prune',
    cli: { words: ['lwd', 'prune'] },
    errors: ['INVALID_URL', 'NETWORK_MISMATCH', 'INVALID_DB_PATH', 'SYNC_IN_PROGRESS'],
  },
} as const satisfies Record<string, Operation>;
