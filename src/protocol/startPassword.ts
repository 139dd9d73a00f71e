// The password that a companion is started with, as bytes: a string would stay in the heap of this thread.

/** The source of the password, at the start and again when the wallet thread is lost. */
export interface StartPassword {
  /** Undefined when the password is no longer kept. The caller wipes the bytes. */
  read(): Promise<Uint8Array | undefined>;
  /** Called when a session has ended that must not be reopened: wipes the password in memory. A password file stays. */
  forget(): void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const HEAD = '{"password":"';
const TAIL = '"}';

const needsEscape = (byte: number): boolean => byte === QUOTE || byte === BACKSLASH || byte < FIRST_PRINTABLE;

/** The input of an unlock as JSON: bytes that a string may not contain become `\u00XX`. The caller wipes `password`. */
export function passwordJson(password: Uint8Array): Uint8Array<ArrayBuffer> {
  const escaped = password.reduce((count, byte) => count + Number(needsEscape(byte)), 0);
  const json = new Uint8Array(HEAD.length + password.length + escaped * 5 + TAIL.length);
  const { written } = new TextEncoder().encodeInto(HEAD, json);
  let at = written;
  for (const byte of password) {
    if (needsEscape(byte)) {
      const digits = byte.toString(16).padStart(4, '0');
      at += new TextEncoder().encodeInto(`\\u${digits}`, json.subarray(at)).written;
    } else {
      json[at] = byte;
      at += 1;
    }
  }
  new TextEncoder().encodeInto(TAIL, json.subarray(at));
  return json;
}
