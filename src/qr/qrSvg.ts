// A QR code as SVG: one path on a white background, sharp at any size. It contains no text, so nothing needs escaping.

import type { QrMatrix } from './qrMatrix.ts';

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
