// Reads parts of a JSON text as bytes, without a string in this thread's heap, where it would stay after the lock. All but
// `cutStrings` support only the output of `JSON.stringify`: an object without white space between members.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
const WHITE = [SPACE, 0x09, 0x0a, 0x0d];
const UNICODE_ESCAPE = 0x75;
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
  return value?.[0] === QUOTE ? unescaped(value.subarray(1, -1)).bytes : undefined;
}

/**
 * Takes strings out of any JSON text: the bytes of those members of its outermost object, in the place of which spaces are left. A
 * string that is no UTF-8 once it is read (a wrong escape, a control character, half of a character) stays. Of two members of one name
 * the last counts.
 */
export function cutStrings<Name extends string>(
  json: Uint8Array,
  names: readonly Name[],
): Map<Name, Uint8Array> {
  const wanted = names.map((name) => ({ name, bytes: new TextEncoder().encode(name) }));
  const cut = new Map<Name, Uint8Array>();
  const opened: number[] = [];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (OPENING.includes(byte)) opened.push(byte);
    else if (CLOSING.includes(byte)) opened.pop();
    if (byte !== QUOTE) continue;
    const text = json.subarray(at + 1, stringEnd(json, at));
    at += text.length + 1;
    const colon = pastWhite(json, at + 1);
    const value = pastWhite(json, colon + 1);
    const isMember = opened.length === 1 && opened[0] === OPENING[0] && json[colon] === COLON;
    const member = isMember ? wanted.find(({ bytes }) => isSame(text, bytes)) : undefined;
    if (member === undefined || json[value] !== QUOTE) continue;
    at = stringEnd(json, value);
    const secret = json.subarray(value + 1, at);
    const { bytes, isWhole } = unescaped(secret);
    if (isWhole) {
      cut.get(member.name)?.fill(0);
      cut.set(member.name, bytes);
      secret.fill(SPACE);
    } else bytes.fill(0);
  }
  return cut;
}

function pastWhite(json: Uint8Array, from: number): number {
  let at = from;
  while (WHITE.includes(json[at]!)) at += 1;
  return at;
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

/**
 * The result is never longer than the escaped text: six bytes encode at most three, twelve encode four. It lies outside of the heap,
 * in which the collector moves short arrays and leaves copies behind. `isWhole`: nothing in it stands for what is no character.
 */
function unescaped(text: Uint8Array): { readonly bytes: Uint8Array; readonly isWhole: boolean } {
  const out = new Uint8Array(new ArrayBuffer(text.length));
  let length = 0;
  let isWhole = true;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte !== BACKSLASH) {
      isWhole &&= byte >= SPACE;
      out[length++] = byte;
      continue;
    }
    const letter = text[++at]!;
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) {
      out[length++] = plain;
      continue;
    }
    let character = unitAt(text, at);
    at += 4;
    if (isHalf(character) && text[at + 1] === BACKSLASH && text[at + 2] === UNICODE_ESCAPE) {
      const pair = character + unitAt(text, at + 2);
      if (!isHalf(pair)) {
        character = pair;
        at += 6;
      }
    }
    isWhole &&= character !== '' && !isHalf(character);
    length += new TextEncoder().encodeInto(character, out.subarray(length)).written;
  }
  return { bytes: out.subarray(0, length), isWhole };
}

const isHalf = (character: string): boolean => /\p{Surrogate}/u.test(character);

/** Of the escape whose letter is at `at`; empty where it is none. */
function unitAt(text: Uint8Array, at: number): string {
  const digits = String.fromCharCode(...text.subarray(at + 1, at + 5));
  const isUnit = text[at] === UNICODE_ESCAPE && /^[0-9a-f]{4}$/i.test(digits);
  return isUnit ? String.fromCharCode(Number.parseInt(digits, 16)) : '';
}
