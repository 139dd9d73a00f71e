// The accounts of a wallet and their addresses.

import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_PASSWORD, NEEDS_SESSION, type Operation } from '../operation.ts';

const address = z.strictObject({
  unified_address: z.string(),
  sapling_address: z.string().nullable().describe('Null in a wallet without Sapling keys'),
  diversifier_index: field.diversifierIndex,
});

const accountView = z.strictObject({
  account: field.account,
  name: field.accountName.nullable(),
  account_index: field.accountIndex
    .nullable()
    .describe('ZIP 32 account in the seed that signs; null where it is not known'),
  birthday_height: field.height,
  unified_address: z.string(),
  complete: z.boolean().describe('As of the balance: false before anything was scanned'),
  missing_ranges: z.array(field.heightRange),
});

export const keyOperations = {
  'address.get': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'The address at an index (default: the lowest valid one); reserves nothing',
    input: z.strictObject({
      account: field.oneAccount,
      diversifier_index: field.diversifierIndex.optional(),
    }),
    output: address,
    http: { method: 'GET', path: '/api/address' },
    ipc: 'address_get',
    cli: { words: ['address'], formerly: ['address', 'get'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'address.next': {
    actor: 'wallet',
    access: 'session',
    reach: ['admin'],
    summary: 'A fresh address: the next index above those handed out or paid, reserved',
    input: z.strictObject({ account: field.oneAccount }),
    output: address.extend({
      warning: z
        .string()
        .optional()
        .describe('While blocks of the account are missing: what that means for the address'),
    }),
    http: { method: 'POST', path: '/api/address' },
    ipc: 'address_next',
    cli: { words: ['address', 'next'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT'],
  },
  'accounts.list': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'The accounts of this wallet',
    input: z.strictObject({}),
    output: z.strictObject({
      accounts: z.array(accountView),
      seed_fingerprint: field.seedFingerprint.nullable(),
    }),
    http: { method: 'GET', path: '/api/accounts' },
    ipc: 'accounts_list',
    cli: { words: ['accounts', 'list'] },
    errors: [...NEEDS_SESSION],
  },
  'accounts.create': {
    actor: 'wallet',
    access: 'password',
    reach: ['admin'],
    summary:
      'Add the next ZIP 32 account to an unlocked wallet; blocks from its birthday must be scanned for it',
    input: z.strictObject({
      password: field.password,
      birthday_height: field.birthdayHeight.optional(),
      birthday: field.birthday.optional(),
    }),
    output: accountView,
    http: { method: 'POST', path: '/api/accounts' },
    ipc: 'accounts_create',
    cli: { words: ['accounts', 'create'] },
    errors: [...NEEDS_PASSWORD, 'WALLET_LOCKED', 'SYNC_IN_PROGRESS'],
  },
  'accounts.import_viewing_key': {
    actor: 'wallet',
    access: 'password',
    reach: ['admin'],
    summary:
      'Add another account of the same seed to an unlocked watch-only wallet; blocks from its birthday must be scanned for it',
    input: z.strictObject({
      viewing_key: field.viewingKey,
      account_index: field.accountIndex,
      seed_fingerprint: field.seedFingerprint.optional(),
      name: field.accountName.optional(),
      password: field.password,
      birthday_height: field.birthdayHeight.optional(),
      birthday: field.birthday.optional(),
    }),
    output: accountView,
    http: { method: 'POST', path: '/api/accounts/import-viewing-key' },
    ipc: 'accounts_import_viewing_key',
    cli: { words: ['accounts', 'import-viewing-key'], scans: true },
    errors: [...NEEDS_PASSWORD, 'INVALID_VIEWING_KEY', 'WALLET_LOCKED', 'SYNC_IN_PROGRESS'],
  },
} as const satisfies Record<string, Operation>;
