// Follow mode: new blocks are scanned as they arrive, and gaps are closed, while the wallet is unlocked.

import * as z from 'zod';
import * as field from '../fields.ts';
import type { Operation } from '../operation.ts';

const status = z.strictObject({
  enabled: z.boolean(),
  source: field.source,
  verifies_with: field.verifier
    .nullable()
    .describe(
      'Asked once more for blocks that rest on a compact server alone, when nothing else is to do: the node, or peers (`work`) for stretches of 100 blocks around what is ours; null where neither is',
    ),
  keep_open: z.boolean().describe('Whether the wallet stays unlocked for as long as follow mode is on'),
  state: z
    .enum(['off', 'waiting_for_unlock', 'scanning', 'caught_up', 'backing_off'])
    .describe(
      'waiting_for_unlock: also where there is no wallet yet. backing_off: the last look failed, see failure. off: also in a process that answers one command',
    ),
  last_tip_height: field.height.nullable().describe('The chain tip as last seen; null before that'),
  last_new_block_at: field.time
    .nullable()
    .describe('When a block above all others was last scanned, by whomever; null since the start'),
  next_look_at: field.time
    .nullable()
    .describe(
      'When the source is asked at the latest; null while it is asked, and where nothing is followed',
    ),
  failure: z
    .strictObject({ code: z.string(), detail: z.string(), at: field.time })
    .nullable()
    .describe('The error of the last look; null when it succeeded'),
});

export const followOperations = {
  'follow.get': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['read', 'sync'],
    summary: 'Whether new blocks are followed, and how that goes',
    input: z.strictObject({}),
    output: status,
    http: { method: 'GET', path: '/api/follow' },
    ipc: 'follow_get',
    cli: { words: ['follow', 'status'] },
    errors: [],
  },
  'follow.set': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['sync'],
    summary: 'Follow new blocks, or stop it; kept for later starts',
    input: z.strictObject({
      enabled: z.boolean().describe('Whether new blocks are scanned as they come, and gaps closed'),
      source: field.source
        .optional()
        .describe('Only the block source, which config.block_source sets for all calls; leave it out'),
      keep_open: z
        .boolean()
        .optional()
        .describe(
          'Keep the wallet unlocked meanwhile. To turn that on takes the password. Left out: as it is; off once nothing is followed',
        ),
    }),
    output: status,
    http: { method: 'POST', path: '/api/follow' },
    ipc: 'follow_set',
    cli: { words: ['follow', 'set'], positional: ['enabled'] },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
