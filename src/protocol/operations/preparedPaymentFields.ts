// A prepared payment as callers name it and see it.

import { trimCopied } from '@wallet-companion/client/contract';
import * as z from 'zod';
import * as field from '../fields.ts';
import { contactName } from './contacts.ts';
import { amount, invoiceId, MAX_MEMO_BYTES, text, zatoshi } from './paymentFields.ts';

// The fields of operations that take or explain a PCZT.

/** 1.5 MiB of bytes; 32 full actions in each of two pools are a fifth of it. */
const MAX_PCZT_LENGTH = 2 * 1024 * 1024;
/** The limit of an input that contains a PCZT, with the rest of the JSON. */
export const MAX_INPUT_BYTES = MAX_PCZT_LENGTH + 64 * 1024;
/** Groups digits by thousands. Intl takes ten milliseconds for its first call, at each start of each thread. */
const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
const BASE64 = '^[A-Za-z0-9+/]+={0,2}$';

export const pczt = z
  .string()
  .overwrite(trimCopied)
  .refine(
    (text) => text.length <= MAX_PCZT_LENGTH && new RegExp(BASE64).test(text) && text.length % 4 === 0,
    `must be a PCZT in base64, at most ${grouped(MAX_PCZT_LENGTH)} characters`,
  )
  .meta({
    description: 'A PCZT (ZIP 374, encoding 1 or 2) in base64',
    pattern: BASE64,
    maxLength: MAX_PCZT_LENGTH,
  });

const PLACES = ['transparent', ...field.POOL_NAMES] as const;
/** The part of the transaction that contains a spend or an output. */
export const place = z.enum(PLACES);

/** What a payment makes public; the caller must agree to each by name. */
export const CONSENTS = ['crossing_pools', 'transparent_recipients', 'unusual_fee'] as const;
/** What a payment shows; the last one is what shielding is. */
const DISCLOSURES = [...CONSENTS, 'transparent_senders'] as const;
export const PAYMENT_STATUSES = [
  'prepared',
  'complete',
  'sent',
  'in_mempool',
  'mined',
  'confirmed',
  'expired',
  'conflicted',
  'lost_note',
  'discarded',
] as const;

export const recipientFields = {
  address: field.address.describe('Unified, Sapling or transparent address'),
  contact: contactName.describe('The name of a contact, in the place of an address'),
  amount: amount('In ZEC, as text'),
  zatoshi,
  memo: text('Not for transparent addresses', MAX_MEMO_BYTES),
};

export const recipient = z
  .strictObject({
    address: recipientFields.address.optional(),
    contact: recipientFields.contact.optional(),
    amount: recipientFields.amount.optional(),
    zatoshi: recipientFields.zatoshi.optional(),
    memo: recipientFields.memo.optional(),
  })
  .refine(({ address, contact }) => (address === undefined) !== (contact === undefined), {
    path: ['address'],
    message: 'or contact is needed, and not both',
  });

export const paymentId = field
  .hex(16, 'must be the payment_id of a prepared payment')
  .describe('As `payments.prepare` gave it');

const MAX_KEY_LENGTH = 128;
const KEY_PATTERN = String.raw`^[\x21-\x7e]+$`;
export const idempotencyKey = z
  .string()
  .max(MAX_KEY_LENGTH)
  .refine(
    (value) => new RegExp(KEY_PATTERN).test(value),
    'must be visible characters of ASCII, without spaces',
  )
  .meta({
    description:
      'Names this payment, for ever: a call with the same key is about the same payment, and another content is refused. 1 to 128 visible ASCII characters, such as a UUID or the number of an order',
    minLength: 1,
    maxLength: MAX_KEY_LENGTH,
    pattern: KEY_PATTERN,
  });

const disclosure = z.strictObject({
  consent: z.enum(DISCLOSURES),
  pool: field.pool.nullable().describe('With crossing_pools: the pool that the amount leaves, or enters'),
  address: z.string().nullable().describe('With transparent_recipients and transparent_senders'),
  amount_zatoshi: z.int().describe('Negative: enters the pool. With unusual_fee: above the usual one'),
});

const missing = z.strictObject({
  pool: place,
  signatures: field.count,
  proofs: z.boolean(),
  signer_keys: z
    .boolean()
    .describe('Sapling: the proof needs a key that the signer has; it goes to the signer once more'),
});

const waitsFor = z
  .strictObject({
    kind: z.enum(['delay', 'confirmation']),
    until: field.time.nullable().describe('Of a delay: when the signer is asked again'),
  })
  .nullable()
  .describe(
    'Why an allowance signer has not signed yet: a delay of its policy, or a person who has to type yes. It is asked again by itself as new blocks are scanned',
  );

export const paymentFields = {
  payment_id: paymentId,
  account: field.account,
  status: z
    .enum(PAYMENT_STATUSES)
    .describe(
      'prepared: signatures or proofs are missing. complete: it can be sent. sent: it was, and nobody has told yet what became of it. mined: with fewer confirmations than its change needs. expired, conflicted and discarded end it. lost_note: a reorganisation took away a block with a note that it spends, or a newer payment has the note: prepare another one',
    ),
  txid: field.displayHash.describe('Fixed before it is signed'),
  created_at: field.time,
  refund_of: invoiceId.nullable().describe('The `invoice_id` of the invoice that it refunds'),
  payments: z.array(
    z.strictObject({
      pool: place,
      address: z.string().describe('As it was typed'),
      contact: z.string().nullable().describe('What you call it by now'),
      amount_zatoshi: field.zatoshi,
      memo: field.memo,
    }),
  ),
  change: z
    .strictObject({
      pool: field.pool,
      amount_zatoshi: field.zatoshi,
      notes: z.int().min(1).describe('How many notes it is split into, for as many payments at once'),
    })
    .nullable(),
  fee_zatoshi: field.zatoshi,
  becomes_public: z
    .array(disclosure)
    .describe('What was agreed to; empty: nothing but that there was a transaction'),
  notes: z
    .array(
      z.strictObject({
        pool: field.pool,
        txid: field.displayHash,
        output_index: field.count,
        value_zatoshi: field.zatoshi,
      }),
    )
    .describe('That it spends'),
  inputs: z
    .array(
      z.strictObject({
        txid: field.displayHash,
        output_index: field.count,
        address: z.string(),
        value_zatoshi: field.zatoshi,
      }),
    )
    .describe('Transparent outputs of the account that it shields'),
  reserved_zatoshi: field.zatoshi.describe(
    'In notes that no other payment takes as long as it may be mined; those that were not found yet in blocks that are read again do not count',
  ),
  anchor_height: field.height,
  expiry_height: field.height.describe('As it is signed'),
  last_height: field.height.describe(
    'The last block that can have it: that, or the last one before an upgrade that is nearer',
  ),
  expires_at: field.time.nullable().describe('About when that is; null once it is over'),
  missing: z.array(missing).describe('Empty: it can be sent'),
  proving_since: field.time
    .nullable()
    .describe('Since when its proofs are being made here; null: they are not'),
  waits_for: waitsFor,
  mined_height: field.height.nullable(),
  confirmations: field.count,
  last_sent: z
    .strictObject({
      at: field.time,
      source: z
        .enum(field.CARRIERS)
        .describe(
          'Who passed it on: a source of blocks, peers of the network, or a server that `server` names',
        ),
      server: z.string().nullable().describe('The address of a server that is named for sending alone'),
      outcome: z.enum(['accepted', 'refused', 'unanswered']),
      detail: z.string().nullable().describe('What the other side said'),
    })
    .nullable(),
};

export const payment = z.strictObject(paymentFields);
/** Fields that last as long as its idempotency key. */
export const paid = z.strictObject({
  payment_id: paymentFields.payment_id,
  account: paymentFields.account,
  status: paymentFields.status,
  txid: paymentFields.txid,
  created_at: paymentFields.created_at,
  fee_zatoshi: paymentFields.fee_zatoshi,
  waits_for: paymentFields.waits_for,
  mined_height: paymentFields.mined_height,
  confirmations: paymentFields.confirmations,
  repeated: z.boolean().describe('An earlier call with this key has prepared it'),
  kept: z.boolean().describe('`payments.get` has the rest of it; false: 256 newer payments took its place'),
});
export const payload = {
  pczt: z.string().describe('In base64'),
  encoding: z.int().min(1).max(2),
};

export const combined = z.strictObject({
  ...paymentFields,
  signatures_added: field.count,
  proofs_added: field.count,
  left_out: z.array(z.string()).describe('What else it brought that is of no use here'),
});

export const prepared = z.strictObject({
  ...paymentFields,
  ...payload,
  left: z
    .strictObject({ zatoshi: field.zatoshi, payments: field.count })
    .nullable()
    .describe(
      'With `everything`, and of what is shielded: what did not fit and is worth its fee, and about how many further payments it takes',
    ),
  warnings: z
    .array(
      z.strictObject({
        address: z.string().nullable().describe('Null: about the signer'),
        text: z.string(),
      }),
    )
    .describe(
      'About recipients that are easily taken for others, about own addresses, and about what the signer may refuse',
    ),
});
