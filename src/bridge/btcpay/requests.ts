// What BTCPay asks, read from the bodies of its calls. Members that are not named here have no effect.

import { badField } from '@wallet-companion/client/contract';
import * as z from 'zod';
import { MAX_INDEX } from './orders.ts';

const account = z.int().min(0).max(MAX_INDEX).nullish();
const text = z.string().nullish();

export const CREATE_ACCOUNT = z.object({ key: text });
export const CREATE_ADDRESS = z.object({ account_index: account, label: text });
export const GET_TRANSFERS = z.object({
  account_index: account,
  subaddr_indices: z.array(z.int()).nullish(),
});
export const GET_TRANSFER = z.object({ account_index: account, txid: z.string() });

/** Throws `INVALID_REQUEST`. */
export function parseRequest<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { path = [], message = 'is not valid' } = parsed.error.issues[0] ?? {};
  throw badField(path.join('.') || 'body', `is not as BTCPay sends it: ${message}`);
}
