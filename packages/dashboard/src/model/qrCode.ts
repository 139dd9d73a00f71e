// A QR code as the outline of its dark modules: one that arrived as characters, two rows of modules on each line, or one that
// is made here.

import { urCode } from '@wallet-companion/devices/ur';
import { encodeQR } from 'qr';

const UPPER = new Set(['\u2580', '\u2588']);
const LOWER = new Set(['\u2584', '\u2588']);

export interface QrOutline {
  readonly width: number;
  /** SVG path data, one unit per module. */
  readonly path: string;
}

export function qrOutline(characters: string): QrOutline {
  const lines = characters.split('\n').filter((line) => line !== '');
  const rows = lines.flatMap((line) => [
    [...line].map((c) => UPPER.has(c)),
    [...line].map((c) => LOWER.has(c)),
  ]);
  return outlineOf(rows, Math.max(0, ...lines.map((line) => [...line].length)));
}

/** The code of the text of one part. */
export function partOutline(text: string): QrOutline {
  const rows = urCode(text);
  return outlineOf(rows, rows.length);
}

/** A longer text makes more modules than a phone's camera separates. */
const MOST_LETTERS = 1_000;
/** ISO/IEC 18004: in modules. */
const QUIET_ZONE = 4;

/** The code of a line of ASCII, whose letters stay as they are; undefined where it is too long for one. */
export function lineOutline(line: string): QrOutline | undefined {
  if (line.length > MOST_LETTERS) return undefined;
  const rows = encodeQR(line, 'raw', { ecc: 'low', encoding: 'byte', border: QUIET_ZONE });
  return outlineOf(rows, rows.length);
}

function outlineOf(rows: readonly (readonly boolean[])[], width: number): QrOutline {
  const path = rows.map((row, y) =>
    runs(row)
      .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
      .join(''),
  );
  return { width, path: path.join('') };
}

/** The start and length of each run of dark modules: fewer edges, and no seams between modules. */
function runs(row: readonly boolean[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = found.at(-1);
    if (!isDark) return;
    if (last !== undefined && last[0] + last[1] === x) last[1] += 1;
    else found.push([x, 1]);
  });
  return found;
}
