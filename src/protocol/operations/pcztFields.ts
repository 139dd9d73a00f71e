// Fields of whatever takes or explains a PCZT.

import * as z from 'zod';
import * as field from '../fields.ts';

/** 1.5 MiB of bytes; 32 actions with everything in each of two pools are a fifth of it. */
const MAX_PCZT_LENGTH = 2 * 1024 * 1024;
/** Of an input that has a PCZT, with what is around it. */
export const MAX_INPUT_BYTES = MAX_PCZT_LENGTH + 64 * 1024;
/** By thousands. Intl takes ten milliseconds to say it the first time, at each start of each thread. */
const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
const BASE64 = '^[A-Za-z0-9+/]+={0,2}$';

export const pczt = z
  .string()
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
/** Where a spend or an output is. */
export const place = z.enum(PLACES);
