// Reads a member of a JSON answer as bytes, without a string in this thread's heap (bytes.ts explains why). Supports
// only the output of `JSON.stringify`: an object without white space between members.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPES = new Map(
  [...'"\\/bfnrt'].map((letter, i) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(i)]),
);
const OPENING = [0x7b, 0x5b];
const CLOSING = [0x7d, 0x5d];

/** A copy of the bytes of a string member of the outermost object; undefined where there is no such string. */
export function stringMember(json: Uint8Array, name: string): Uint8Array | undefined {
  const wanted = new TextEncoder().encode(name);
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (OPENING.includes(byte)) depth++;
    else if (CLOSING.includes(byte)) depth--;
    if (byte !== QUOTE) continue;
    const end = stringEnd(json, at);
    const isWanted = depth === 1 && json[end + 1] === 0x3a && isSame(json.subarray(at + 1, end), wanted);
    if (isWanted) {
      const start = end + 2;
      return json[start] === QUOTE ? unescaped(json.subarray(start + 1, stringEnd(json, start))) : undefined;
    }
    at = end;
  }
  return undefined;
}

/** The position of the closing quote of the string that begins at `start`. */
function stringEnd(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

/** The result is never longer than the escaped text: six bytes encode at most three, twelve encode four. */
function unescaped(text: Uint8Array): Uint8Array {
  const out = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte !== BACKSLASH) {
      out[length++] = byte;
      continue;
    }
    const letter = text[++at]!;
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) {
      out[length++] = plain;
      continue;
    }
    // Writers escape only control characters and lone surrogates: neither is a whole pair.
    const unit = hexAt(text, at + 1);
    at += 4;
    const encoded = new TextEncoder().encode(String.fromCharCode(unit));
    out.set(encoded, length);
    length += encoded.length;
  }
  return out.subarray(0, length);
}

const hexAt = (text: Uint8Array, at: number): number =>
  Number.parseInt(String.fromCharCode(...text.subarray(at, at + 4)), 16);
