// Pairing with a browser extension: the extension requests it, the user compares a short code and allows or refuses.

import { trimCopied } from '@wallet-companion/client/contract';
import * as z from 'zod';
import * as field from '../fields.ts';
import { SCOPES } from '../grants.ts';
import { NEEDS_PASSWORD, type Operation } from '../operation.ts';
import { days, scopes, wallets } from './grants.ts';

const code = z
  .string()
  .overwrite(trimCopied)
  .regex(/^[A-Za-z0-9]{3}-?[A-Za-z0-9]{3}$/, 'must be six letters and digits, such as K7F-2QX')
  .meta({ description: 'What the extension shows, such as `K7F-2QX`' });

const request = z.strictObject({
  origin: z.string(),
  name: z.string().nullable().describe('What the extension calls itself; anybody can call itself anything'),
  code: z.string(),
  scopes: z.array(z.enum(SCOPES)).describe('What it asks for'),
  wallets: z.array(z.string()),
  days: z.int().nullable().describe('For how long; null: until it is revoked'),
  has_token: z.boolean().describe('Its calls will need a token that it alone has'),
  asked_at: field.time,
  expires_at: field.time,
});

const pairings = z.strictObject({
  requests: z.array(request).describe('Those that wait for an answer, oldest first'),
  allowed_origins: z.array(z.string()).describe('Those that are let in, by a grant or by config.json'),
});

export const pairingOperations = {
  'pairing.request': {
    actor: 'service',
    access: 'anyone',
    reach: 'anyone',
    summary:
      'Ask to be let in, as a browser extension that is not on allowed_origins; ask again for the answer',
    input: z.strictObject({
      origin: field.extensionOrigin.describe('Its own, as the browser sends it in the header Origin'),
      name: field.displayName.optional().describe('Shown to the person who decides'),
      scopes: scopes.describe('What it needs (default: `admin`, on every wallet)').optional(),
      wallets: wallets.optional(),
      days: days.optional(),
      token_hash: field
        .hex(32, 'must be a SHA-256 in hexadecimal')
        .describe(
          'SHA-256 of a token that it has made and keeps, and sends with its calls once it is let in: without one, any program that names this origin is taken for it',
        )
        .optional(),
    }),
    output: z.strictObject({
      status: z.enum(['waiting', 'allowed', 'refused']),
      code: z.string().nullable().describe('To be shown to the person while it waits, else null'),
      expires_at: field.time.nullable().describe('When nobody has answered by then, ask anew'),
    }),
    http: { method: 'POST', path: '/api/pair', status: 202 },
    ipc: 'pair_request',
    cli: { words: ['pair', 'request'], positional: ['origin'] },
    errors: ['ORIGIN_FORBIDDEN'],
  },
  'pairing.list': {
    actor: 'service',
    access: 'anyone',
    reach: 'owner',
    summary: 'Extensions that ask to be let in, and those that are',
    input: z.strictObject({}),
    output: pairings,
    http: { method: 'GET', path: '/api/pair' },
    ipc: 'pair_list',
    cli: { words: ['pair'] },
    errors: [],
  },
  'pairing.allow': {
    actor: 'service',
    access: 'owner_or_password',
    reach: 'owner',
    summary: 'Let the extension in that shows this code, as far as it asked or less',
    input: z.strictObject({
      code,
      scopes: scopes.describe('Of those that it asked for (default: all of them)').optional(),
      wallets: wallets.describe('Of those that it asked for (default: all of them)').optional(),
      days: days.describe('Not longer than it asked for').optional(),
    }),
    output: pairings,
    http: { method: 'POST', path: '/api/pair/allow' },
    ipc: 'pair_allow',
    cli: {
      words: ['pair', 'allow'],
      positional: ['code'],
      flags: { scopes: 'scope', days: 'expires' },
      takesWallets: true,
    },
    errors: [...NEEDS_PASSWORD, 'NOT_FOUND'],
  },
  'pairing.refuse': {
    actor: 'service',
    access: 'anyone',
    reach: 'owner',
    summary: 'Refuse the extension that shows this code; for ten minutes it cannot ask again',
    input: z.strictObject({ code }),
    output: pairings,
    http: { method: 'POST', path: '/api/pair/refuse' },
    ipc: 'pair_refuse',
    cli: { words: ['pair', 'refuse'], positional: ['code'] },
    errors: ['NOT_FOUND'],
  },
  'pairing.revoke': {
    actor: 'service',
    access: 'owner_or_password',
    reach: 'owner',
    summary: 'Let an extension in no longer',
    input: z.strictObject({ origin: z.string().max(256) }),
    output: pairings,
    http: { method: 'POST', path: '/api/pair/revoke' },
    ipc: 'pair_revoke',
    cli: { words: ['pair', 'revoke'], positional: ['origin'] },
    errors: [...NEEDS_PASSWORD, 'NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
