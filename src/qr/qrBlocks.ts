// A QR code in characters, two rows of modules on each line. The characters draw the dark modules: correct on a light
// background, and on any background where the caller sets both colours.

import type { QrMatrix } from './qrMatrix.ts';

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
