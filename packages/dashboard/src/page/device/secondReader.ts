// Reads codes that the first reader does not: blurred, tilted and faint ones. Its module has a megabyte, and is loaded when it
// is first needed.

import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

prepareZXingModule({
  overrides: { locateFile: () => new URL('zxing.wasm', import.meta.url).href },
});

let isBroken = false;

/** Undefined where no code is to be seen, and where the browser has no WebAssembly for this page. */
export async function readHardCode(picture: ImageData): Promise<string | undefined> {
  if (isBroken) return undefined;
  try {
    const [code] = await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
    return code?.isValid === true ? code.text : undefined;
  } catch {
    isBroken = true;
    return undefined;
  }
}
