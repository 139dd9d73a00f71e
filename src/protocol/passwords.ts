// The passwords of an input, as bytes from the JSON text to the handler: bytes are wiped when the call ends, and text would stay
// in the thread's heap for as long as the session is open.

import { cutStrings, joinApart } from '@wallet-companion/base/memory';
import { normalForm } from '@wallet-companion/base/values';
import { isWellFormed, MAX_PASSWORD_BYTES } from './fields.ts';
import { readJson } from './readJson.ts';

const PASSWORD_FIELDS = ['password', 'new_password'] as const;
type PasswordField = (typeof PASSWORD_FIELDS)[number];

/** The fields, with passwords as `P`. */
export type WithPasswords<Fields, P> = {
  readonly [Key in keyof Fields]: Key extends PasswordField
    ? P | Extract<Fields[Key], undefined>
    : Fields[Key];
};

/**
 * The value of a JSON text as `readJson` has it, with the passwords of its outermost object as bytes. In `json` spaces take their
 * place first. One with half of a character stays text, for `parseInput` to refuse. Throws as `readJson`.
 */
export function readJsonWithPasswords(json: Uint8Array): unknown {
  const passwords = Object.fromEntries(cutStrings(json, PASSWORD_FIELDS));
  try {
    const value = readJson(new TextDecoder('utf-8').decode(json));
    return typeof value === 'object' && value !== null ? Object.assign(value, passwords) : value;
  } catch (error) {
    wipePasswords(passwords);
    throw error;
  }
}

/** Takes those that are bytes out of an input, in their normal form, and leaves texts that the schema judges as it would the bytes. */
export function takePasswords(input: Record<string, unknown>): Readonly<Record<string, Uint8Array>> {
  const passwords: Record<string, Uint8Array> = {};
  for (const name of PASSWORD_FIELDS) {
    const given = input[name];
    if (!(given instanceof Uint8Array)) continue;
    const password = normalized(given);
    input[name] =
      password === undefined ? '\ufffd' : 'x'.repeat(Math.min(password.length, MAX_PASSWORD_BYTES + 1));
    if (password !== undefined) passwords[name] = password;
  }
  return passwords;
}

/** NFKC makes a text in UTF-8 at most so many times as long. */
const MOST_EXPANSION = 11;

/**
 * A password's bytes in the normal form that its text has (fields.ts): only pieces with characters beyond ASCII are text on the way.
 * Undefined where they are no text.
 */
function normalized(bytes: Uint8Array): Uint8Array | undefined {
  const out = new Uint8Array(new ArrayBuffer(bytes.length * MOST_EXPANSION));
  try {
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
    return joinApart(out.subarray(0, length));
  } finally {
    out.fill(0);
  }
}

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
