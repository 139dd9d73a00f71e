// Grants: what a program or an extension may do, on which wallets and how long. The owner makes and takes them.

import { hasHidden, isOtherWalletName, trimCopied } from '@wallet-companion/client/contract';
import * as z from 'zod';
import * as field from '../fields.ts';
import { EVERY_WALLET, SCOPES } from '../grants.ts';
import { NEEDS_PASSWORD, type Operation } from '../operation.ts';
import { MAX_ZATOSHI } from './paymentFields.ts';

const MOST_WALLETS = 64;
/** All of them, at their longest, fit into the body of a request. */
const MOST_PAYEES = 48;
const MAX_DAYS = 3650;
const MAX_CALLS = 6000;
const MOST_LINES = 1000;

export const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .describe(
    'What it may do; `admin` has all others. With `prepare` it sees the full viewing key of an account in each PCZT',
  );
export const wallets = z
  .array(
    z
      .string()
      .refine(
        (name) => name === EVERY_WALLET || name === 'default' || isOtherWalletName(name),
        'must be the name of a wallet, "default", or "*" for all',
      ),
  )
  .min(1)
  .max(MOST_WALLETS)
  .describe('Names of wallets; `default`; `*` for all, also later ones (default: `default`)');
export const days = z.int().min(1).max(MAX_DAYS).describe('How long it holds; left out: until it is revoked');

/** A name stays as it is. */
const copiedId = (text: string): string =>
  /^[0-9a-f]{16}$/i.test(trimCopied(text)) ? trimCopied(text).toLowerCase() : text;

const limits = {
  payment_zatoshi: z
    .int()
    .min(0)
    .max(MAX_ZATOSHI)
    .describe('The most that one payment may pay, without the fee'),
  day_zatoshi: z
    .int()
    .min(0)
    .max(MAX_ZATOSHI)
    .describe('The most that the payments it prepared within 24 hours may pay, for each wallet'),
  payees: z
    .array(field.address.refine((text) => !hasHidden(text), field.HIDDEN_REFUSED))
    .max(MOST_PAYEES)
    .describe('The only addresses that it may pay, as payments write them'),
  calls_per_minute: z.int().min(1).max(MAX_CALLS).describe('The most calls in a minute'),
};
const givenLimits = {
  payment_zatoshi: limits.payment_zatoshi.optional(),
  day_zatoshi: limits.day_zatoshi.optional(),
  payees: limits.payees.optional(),
  calls_per_minute: limits.calls_per_minute.optional(),
};

const which = z
  .string()
  .overwrite(copiedId)
  .min(1)
  .max(256)
  .describe("Its id or name; an extension's id or origin");

const grant = z.strictObject({
  id: z.string(),
  name: z.string(),
  origin: z.string().nullable().describe('The extension that was let in; null: it has a token'),
  scopes: z.array(z.enum(SCOPES)),
  wallets: z.array(z.string()),
  expires_at: field.time.nullable(),
  expired: z.boolean(),
  limits: z.strictObject({
    payment_zatoshi: field.zatoshi.nullable(),
    day_zatoshi: field.zatoshi.nullable(),
    payees: z.array(z.string()).nullable(),
    calls_per_minute: field.count.nullable(),
  }),
  created_at: field.time,
  last_used_at: field.time.nullable(),
});

export const withToken = z.strictObject({
  grant,
  token: z.string().describe('Shown this once: `Authorization: Bearer TOKEN`'),
});

const line = z.strictObject({
  at: field.time,
  grant: z.string().describe('Its id; `anonymous` for callers without one'),
  name: z.string(),
  operation: z.string(),
  wallet: z.string().nullable(),
  result: z.string().describe('`ok`, or the code of the failure'),
});

const TOKEN_ONCE =
  'The token is shown this once. Put it into a file that only its program can read; "grant rotate" gives another one.';

const COMMON = { actor: 'service', access: 'owner_or_password', reach: 'owner' } as const;

export const grantsOperations = {
  'grants.list': {
    ...COMMON,
    access: 'anyone',
    summary: 'List the grants, and what callers without one may do',
    input: z.strictObject({}),
    output: z.strictObject({
      anonymous_access: field.anonymousAccess.describe(
        'What HTTP callers without a grant may do (config.json)',
      ),
      allowed_origins: z
        .array(z.string())
        .describe('Origins in config.json: each has `admin` on every wallet, without an end'),
      grants: z.array(grant),
    }),
    http: { method: 'GET', path: '/api/grants' },
    ipc: 'grants_list',
    cli: {
      words: ['grant', 'list'],
      columns: ['name', 'scopes', 'wallets', 'expires_at', 'last_used_at', 'id', 'origin'],
    },
    errors: [],
  },
  'grants.create': {
    ...COMMON,
    summary: 'Make a grant for a program; its token is shown once',
    input: z.strictObject({
      name: field.displayName.describe('For whom or what it is; no two grants have one name'),
      scopes,
      wallets: wallets.optional(),
      days: days.optional(),
      ...givenLimits,
    }),
    output: withToken,
    http: { method: 'POST', path: '/api/grants' },
    ipc: 'grants_create',
    cli: {
      words: ['grant', 'create'],
      positional: ['name'],
      flags: { scopes: 'scope', days: 'expires', payees: 'payee' },
      takesWallets: true,
      warning: TOKEN_ONCE,
    },
    errors: [...NEEDS_PASSWORD],
  },
  'grants.narrow': {
    ...COMMON,
    summary: 'Take something from a grant: scopes, wallets, time, limits. Nothing can be added',
    input: z.strictObject({
      grant: which,
      scopes: scopes.optional(),
      wallets: wallets.optional(),
      days: days.describe('From now on; not longer than it holds').optional(),
      ...givenLimits,
    }),
    output: grant,
    http: { method: 'POST', path: '/api/grants/narrow' },
    ipc: 'grants_narrow',
    cli: {
      words: ['grant', 'narrow'],
      positional: ['grant'],
      flags: { scopes: 'scope', days: 'expires', payees: 'payee' },
      takesWallets: true,
    },
    errors: [...NEEDS_PASSWORD, 'NOT_FOUND'],
  },
  'grants.rotate': {
    ...COMMON,
    summary: 'Give a grant another token; the one before holds no more',
    input: z.strictObject({ grant: which }),
    output: withToken,
    http: { method: 'POST', path: '/api/grants/rotate' },
    ipc: 'grants_rotate',
    cli: { words: ['grant', 'rotate'], positional: ['grant'], warning: TOKEN_ONCE },
    errors: [...NEEDS_PASSWORD, 'NOT_FOUND'],
  },
  'grants.revoke': {
    ...COMMON,
    summary: 'End a grant at once, with its open event streams',
    input: z.strictObject({ grant: which }),
    output: grant,
    http: { method: 'POST', path: '/api/grants/revoke' },
    ipc: 'grants_revoke',
    cli: { words: ['grant', 'revoke'], positional: ['grant'] },
    errors: [...NEEDS_PASSWORD, 'NOT_FOUND'],
  },
  'grants.log': {
    ...COMMON,
    access: 'anyone',
    summary: 'What was done with grants, and what was refused, the latest first; never the content',
    input: z.strictObject({
      grant: which.optional(),
      limit: z.int().min(1).max(MOST_LINES).describe('Lines (default 100)').optional(),
    }),
    output: z.strictObject({ lines: z.array(line) }),
    http: { method: 'GET', path: '/api/grants/log' },
    ipc: 'grants_log',
    cli: {
      words: ['grant', 'log'],
      columns: ['at', 'name', 'operation', 'result', 'wallet', 'grant'],
    },
    errors: [],
  },
  'grants.page_code': {
    ...COMMON,
    summary:
      'A code with which the dashboard opens once, within a minute; for the owner on this machine alone',
    input: z.strictObject({}),
    output: z.strictObject({ code: z.string(), expires_at: field.time }),
    http: { method: 'POST', path: '/api/grants/page-code' },
    ipc: 'grants_page_code',
    cli: { words: ['grant', 'page-code'] },
    errors: [...NEEDS_PASSWORD],
  },
  'grants.open_page': {
    ...COMMON,
    access: 'anyone',
    reach: 'anyone',
    summary: "Exchange the code for the dashboard's token, which lives in the page's memory",
    input: z.strictObject({ code: z.string().min(1).max(128) }),
    output: z.strictObject({ token: z.string() }),
    http: { method: 'POST', path: '/api/grants/open-page' },
    ipc: 'grants_open_page',
    cli: { words: ['grant', 'open-page'], positional: ['code'] },
    errors: ['GRANT_REQUIRED', ...NEEDS_PASSWORD],
  },
} as const satisfies Record<string, Operation>;
