// The worker that looks for a QR code in each frame of the camera, so that the page stays responsive meanwhile.

import { decodeQR } from 'qr/decode.js';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** Wider frames have no more to read and take longer: a code of the densest size fills a third of it. */
const MAX_WIDTH = 1280;

const canvas = new OffscreenCanvas(1, 1);
const context = canvas.getContext('2d', { willReadFrequently: true })!;

/** Undefined where no code is to be seen. */
async function textIn(frame: ImageBitmap): Promise<string | undefined> {
  const scale = Math.min(1, MAX_WIDTH / frame.width);
  const [width, height] = [frame.width, frame.height].map((size) => Math.round(size * scale)) as [
    number,
    number,
  ];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  context.drawImage(frame, 0, 0, width, height);
  const picture = context.getImageData(0, 0, width, height);
  try {
    return decodeQR(picture);
  } catch {
    return readHardCode(picture);
  }
}

addEventListener('message', async ({ data: frame }: MessageEvent<ImageBitmap>) => {
  postMessage(await textIn(frame));
  frame.close();
});

// Reads codes that the first reader does not: blurred, tilted and faint ones. Its module has a megabyte, and is loaded when it
// is first needed.
prepareZXingModule({
  overrides: { locateFile: () => new URL('zxing.wasm', import.meta.url).href },
});

let isBroken = false;

/** Undefined where no code is to be seen, and where the browser has no WebAssembly for this page. */
async function readHardCode(picture: ImageData): Promise<string | undefined> {
  if (isBroken) return undefined;
  try {
    const [code] = await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
    return code?.isValid === true ? code.text : undefined;
  } catch {
    isBroken = true;
    return undefined;
  }
}
