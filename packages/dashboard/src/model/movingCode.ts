// A message as the moving QR codes of devices that sign: its parts without end, and what stands below each.

import type { Output } from '@wallet-companion/client';
import { type UrPart as CodePart, pcztUr, signBatchUr, type Ur, urParts } from '@wallet-companion/devices/ur';
import { exchangeTexts } from '../texts/exchange.ts';
import { bytesIn } from './base64.ts';

export type { CodePart, Ur };

/** Bytes in a code: as devices themselves show; for cameras that come close; for those that do not. */
export const CODE_SIZES = [
  ['200', 'usual'],
  ['300', 'dense'],
  ['120', 'coarse'],
] as const;

/** A pace that cameras of devices follow. */
export const CODE_MS = 200;

export const pcztMessage = (pczt: string): Ur => pcztUr(bytesIn(pczt));

/** As `payments.batch` gives it. */
export const batchMessage = ({ batch, request_id: id }: Output<'payments.batch'>): Ur =>
  signBatchUr({
    data: bytesIn(batch),
    requestId: Uint8Array.from(id.match(/../g)!, (digits) => Number.parseInt(digits, 16)),
  });

export const partsOf = ({ type, cbor }: Ur, size: string): Iterator<CodePart, never> =>
  urParts(type, cbor, { maxFragment: Number(size) });

/** Mixtures have numbers above the total: a reader that missed none needs none. */
export const placeText = ({ number, total }: CodePart): string =>
  number > total ? exchangeTexts().mixture(number, total) : exchangeTexts().part(number, total);
