// Reads QR codes back from what was drawn, as a camera would: from characters, from a path of an SVG, from any modules.

import { decodeQR } from 'qr/decode.js';

type Modules = readonly (readonly boolean[])[];

const PIXELS = 4;

/** Rows of light and dark, as a camera would have them. */
export function decoded(dark: Modules, scale = PIXELS): string {
  const height = dark.length * scale;
  const width = dark[0]!.length * scale;
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (dark[Math.floor(y / scale)]![Math.floor(x / scale)])
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return decodeQR({ width, height, data }, { timeLimit: Number.MAX_SAFE_INTEGER });
}

/** Rows of a drawing with one unit a module, and nothing else in it. */
export function modulesOfPath(path: string, size: number): boolean[][] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)];
  if (runs.map(([run]) => run).join('') !== path) throw new Error('the path has more in it');
  for (const [, x, y, length] of runs) rows[Number(y)]!.fill(true, Number(x), Number(x) + Number(length));
  return rows;
}

export function modulesOfBlocks(text: string): boolean[][] {
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => [
    [...line].map((block) => block === '\u2580' || block === '\u2588'),
    [...line].map((block) => block === '\u2584' || block === '\u2588'),
  ]);
}
