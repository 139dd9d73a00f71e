// One request to be paid, as a URI (ZIP 321).

import { wipe } from '@wallet-companion/base/bytes';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { encodePaymentUri } from '@wallet-companion/zcash/zip321';

interface Request {
  readonly address: string;
  readonly zatoshi: number | undefined;
  readonly memo: string | undefined;
  readonly label: string | undefined;
  readonly message: string | undefined;
}

export function requestUri(request: Request, params: NetworkParameters): string {
  const { address, zatoshi, memo: text, label, message } = request;
  const memo = text === undefined ? undefined : new TextEncoder().encode(text);
  try {
    return encodePaymentUri(
      [
        {
          address,
          ...(zatoshi !== undefined && { zatoshi }),
          ...(memo !== undefined && { memo }),
          ...(label !== undefined && { label }),
          ...(message !== undefined && { message }),
        },
      ],
      params,
    );
  } finally {
    wipe(memo);
  }
}
