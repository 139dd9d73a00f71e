// The till: the page is left to a cashier, with a grant that makes invoices and a PIN for its lock, until the password ends it.

import * as z from 'zod';
import { NEEDS_PASSWORD, type Operation } from '../operation.ts';
import { wallets, withToken } from './grants.ts';

const pin = z
  .string()
  .regex(/^[0-9]{4,8}$/, 'must be 4 to 8 digits')
  .describe("The cashier's PIN, 4 to 8 digits");

const state = z.strictObject({
  is_on: z.boolean().describe('Until it ends, callers over HTTP without a grant can do nothing'),
});

export const tillOperations = {
  'till.get': {
    actor: 'service',
    access: 'anyone',
    reach: 'anyone',
    summary: 'Whether the till is on',
    input: z.strictObject({}),
    output: state,
    http: { method: 'GET', path: '/api/till' },
    ipc: 'till_get',
    cli: { words: ['till', 'status'] },
    errors: [],
  },
  'till.start': {
    actor: 'service',
    access: 'owner_or_password',
    reach: 'owner',
    summary:
      "Begin the till: a grant that makes invoices and sees those alone, and a PIN for its lock; the owner's pages close",
    input: z.strictObject({ pin, wallets: wallets.optional() }),
    output: withToken,
    http: { method: 'POST', path: '/api/till/start' },
    ipc: 'till_start',
    cli: { words: ['till', 'start'], takesWallets: true },
    errors: [...NEEDS_PASSWORD],
  },
  'till.lock': {
    actor: 'service',
    access: 'anyone',
    reach: ['read', 'invoice'],
    summary:
      "Lock the till: its token holds no more, its PIN gives another one. The till's own call, or the owner's",
    input: z.strictObject({}),
    output: state,
    http: { method: 'POST', path: '/api/till/lock' },
    ipc: 'till_lock',
    cli: { words: ['till', 'lock'] },
    errors: ['NOT_FOUND'],
  },
  'till.unlock': {
    actor: 'service',
    access: 'anyone',
    reach: 'anyone',
    summary: 'Exchange the PIN for another token; wrong ones have to wait, also after a restart',
    input: z.strictObject({ pin }),
    output: withToken,
    http: { method: 'POST', path: '/api/till/unlock' },
    ipc: 'till_unlock',
    cli: { words: ['till', 'unlock'] },
    errors: ['NOT_FOUND', 'WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS'],
  },
  'till.end': {
    actor: 'service',
    access: 'owner_or_password',
    reach: 'anyone',
    summary: "End the till: its grant ends, and the page is the owner's again",
    input: z.strictObject({}),
    output: z.strictObject({
      token: z
        .string()
        .nullable()
        .describe("The page's; null for the owner, and where callers without a grant may do everything"),
    }),
    http: { method: 'POST', path: '/api/till/end' },
    ipc: 'till_end',
    cli: { words: ['till', 'end'] },
    errors: [...NEEDS_PASSWORD, 'NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
