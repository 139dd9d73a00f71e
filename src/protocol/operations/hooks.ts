// Whether the deliveries that `on_event` in config.json requests arrive, for operators of an unattended companion.

import * as z from 'zod';
import * as field from '../fields.ts';
import { HOOK_EVENTS } from '../hookEvents.ts';
import type { Operation } from '../operation.ts';

const hook = z.strictObject({
  name: z.string(),
  wallet: z.string().describe('Whose events the line is about: "default", or the name of another wallet'),
  kind: z.enum(['command', 'webhook']),
  target: z.string().describe('Host of the address, or name of the program; never more of either'),
  events: z.array(z.enum(HOOK_EVENTS)),
  state: z
    .enum(['idle', 'delivering', 'waiting_for_unlock', 'backing_off', 'not_running', 'no_wallet'])
    .describe(
      'waiting_for_unlock: changes cannot be read while the wallet is locked. not_running: `serve` alone delivers. no_wallet: config.json names a wallet that is not there',
    ),
  queued: field.count.describe('Events that wait, changes not counted'),
  last_sequence: field.count.describe(
    'The number of the last delivery, or above it after a restart; 0: none yet',
  ),
  last_delivered_at: field.time.nullable(),
  failures: field.count.describe('Tries that failed since something was delivered'),
  failure: z
    .strictObject({ reason: z.string(), at: field.time })
    .nullable()
    .describe('The error of the last try; null when it succeeded'),
  next_try_at: field.time.nullable(),
  dropped: field.count.describe('Events given up since the start; changes never are'),
  began_anew_at: field.time
    .nullable()
    .describe('When the place in the changes was last not known any more: those before it were not told'),
});

export const hooksOperations = {
  'hooks.list': {
    actor: 'service',
    access: 'anyone',
    reach: ['admin'],
    summary: 'Tell whether the hooks of config.json deliver, for each wallet',
    input: z.strictObject({}),
    output: z.strictObject({ hooks: z.array(hook) }),
    http: { method: 'GET', path: '/api/hooks' },
    ipc: 'hooks_list',
    cli: {
      words: ['hooks'],
      columns: ['name', 'wallet', 'kind', 'target', 'state', 'failures', 'failure', 'last_delivered_at'],
    },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
