// Splits a text that is too long for one easily readable QR code into numbered frames: "p2of5 1c291ca3 ...". The number
// after the position is the CRC-32 of the whole text, the same in each frame, so frames of two texts are never mixed. The
// format is specific to this program and simple; it is no standard for animated codes.

/** A code of this size is 77 modules wide with its quiet zone: it fits a terminal of 80 columns. */
const CHUNK = 280;
const MAX_FRAMES = 999;

const FRAME = /^p(\d{1,3})of(\d{1,3}) ([0-9a-f]{8}) ([\x21-\x7e]+)$/;

/** `text` is ASCII without spaces. */
export function framesOf(text: string): readonly string[] {
  const total = Math.max(1, Math.ceil(text.length / CHUNK));
  if (total > MAX_FRAMES) throw new RangeError('the text is too long for QR codes');
  const check = checksum(text);
  return Array.from(
    { length: total },
    (_, at) => `p${at + 1}of${total} ${check} ${text.slice(at * CHUNK, (at + 1) * CHUNK)}`,
  );
}

export const isFrames = (text: string): boolean => /^\s*p\d{1,3}of\d{1,3} /.test(text);

/** The text of frames in any order; repeated frames are allowed. Throws `RangeError` that names the missing ones. */
export function joinFrames(lines: readonly string[]): string {
  const read = lines.map((line) => line.trim()).filter((line) => line !== '');
  const parts = new Map<number, string>();
  let whole: string | undefined;
  let total = 0;
  for (const line of read) {
    const [, place = '', of = '', check = '', part = ''] = FRAME.exec(line) ?? [];
    if (part === '') throw new RangeError('a line is no frame');
    if (whole !== undefined && whole !== `${of} ${check}`)
      throw new RangeError('the frames are of two different texts');
    whole = `${of} ${check}`;
    total = Number(of);
    const at = Number(place);
    if (at < 1 || at > total) throw new RangeError('a frame has no place among the others');
    if ((parts.get(at) ?? part) !== part) throw new RangeError(`frame ${at} was read in two ways`);
    parts.set(at, part);
  }
  const missing = Array.from({ length: total }, (_, at) => at + 1).filter((at) => !parts.has(at));
  if (missing.length > 0 || total === 0)
    throw new RangeError(`frames are missing: ${missing.slice(0, 10).join(', ')}`);
  const text = Array.from({ length: total }, (_, at) => parts.get(at + 1)!).join('');
  if (whole !== `${total} ${checksum(text)}`) throw new RangeError('the frames do not fit their checksum');
  return text;
}

/** CRC-32 as in Ethernet, zip and PNG. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}
