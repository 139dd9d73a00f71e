// The user's names for the addresses of the wallet.

import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_SESSION, type Operation } from '../operation.ts';

const labelled = z.strictObject({
  account: field.account,
  diversifier_index: field.diversifierIndex,
  address: z.string().describe('The unified address'),
  label: z.string(),
});

/** As many labels and contacts as a wallet has room for, with their addresses, in base64. */
const MAX_FILE_LENGTH = 8 * 1024 * 1024;

/** The position of an address; account 0 where the account is left out. */
const place = { account: field.oneAccount, diversifier_index: field.diversifierIndex };

export const labelsOperations = {
  'labels.list': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'The labels of our addresses',
    input: z.strictObject({ account: field.onlyAccount }),
    output: z.strictObject({ labels: z.array(labelled) }),
    http: { method: 'GET', path: '/api/labels' },
    ipc: 'labels_list',
    cli: { words: ['labels', 'list'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'labels.set': {
    actor: 'wallet',
    access: 'session',
    reach: ['admin'],
    summary: 'Label one of our addresses, or change its label',
    input: z.strictObject({ ...place, label: field.label }),
    output: labelled,
    http: { method: 'POST', path: '/api/labels' },
    ipc: 'labels_set',
    cli: { words: ['labels', 'set'], positional: ['diversifier_index', 'label'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT'],
  },
  'labels.remove': {
    actor: 'wallet',
    access: 'session',
    reach: ['admin'],
    summary: 'Take the label of an address away',
    input: z.strictObject(place),
    output: z.strictObject({ removed: z.boolean().describe('False where there was none') }),
    http: { method: 'POST', path: '/api/labels/remove' },
    ipc: 'labels_remove',
    cli: { words: ['labels', 'remove'], positional: ['diversifier_index'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT'],
  },
  'labels.export': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'The labels and contacts as JSON Lines (BIP 329), for other wallets',
    input: z.strictObject({ account: field.onlyAccount }),
    output: z.strictObject({
      text: z
        .string()
        .describe(
          'A line for each label: `type` (addr), `ref` (the unified address), `label`; for all accounts also one for each contact, with its name as `label`, and its `note`',
        ),
    }),
    http: { method: 'GET', path: '/api/labels/export' },
    ipc: 'labels_export',
    cli: { words: ['labels', 'export'], file: 'text' },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'labels.import': {
    actor: 'wallet',
    access: 'session',
    reach: ['admin'],
    summary:
      'Take labels of our addresses, and contacts, from JSON Lines (BIP 329); all of them, or none where a line is wrong',
    input: z.strictObject({
      labels: z.base64().max(MAX_FILE_LENGTH).describe('The lines, as UTF-8 in base64'),
    }),
    maxInputBytes: MAX_FILE_LENGTH + 64 * 1024,
    output: z.strictObject({
      imported: field.count.describe('Labels of our addresses'),
      contacts: field.count.describe('Addresses of others: the label is the name of the contact'),
      ignored: field.count.describe(
        'Lines of other types, without a label, or about what is no address of this network',
      ),
    }),
    http: { method: 'POST', path: '/api/labels/import' },
    ipc: 'labels_import',
    cli: { words: ['labels', 'import'], positional: ['labels'], files: ['labels'] },
    errors: [...NEEDS_SESSION, 'WALLET_CORRUPT'],
  },
} as const satisfies Record<string, Operation>;
