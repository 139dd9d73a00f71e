// The wallets that one companion serves.

import * as z from 'zod';
import * as field from '../fields.ts';
import type { Operation } from '../operation.ts';

const wallet = z.strictObject({
  name: z.string().describe('"default", or the name in /api/wallets/{wallet}/'),
  exists: z.boolean().describe('Only the default wallet may not exist'),
  unlocked: z.boolean(),
  watch_only: z.boolean().nullable().describe('Null where there is no wallet, or its file cannot be read'),
  syncing: z.boolean(),
});

export const walletsOperations = {
  'wallets.list': {
    actor: 'service',
    access: 'anyone',
    summary: 'List the wallets of this companion, the default one first',
    input: z.strictObject({}),
    output: z.strictObject({
      wallets: z.array(wallet),
      most_open: field.count.describe('So many besides the default one can be in use at a time'),
    }),
    http: { method: 'GET', path: '/api/wallets' },
    ipc: 'wallets_list',
    cli: { words: ['wallet', 'list'] },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
