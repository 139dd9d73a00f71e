// A PCZT as the moving QR codes of devices that sign: its parts without end, and what stands below each.

import { type UrPart as CodePart, pcztUr, urParts } from '@wallet-companion/ur';

export type { CodePart };

/** Bytes in a code: as devices themselves show; for cameras that come close; for those that do not. */
export const CODE_SIZES = [
  ['200', 'Usual'],
  ['300', 'Fewer, dense ones'],
  ['120', 'More, coarse ones'],
] as const;

/** A pace that cameras of devices follow. */
export const CODE_MS = 200;

export function partsOf(pczt: string, size: string): Iterator<CodePart, never> {
  const { type, cbor } = pcztUr(Uint8Array.from(atob(pczt), (letter) => letter.charCodeAt(0)));
  return urParts(type, cbor, { maxFragment: Number(size) });
}

/** Mixtures have numbers above the total: a reader that missed none needs none. */
export const placeText = ({ number, total }: CodePart): string =>
  number > total ? `Part ${number}, a mixture of the ${total}` : `Part ${number} of ${total}`;
