// Reads parts of a JSON text as bytes, without a string in this thread's heap, where it would stay after the lock. Supports
// only the output of `JSON.stringify`: an object without white space between members.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ESCAPES = new Map(
  [...'"\\/bfnrt'].map((letter, i) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(i)]),
);
const OPENING = [0x7b, 0x5b];
const CLOSING = [0x7d, 0x5d];

/** The JSON text of a member of the outermost object, not copied; undefined where there is no such member. */
export function memberOf(json: Uint8Array, name: string): Uint8Array | undefined {
  const wanted = new TextEncoder().encode(name);
  for (let at = 1; at < json.length - 1; ) {
    const nameEnd = stringEnd(json, at);
    const end = valueEnd(json, nameEnd + 2);
    if (isSame(json.subarray(at + 1, nameEnd), wanted)) return json.subarray(nameEnd + 2, end);
    at = end + 1;
  }
  return undefined;
}

/** The JSON texts of the elements of an array, not copied. */
export function elementsOf(json: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 1; at < json.length - 1; ) {
    const end = valueEnd(json, at);
    found.push(json.subarray(at, end));
    at = end + 1;
  }
  return found;
}

/** A member that is not secret; undefined where there is none. */
export function memberValue(json: Uint8Array, name: string): unknown {
  const value = memberOf(json, name);
  return value === undefined ? undefined : JSON.parse(new TextDecoder().decode(value));
}

/** A copy of the bytes of a string member of the outermost object; undefined where there is no such string. */
export function stringMember(json: Uint8Array, name: string): Uint8Array | undefined {
  const value = memberOf(json, name);
  return value?.[0] === QUOTE ? unescaped(value.subarray(1, -1)) : undefined;
}

/** The position after the value that begins at `start`. */
function valueEnd(json: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) at = stringEnd(json, at);
    else if (OPENING.includes(byte)) depth++;
    else if (depth === 0 && (byte === COMMA || CLOSING.includes(byte))) return at;
    else if (CLOSING.includes(byte)) depth--;
  }
  return json.length;
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
