// Recipient, amount and memo: the fields of every operation that requests or prepares a payment.

import { hasHidden, trimCopied } from '@wallet-companion/client/contract';
import * as z from 'zod';
import * as field from '../fields.ts';

export const MAX_MEMO_BYTES = 512;

export const invoiceId = field
  .hex(16, 'must be the invoice_id of an invoice')
  .describe('As `invoices.create` gave it');
/** The limit of a payment request's text (ZIP 321). */
const MAX_URI_LENGTH = 16_384;
export const paymentUri = z
  .string()
  .overwrite(trimCopied)
  .refine((text) => text !== '' && text.length <= MAX_URI_LENGTH, `must be 1 to ${MAX_URI_LENGTH} characters`)
  .meta({ minLength: 1, maxLength: MAX_URI_LENGTH });
/** 21 million ZEC. */
export const MAX_ZATOSHI = 2_100_000_000_000_000;

export const text = (description: string, maxBytes: number) =>
  z
    .string()
    .refine(
      (value) => field.isWellFormed(value) && field.utf8Length(value) <= maxBytes,
      `must be at most ${maxBytes} bytes of UTF-8`,
    )
    .refine((value) => !hasHidden(value, 'kept'), field.HIDDEN_REFUSED)
    .meta({ description, maxLength: maxBytes });

export const AMOUNT_PATTERN = String.raw`^\d{1,8}(\.\d{1,8})?$`;
export const amount = (description: string) =>
  z
    .string()
    .refine(
      (value) => new RegExp(AMOUNT_PATTERN).test(value),
      'must be an amount in ZEC with at most 8 decimals, such as 1.5',
    )
    .meta({ description, pattern: AMOUNT_PATTERN });

export const zatoshi = z
  .int()
  .min(0)
  .max(MAX_ZATOSHI)
  .describe('The amount in zatoshi, in the place of `amount`');

// What the operations that answer with a QR code of a payment request have in common.
const QR_FORMATS = ['text', 'svg', 'png'] as const;

export const qrFormat = z
  .enum(QR_FORMATS)
  .describe('text for a terminal (default), svg and png for the rest')
  .optional();

export const qrCode = z.strictObject({
  uri: z.string(),
  format: z.enum(QR_FORMATS),
  width: field.count.describe('In modules, with the quiet zone'),
  image: z.string().describe('Characters for dark modules, SVG, or PNG in base64'),
});

/** `name`: of the file that a browser saves. */
export const qrFiles = (name: string) =>
  ({
    svg: { type: 'image/svg+xml', member: 'image', name: `${name}.svg` },
    png: { type: 'image/png', member: 'image', name: `${name}.png`, base64: true },
  }) as const;
