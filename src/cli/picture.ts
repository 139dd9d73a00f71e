// The QR code in a picture file, PNG or JPEG: a screenshot, or what a camera took of a device.

import { decodeQR, type Image } from 'qr/decode.js';

const PNG_BEGINS = '\x89PNG\r\n\x1a\n';
const JPEG_BEGINS = '\xff\xd8\xff';
/** A decoded picture takes 4 bytes a pixel: 160 MB, and those of cameras have fewer. */
const MAX_PIXELS = 40_000_000;
const MAX_JPEG_MEGABYTES = 512;
/** For further tries with a picture that is hard to read. */
const RETRY_MS = 5_000;
/** Where the first chunk of a PNG has width and height. */
const PNG_SIZE_AT = 16;

export const isPicture = (bytes: Buffer): boolean =>
  [PNG_BEGINS, JPEG_BEGINS].some((begin) => bytes.toString('latin1', 0, begin.length) === begin);

/** Its text; undefined where no QR code can be read, in `timeLimit` milliseconds of further tries. */
export async function readQrPicture(bytes: Buffer, timeLimit = RETRY_MS): Promise<string | undefined> {
  try {
    return decodeQR(await pixelsOf(bytes), { timeLimit });
  } catch {
    // Both libraries and the reader throw plain errors for what they cannot read.
    return undefined;
  }
}

async function pixelsOf(bytes: Buffer): Promise<Image> {
  if (bytes.toString('latin1', 0, JPEG_BEGINS.length) === JPEG_BEGINS) {
    const { default: jpeg } = await import('jpeg-js');
    return jpeg.decode(bytes, {
      maxResolutionInMP: MAX_PIXELS / 1_000_000,
      maxMemoryUsageInMB: MAX_JPEG_MEGABYTES,
    });
  }
  if (bytes.readUInt32BE(PNG_SIZE_AT) * bytes.readUInt32BE(PNG_SIZE_AT + 4) > MAX_PIXELS)
    throw new RangeError('the picture is too large');
  const { PNG } = (await import('pngjs')).default;
  return PNG.sync.read(bytes);
}
