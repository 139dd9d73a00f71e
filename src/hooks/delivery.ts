// What a hook receives, and the result of a delivery.

import { joinApart } from '@wallet-companion/base/memory';
import { walletField } from '@wallet-companion/client/contract';

/** The contents of one delivery. A retry repeats them, but `sequence` rises if another delivery was sent in between. */
export interface Delivery {
  readonly id: string;
  readonly sequence: number;
  readonly event: string;
  readonly time: string;
  readonly wallet: string;
  /** A JSON text, wiped when the try has ended: texts in it must not become strings here. */
  readonly data: Uint8Array;
}

/** `undefined`: delivered. Else the reason, as a word of the companion's, never text from the other side. */
export type Failure = string | undefined;

/** Never rejects. Ends at once when the signal fires. */
export type Deliver = (delivery: Delivery, stop: AbortSignal) => Promise<Failure>;

export function bytesOf(
  hook: string,
  { id, sequence, event, time, wallet, data }: Delivery,
  end = '',
): Uint8Array<ArrayBuffer> {
  const head = JSON.stringify({ id, sequence, event, time, hook, ...walletField(wallet) }).slice(0, -1);
  const encoder = new TextEncoder();
  return joinApart(encoder.encode(`${head},"data":`), data, encoder.encode(`}${end}`));
}

export const encodeJson = (value: object): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(value));
