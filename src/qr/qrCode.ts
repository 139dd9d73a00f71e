// QR codes: their modules, and the pictures of them in characters, as SVG and as PNG.

import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';

// The modules of a QR code. The package makes the symbol; this file chooses the redundancy and the quiet zone.

/** Rows of modules, true where dark, with the quiet zone around them. */
export type QrMatrix = readonly (readonly boolean[])[];

/** ISO/IEC 18004: the margin that a reader needs around the symbol, in modules. */
export const QUIET_ZONE = 4;

/** Bytes that the largest symbol holds at the level `low`. */
const MAX_BYTES = 2_953;
/** Bytes at `medium`, which tolerates more dirt and glare: used wherever the text fits. */
const MAX_MEDIUM_BYTES = 2_331;

/** Undefined when the text is longer than any QR code. */
export function qrMatrix(text: string): QrMatrix | undefined {
  const { length } = new TextEncoder().encode(text);
  if (length > MAX_BYTES) return undefined;
  const ecc = length > MAX_MEDIUM_BYTES ? 'low' : 'medium';
  return encodeQR(text, 'raw', { ecc, encoding: 'byte', border: QUIET_ZONE });
}

// A QR code in characters, two rows of modules on each line. The characters draw the dark modules: correct on a light
// background, and on any background where the caller sets both colours.

/** The character for a pair of an upper and a lower module. */
const BLOCKS = { none: ' ', upper: '\u2580', lower: '\u2584', both: '\u2588' } as const;

/** Lines of equal width, each with its line break. */
export function qrBlocks(rows: QrMatrix): string {
  const lines: string[] = [];
  for (let y = 0; y < rows.length; y += 2) {
    const below = rows[y + 1];
    lines.push(rows[y]!.map((upper, x) => blockFor(upper, below?.[x] ?? false)).join(''));
  }
  return lines.map((line) => `${line}\n`).join('');
}

function blockFor(upper: boolean, lower: boolean): string {
  if (upper) return lower ? BLOCKS.both : BLOCKS.upper;
  return lower ? BLOCKS.lower : BLOCKS.none;
}

// A QR code as SVG: one path on a white background, sharp at any size. It contains no text, so nothing needs escaping.
export function qrSvg(rows: QrMatrix): string {
  const size = rows.length;
  const path = rows.flatMap((row, y) =>
    runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path.join('')}"/></svg>\n`;
}

/** Start and length of each run of dark modules. */
function runsOf(row: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  row.forEach((dark, x) => {
    const last = runs.at(-1);
    if (!dark) return;
    if (last !== undefined && last[0] + last[1] === x) last[1]++;
    else runs.push([x, 1]);
  });
  return runs;
}

// A QR code as PNG (ISO/IEC 15948): grey scale of one bit per pixel, a few hundred bytes.

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
