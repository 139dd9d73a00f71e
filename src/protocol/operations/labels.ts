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

/** The position of an address; account 0 where the account is left out. */
const place = { account: field.oneAccount, diversifier_index: field.diversifierIndex };

export const labelsOperations = {
  'labels.list': {
    actor: 'wallet',
    access: 'session',
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
    summary: 'Take the label of an address away',
    input: z.strictObject(place),
    output: z.strictObject({ removed: z.boolean().describe('False where there was none') }),
    http: { method: 'POST', path: '/api/labels/remove' },
    ipc: 'labels_remove',
    cli: { words: ['labels', 'remove'], positional: ['diversifier_index'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT'],
  },
} as const satisfies Record<string, Operation>;
