// What the operations that answer with a QR code of a payment request have in common.

import * as z from 'zod';
import * as field from '../fields.ts';

export const QR_FORMATS = ['text', 'svg', 'png'] as const;

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
