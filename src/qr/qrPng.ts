// A QR code as PNG (ISO/IEC 15948): grey scale of one bit per pixel, a few hundred bytes.

import { crc32, deflateSync } from 'node:zlib';
import type { QrMatrix } from './qrMatrix.ts';

/** Wide enough for a phone to read the code from a screen. */
const PIXELS_PER_MODULE = 8;
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export function qrPng(rows: QrMatrix): Uint8Array {
  const pixels = rows.length * PIXELS_PER_MODULE;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  // One bit of grey; deflate, no filter, not interlaced.
  header[8] = 1;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flatMap(scanlines)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A module is eight pixels wide, so it is one byte: all ones where light. Each line begins with its filter, none. */
function scanlines(row: readonly boolean[]): Buffer[] {
  const line = Buffer.from([0, ...row.map((dark) => (dark ? 0x00 : 0xff))]);
  return Array.from({ length: PIXELS_PER_MODULE }, () => line);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
