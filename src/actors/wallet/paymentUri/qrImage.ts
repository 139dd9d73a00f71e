// A payment request as a picture: characters, SVG or PNG.

import type { Output } from '../../../protocol/operations.ts';
import { qrBlocks } from '../../../qr/qrBlocks.ts';
import { type QrMatrix, qrMatrix } from '../../../qr/qrMatrix.ts';
import { qrPng } from '../../../qr/qrPng.ts';
import { qrSvg } from '../../../qr/qrSvg.ts';

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
