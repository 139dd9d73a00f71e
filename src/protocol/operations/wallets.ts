// The wallets that one companion serves.

import * as z from 'zod';
import * as field from '../fields.ts';
import { ANY_SCOPE } from '../grants.ts';
import { NEEDS_PASSWORD, type Operation } from '../operation.ts';

const wallet = z.strictObject({
  name: z.string().describe('"default", or the name in /api/wallets/{wallet}/'),
  exists: z.boolean().describe('Only the default wallet may not exist'),
  unlocked: z.boolean(),
  watch_only: z.boolean().nullable().describe('Null where there is no wallet, or its file cannot be read'),
  syncing: z.boolean(),
  last_scan_height: field.height
    .nullable()
    .describe('The highest block scanned; null where nothing was, or it is not known'),
});

export const walletsOperations = {
  'wallets.list': {
    actor: 'service',
    access: 'anyone',
    reach: ANY_SCOPE,
    summary: 'List the wallets of this companion, the default one first',
    input: z.strictObject({}),
    output: z.strictObject({
      wallets: z.array(wallet),
      most_open: field.count.describe('So many besides the default one can be in use at a time'),
    }),
    http: { method: 'GET', path: '/api/wallets' },
    ipc: 'wallets_list',
    cli: { words: ['wallet', 'list'], lines: [] },
    errors: [],
  },
  'wallets.rename': {
    actor: 'service',
    access: 'password',
    reach: ['admin'],
    summary: 'Give a wallet beside the default one another name; it is locked then',
    input: z.strictObject({
      wallet: z.string().describe('Its name now'),
      name: z.string().describe('Its new name'),
      password: field.password,
    }),
    output: z.strictObject({ name: z.string() }),
    http: { method: 'POST', path: '/api/wallets/rename' },
    ipc: 'wallets_rename',
    cli: { words: ['wallet', 'rename'], positional: ['wallet', 'name'] },
    errors: [...NEEDS_PASSWORD, 'WALLET_EXISTS'],
  },
} as const satisfies Record<string, Operation>;
