// Fields of whatever takes or explains a PCZT.

import { z } from 'zod';
import * as field from '../fields.ts';

/** With what is around it one body holds it: ten actions with their proofs, twenty without. */
const MAX_PCZT_LENGTH = 64_000;
const BASE64 = '^[A-Za-z0-9+/]+={0,2}$';

export const pczt = z
  .string()
  .refine(
    (text) => text.length <= MAX_PCZT_LENGTH && new RegExp(BASE64).test(text) && text.length % 4 === 0,
    `must be a PCZT in base64, at most ${MAX_PCZT_LENGTH.toLocaleString('en')} characters`,
  )
  .meta({
    description: 'A PCZT (ZIP 374, encoding 1 or 2) in base64',
    pattern: BASE64,
    maxLength: MAX_PCZT_LENGTH,
  });

const PLACES = ['transparent', ...field.POOL_NAMES] as const;
/** Where a spend or an output is. */
export const place = z.enum(PLACES);
