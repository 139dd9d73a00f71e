// One request to be paid, as a URI (ZIP 321) and as a picture of it: characters, SVG or PNG.

import { wipe } from '@wallet-companion/base/bytes';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { encodePaymentUri } from '@wallet-companion/zcash/zip321';
import type { Output } from '../../../protocol/operations.ts';
import { type QrMatrix, qrBlocks, qrMatrix, qrPng, qrSvg } from '../../../qr/qrCode.ts';

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

type Picture = Output<'payment_uri.qr'>;

const IMAGES: Readonly<Record<Picture['format'], (matrix: QrMatrix) => string>> = {
  text: qrBlocks,
  svg: qrSvg,
  png: (matrix) => Buffer.from(qrPng(matrix)).toString('base64'),
};

/** Undefined where the text is too long for a code. */
export function qrImage(uri: string, format: Picture['format'] = 'text'): Picture | undefined {
  const matrix = qrMatrix(uri);
  return matrix && { uri, format, width: matrix.length, image: IMAGES[format](matrix) };
}
