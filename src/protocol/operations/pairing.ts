// Pairing with a browser extension: the extension requests it, the user compares a short code and allows or refuses.

import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_PASSWORD, type Operation } from '../operation.ts';

const code = z
  .string()
  .regex(/^[A-Za-z0-9]{3}-?[A-Za-z0-9]{3}$/, 'must be six letters and digits, such as K7F-2QX')
  .meta({ description: 'What the extension shows, such as `K7F-2QX`' });

const request = z.strictObject({
  origin: z.string(),
  name: z.string().nullable().describe('What the extension calls itself; anybody can call itself anything'),
  code: z.string(),
  asked_at: field.time,
  expires_at: field.time,
});

const pairings = z.strictObject({
  requests: z.array(request).describe('Those that wait for an answer, oldest first'),
  allowed_origins: z.array(z.string()),
});

export const pairingOperations = {
  'pairing.request': {
    actor: 'wallet',
    ofCompanion: true,
    access: 'anyone',
    summary:
      'Ask to be let in, as a browser extension that is not on allowed_origins; ask again for the answer',
    input: z.strictObject({
      origin: field.extensionOrigin.describe('Its own, as the browser sends it in the header Origin'),
      name: field.displayName.optional().describe('Shown to the person who decides'),
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
    actor: 'wallet',
    ofCompanion: true,
    access: 'anyone',
    summary: 'Extensions that ask to be let in, and those that are',
    input: z.strictObject({}),
    output: pairings,
    http: { method: 'GET', path: '/api/pair' },
    ipc: 'pair_list',
    cli: { words: ['pair'] },
    errors: [],
  },
  'pairing.allow': {
    actor: 'wallet',
    ofCompanion: true,
    access: 'password',
    summary: 'Let the extension in that shows this code',
    input: z.strictObject({ code, password: field.password }),
    output: pairings,
    http: { method: 'POST', path: '/api/pair/allow' },
    ipc: 'pair_allow',
    cli: { words: ['pair', 'allow'], positional: ['code'] },
    errors: [...NEEDS_PASSWORD, 'NOT_FOUND'],
  },
  'pairing.refuse': {
    actor: 'wallet',
    ofCompanion: true,
    access: 'anyone',
    summary: 'Refuse the extension that shows this code; for ten minutes it cannot ask again',
    input: z.strictObject({ code }),
    output: pairings,
    http: { method: 'POST', path: '/api/pair/refuse' },
    ipc: 'pair_refuse',
    cli: { words: ['pair', 'refuse'], positional: ['code'] },
    errors: ['NOT_FOUND'],
  },
  'pairing.revoke': {
    actor: 'wallet',
    ofCompanion: true,
    access: 'password',
    summary: 'Let an extension in no longer',
    input: z.strictObject({ origin: z.string().max(256), password: field.password }),
    output: pairings,
    http: { method: 'POST', path: '/api/pair/revoke' },
    ipc: 'pair_revoke',
    cli: { words: ['pair', 'revoke'], positional: ['origin'] },
    errors: [...NEEDS_PASSWORD, 'NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
