// The passwords of an input, as bytes from the JSON text to the handler: bytes are wiped when the call ends, and text would stay
// in the thread's heap for as long as the session is open.

import { normalForm } from '@wallet-companion/base/values';
import { isWellFormed, MAX_PASSWORD_BYTES } from './fields.ts';
import { readJson } from './readJson.ts';

export const PASSWORD_FIELDS = ['password', 'new_password'] as const;
type PasswordField = (typeof PASSWORD_FIELDS)[number];

/** The fields, with passwords as `P`. */
export type WithPasswords<Fields, P> = {
  readonly [Key in keyof Fields]: Key extends PasswordField
    ? P | Extract<Fields[Key], undefined>
    : Fields[Key];
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const [OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, CLOSE_BRACKET] = [0x7b, 0x5b, 0x7d, 0x5d];
const COLON = 0x3a;
const WHITE = [SPACE, 0x09, 0x0a, 0x0d];
const UNICODE_ESCAPE = 0x75;
/** `\b` and its like. */
const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, character]) => [letter.charCodeAt(0), character.charCodeAt(0)],
  ),
);
/** Of UTF-8, by NFKC. */
const MOST_EXPANSION = 11;

/** Outside of the heap, in which short arrays lie otherwise: the collector moves them, and leaves copies behind. */
const secretBytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(new ArrayBuffer(length));

export function copyPassword(password: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = secretBytes(password.length);
  copy.set(password);
  return copy;
}

/**
 * The value of a JSON text as `readJson` has it, with the passwords of its outermost object as bytes. In `json` spaces take their
 * place first. A password with an escape that is no character stays text, for `parseInput` to refuse. Throws as `readJson`.
 */
export function readJsonWithPasswords(json: Uint8Array): unknown {
  const cut = cutPasswords(json);
  try {
    const value = readJson(new TextDecoder('utf-8').decode(json));
    return Object.assign(value as object, Object.fromEntries(cut));
  } catch (error) {
    for (const password of cut.values()) password.fill(0);
    throw error;
  }
}

function cutPasswords(json: Uint8Array): Map<PasswordField, Uint8Array> {
  const cut = new Map<PasswordField, Uint8Array>();
  let depth = 0;
  let isInObject = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth === 0) isInObject = byte === OPEN_BRACE;
      depth += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    else if (byte === QUOTE) {
      const end = stringEnd(json, at);
      const value = pastWhite(json, pastWhite(json, end) + 1);
      const name = isInObject && depth === 1 ? nameAt(json, at, end) : undefined;
      at = end - 1;
      if (name === undefined || json[pastWhite(json, end)] !== COLON || json[value] !== QUOTE) continue;
      at = stringEnd(json, value) - 1;
      const text = json.subarray(value + 1, at);
      const password = unescaped(text);
      if (password === undefined) continue;
      cut.get(name)?.fill(0);
      cut.set(name, password);
      text.fill(SPACE);
    }
  }
  return cut;
}

/** The position after the closing quote of the string that begins at `start`; the end of a text that is cut off. */
function stringEnd(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at += 1;
    else if (json[at] === QUOTE) return at + 1;
  }
  return json.length;
}

function pastWhite(json: Uint8Array, from: number): number {
  let at = from;
  while (WHITE.includes(json[at]!)) at += 1;
  return at;
}

const nameAt = (json: Uint8Array, start: number, end: number): PasswordField | undefined =>
  PASSWORD_FIELDS.find(
    (name) =>
      end - start - 2 === name.length &&
      [...name].every((letter, index) => json[start + 1 + index] === letter.charCodeAt(0)),
  );

/** What a JSON string says, as UTF-8 where it is; undefined where it is no JSON string, or an escape is half a character. */
function unescaped(text: Uint8Array): Uint8Array | undefined {
  const out = secretBytes(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte < SPACE) return undefined;
    if (byte !== BACKSLASH) {
      out[length++] = byte;
      continue;
    }
    at += 1;
    let code = text[at] === UNICODE_ESCAPE ? unicodeAt(text, at) : ESCAPES.get(text[at]!);
    if (text[at] === UNICODE_ESCAPE) at += 4;
    if (code !== undefined && code >= 0xd800 && code < 0xdc00 && text[at + 1] === BACKSLASH) {
      const low = text[at + 2] === UNICODE_ESCAPE ? unicodeAt(text, at + 2) : undefined;
      if (low !== undefined && low >= 0xdc00 && low < 0xe000) code = ((code - 0xd7c0) << 10) + (low - 0xdc00);
      at += 6;
    }
    if (code === undefined || (code >= 0xd800 && code < 0xe000)) return undefined;
    length += writeCharacter(out.subarray(length), code);
  }
  return out.subarray(0, length);
}

/** The four digits after `\u`. */
function unicodeAt(text: Uint8Array, at: number): number | undefined {
  let code = 0;
  for (let index = at + 1; index <= at + 4; index++) {
    const digit = '0123456789abcdef'.indexOf(String.fromCharCode(text[index] ?? 0).toLowerCase());
    if (digit < 0) return undefined;
    code = code * 16 + digit;
  }
  return code;
}

const writeCharacter = (out: Uint8Array, code: number): number =>
  new TextEncoder().encodeInto(String.fromCodePoint(code), out).written;

/**
 * A password's bytes in the normal form that its text has (fields.ts): only pieces with characters beyond ASCII are text on the way.
 * Undefined where they are no text.
 */
export function normalizedPassword(bytes: Uint8Array): Uint8Array | undefined {
  const out = secretBytes(bytes.length * MOST_EXPANSION);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    let end = at + 1;
    while (end < bytes.length && bytes[end]! >= 0x80) end += 1;
    if (end === at + 1 && bytes[at]! < 0x80) out[length++] = bytes[at]!;
    else {
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, end));
      if (!isWellFormed(text)) return undefined;
      length += new TextEncoder().encodeInto(normalForm(text, 'NFKC'), out.subarray(length)).written;
    }
    at = end;
  }
  const password = copyPassword(out.subarray(0, length));
  out.fill(0);
  return password;
}

/** A text of which `password` of fields.ts says what it would say of these bytes. */
export const standInFor = (password: Uint8Array | undefined): string =>
  password === undefined ? '\ufffd' : 'x'.repeat(Math.min(password.length, MAX_PASSWORD_BYTES + 1));

type Fields = Readonly<Record<string, unknown>>;

/** New bytes for those that are text. */
export const withPasswordBytes = <F extends object>(input: F): WithPasswords<F, Uint8Array> =>
  mapPasswords(input, (given) =>
    typeof given === 'string' ? new TextEncoder().encode(given) : given,
  ) as WithPasswords<F, Uint8Array>;

/** For JSON. */
export const withPasswordText = (input: object): object =>
  mapPasswords(input, (given) =>
    given instanceof Uint8Array ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(given) : given,
  );

export function wipePasswords(input: unknown): void {
  const fields = (input ?? {}) as Fields;
  for (const name of PASSWORD_FIELDS) {
    const given = fields[name];
    if (given instanceof Uint8Array) given.fill(0);
  }
}

const mapPasswords = (input: object, map: (given: unknown) => unknown): object => {
  const given = PASSWORD_FIELDS.filter((name) => Object.hasOwn(input, name));
  return given.length === 0
    ? input
    : { ...input, ...Object.fromEntries(given.map((name) => [name, map((input as Fields)[name])])) };
};
