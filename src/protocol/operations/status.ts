// What keeps an unattended companion from being useful: whether its node and compact server answer, on the right
// network, and how far the wallet is behind them.

import * as z from 'zod';
import * as field from '../fields.ts';
import { type CallingGrant, mayUseWallet } from '../grants.ts';
import type { Operation } from '../operation.ts';

export const SERVERS = ['node', 'compact_server'] as const;
export type ServerName = (typeof SERVERS)[number];

/**
 * `behind`: the server answers, and its tip is below the scanned height, or far below that of the network's peers. `other_chain`: its
 * blocks are not on the chain of most work that those show.
 */
export const SERVER_STATES = [
  'unknown',
  'up',
  'behind',
  'lost',
  'refused',
  'wrong_network',
  'other_chain',
] as const;
export type ServerState = (typeof SERVER_STATES)[number];

const server = z.strictObject({
  state: z.enum(SERVER_STATES),
  since: field.time.nullable().describe('When it was first found so; null when it was never asked'),
  code: z.string().nullable().describe('The failure while it does not answer as it should'),
  asked_at: field.time.nullable().describe('When it last answered or failed to'),
  tip_height: field.height.nullable().describe('Its tip as last seen'),
  tip_risen_at: field.time.nullable().describe('When that tip was first seen'),
  unknown_upgrade_height: field.height
    .nullable()
    .describe(
      'From this block on it has rules that this version does not know: update before. Null where it names none',
    ),
  end_of_support_height: field.height
    .nullable()
    .describe(
      'After this block its version stops by itself; of a compact server: the node behind it. Null where that is not known, and off the main network',
    ),
  support_warning: z
    .string()
    .nullable()
    .describe(
      'What to do about that, from two weeks before the block on; null before, or where it is not known',
    ),
  clock_warning: z
    .string()
    .nullable()
    .describe(
      "By how much this computer's clock differs from its Date, or is behind its newest block; null where it does not, or is not known",
    ),
});

/** `stale`: no block for half an hour; `slow`: less than half of what was due in six hours. */
export const PEERS_STATES = ['off', 'connecting', 'catching_up', 'current', 'stale', 'slow'] as const;

const peers = z.strictObject({
  state: z.enum(PEERS_STATES).describe('How far the chain of most work is known from peers of the network'),
  connected: field.count.describe('Peers that are connected'),
  agreeing: field.count.describe('Those of them that have the newest block'),
  height: field.height.nullable().describe('Of the chain of most work; null while it is not known'),
  bytes_today: field.count.describe('Sent and received since midnight, UTC'),
  warning: z
    .string()
    .nullable()
    .describe('Why new blocks may be withheld from this computer; null where nothing shows it'),
});

export type PeersStatus = Readonly<z.output<typeof peers>>;

export type ServerView = Readonly<z.output<typeof server>>;

export const statusOperations = {
  'system.status': {
    actor: 'chain',
    access: 'anyone',
    reach: ['read', 'sync'],
    // What was scanned is the default wallet's; its block's time tells the height.
    answerFor: (grant: CallingGrant, answer: object) =>
      mayUseWallet(grant)
        ? answer
        : { ...answer, last_scan_height: null, last_scan_time: null, clock_warning: null },
    summary: 'Tell whether the configured node and compact server answer, and how far the wallet is',
    input: z.strictObject({
      known: z
        .boolean()
        .optional()
        .describe('Tell what is known and ask nobody. Default: servers not asked for 30 seconds are asked'),
    }),
    output: z.strictObject({
      network: field.network,
      last_scan_height: field.height.nullable().describe('Null without a wallet'),
      last_scan_time: field.time
        .nullable()
        .describe(
          'When that block was mined; null where nothing was scanned, and until the wallet is opened once',
        ),
      clock_warning: z
        .string()
        .nullable()
        .describe(
          "By how much this computer's clock is behind that block, or more; null where it is not, or that is not known",
        ),
      node: server,
      compact_server: server,
      peers,
    }),
    http: { method: 'GET', path: '/api/status' },
    ipc: 'status',
    cli: { words: ['status'] },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
