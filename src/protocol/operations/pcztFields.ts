// The fields of operations that take or explain a PCZT.

import { trimCopied } from '@wallet-companion/client/contract';
import * as z from 'zod';
import * as field from '../fields.ts';

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
