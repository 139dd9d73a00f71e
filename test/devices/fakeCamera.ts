// What Chromium's fake camera shows: a file of uncompressed frames (YUV4MPEG2), each with one code in it, again and again.

import { renameSync, writeFileSync } from 'node:fs';
import { encodeQR } from 'qr';

const WIDTH = 640;
const HEIGHT = 480;
const FRAMES_PER_SECOND = 15;
const WHITE = 235;
const BLACK = 16;
/** The colours of a frame. */
const GREY = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);

export const cameraFlags = (file: string): readonly string[] => [
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${file}`,
];

/**
 * Chromium reads the file when a page opens the camera; one that still reads the file before, in a frame that then is not
 * whole, would end the browser. Each code is there for `shown` frames.
 */
export function writeVideo(
  file: string,
  codes: readonly string[],
  shown = 2,
  change = (luma: Buffer): Buffer => luma,
): void {
  const frames = codes.flatMap((code) => {
    const frame = Buffer.concat([Buffer.from('FRAME\n'), change(lumaOf(code)), GREY]);
    return Array.from({ length: shown }, () => frame);
  });
  const header = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_PER_SECOND}:1 Ip A1:1 C420jpeg\n`;
  writeFileSync(`${file}.next`, Buffer.concat([Buffer.from(header), ...frames]));
  renameSync(`${file}.next`, file);
}

/** As a camera that shows a person to himself. */
export function mirrored(luma: Buffer): Buffer {
  for (let line = 0; line < HEIGHT; line++) luma.subarray(line * WIDTH, (line + 1) * WIDTH).reverse();
  return luma;
}

function lumaOf(code: string): Buffer {
  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  const modules = encodeQR(code.toUpperCase(), 'raw', { ecc: 'low', border: 4 });
  const scale = Math.floor(HEIGHT / modules.length);
  const left = Math.floor((WIDTH - modules.length * scale) / 2);
  for (const [y, row] of modules.entries())
    for (const [x, isDark] of row.entries())
      for (let line = 0; isDark && line < scale; line++)
        luma.fill(
          BLACK,
          (y * scale + line) * WIDTH + left + x * scale,
          (y * scale + line) * WIDTH + left + (x + 1) * scale,
        );
  return luma;
}
