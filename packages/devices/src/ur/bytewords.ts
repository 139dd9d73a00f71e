// Bytes as text for QR codes (BCR-2020-012, minimal style): two letters a byte, the first and the last of its word, then
// the CRC-32 of all.

const PAIRS = [
  'aeadaoaxaaahamatayasbkbdbnbtbabsbebybgbwbbbzcmchcscfcycwcecackct',
  'cxclcpcndkdadsdidedtdrdndwdpdmdldyeheyeoeeecenemetesftfrfnfsfmfh',
  'fzfpfwfxfyfefgflfdgagegrgsgtglgwgdgygmgughgohfhghdhkhthphhhlhyhe',
  'hnhsidiaieihiyioisinimjejzjnjtjljojsjpjkjykpkoktkskkknkgkekikblb',
  'lalylflslrlplnltloldlelulklgmnmymhmemomumwmdmtmsmknlnyndnsntnnne',
  'nboyoeotoxonolospdptpkpypspmplpepfpaprqdqzrerprlrorhrdrkrfryrnrs',
  'rtsesasrssskswstspsosgsbsfsntotktitttdtetytltbtstptatnuyuoutueur',
  'vtvyvovlvevwvavdvswlwdwmwpwewywswtwnwzwfwkykynylyaytzszoztzczezm',
]
  .join('')
  .match(/../g)!;
const BYTES: ReadonlyMap<string, number> = new Map(PAIRS.map((pair, byte) => [pair, byte]));

const CHECK_BYTES = 4;

export function bytewords(bytes: Uint8Array): string {
  const check = new Uint8Array(CHECK_BYTES);
  new DataView(check.buffer).setUint32(0, crc32(bytes));
  const pairs: string[] = [];
  for (const part of [bytes, check]) for (const byte of part) pairs.push(PAIRS[byte]!);
  return pairs.join('');
}

/** `text` is in small letters. */
export function bytesOf(text: string): Uint8Array {
  if (text.length % 2 !== 0 || text.length <= 2 * CHECK_BYTES) throw new UrError('a code is cut off');
  const all = new Uint8Array(text.length / 2);
  for (let at = 0; at < all.length; at++) {
    const byte = BYTES.get(text.slice(2 * at, 2 * at + 2));
    if (byte === undefined) throw new UrError('a code has letters that stand for no byte');
    all[at] = byte;
  }
  const bytes = all.subarray(0, -CHECK_BYTES);
  if (new DataView(all.buffer).getUint32(bytes.length) !== crc32(bytes))
    throw new UrError('a code does not fit its checksum');
  return bytes;
}

// CRC-32 as in Ethernet, zip and PNG: it ends each part, and names the message that a part belongs to.
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

// What is no uniform resource, or not the one that is asked for. Its text is one sentence for people and holds nothing of
// what was read but the name of its type.
export class UrError extends Error {
  override readonly name = 'UrError';
}
