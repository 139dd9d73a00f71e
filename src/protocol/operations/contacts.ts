// The people whom the user pays, by name: addresses of others. Names of the wallet's own addresses are labels.

import { hasHidden, recipientIn } from '@wallet-companion/client/contract';
import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_SESSION, type Operation } from '../operation.ts';

const MAX_NOTE_LENGTH = 500;

export const contactName = field.label
  .refine(
    (text) => 'contact' in recipientIn(text),
    'must not look like an address or a payment request: have a space or fewer than 24 characters',
  )
  .meta({
    description: 'The name of a contact, 1 to 256 characters; case and width make no other name',
    minLength: 1,
    maxLength: field.MAX_LABEL_LENGTH,
  });

export const contactNote = z
  .string()
  .refine(field.isWellFormed, 'must be text')
  .refine((text) => [...text].length <= MAX_NOTE_LENGTH, `must be at most ${MAX_NOTE_LENGTH} characters`)
  .refine((text) => !hasHidden(text, 'kept'), field.HIDDEN_REFUSED)
  .meta({ description: 'Your own words, at most 500 characters', maxLength: MAX_NOTE_LENGTH });

const contact = z.strictObject({ name: z.string(), address: z.string(), note: z.string().nullable() });

export const contactsOperations = {
  'contacts.list': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'The contacts, by name',
    input: z.strictObject({}),
    output: z.strictObject({ contacts: z.array(contact) }),
    http: { method: 'GET', path: '/api/contacts' },
    ipc: 'contacts_list',
    cli: { words: ['contacts', 'list'] },
    errors: [...NEEDS_SESSION],
  },
  'contacts.set': {
    actor: 'wallet',
    access: 'session',
    reach: ['admin'],
    summary: 'Add a contact, or give the one of that name another address and note',
    input: z.strictObject({
      name: contactName,
      address: field.address.describe('Of the network of the wallet'),
      note: contactNote.optional(),
    }),
    output: contact,
    http: { method: 'POST', path: '/api/contacts' },
    ipc: 'contacts_set',
    cli: { words: ['contacts', 'set'], positional: ['name', 'address'] },
    errors: [...NEEDS_SESSION, 'WALLET_CORRUPT'],
  },
  'contacts.remove': {
    actor: 'wallet',
    access: 'session',
    reach: ['admin'],
    summary: 'Remove a contact',
    input: z.strictObject({ name: contactName }),
    output: z.strictObject({ removed: z.boolean().describe('False where there was none') }),
    http: { method: 'POST', path: '/api/contacts/remove' },
    ipc: 'contacts_remove',
    cli: { words: ['contacts', 'remove'], positional: ['name'] },
    errors: [...NEEDS_SESSION, 'WALLET_CORRUPT'],
  },
} as const satisfies Record<string, Operation>;
