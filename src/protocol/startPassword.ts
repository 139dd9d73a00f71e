// The password that a companion is started with, as bytes: as text it would stay in the heap of this thread.

/** Where it comes from, at start and again when the thread that was opened with it is lost. */
export interface StartPassword {
  /** Undefined when it is not kept any more. The bytes are the caller's to wipe. */
  read(): Promise<Uint8Array | undefined>;
  /** A session has ended that is not to be opened again: what is in memory is wiped. What lies in a file stays there. */
  forget(): void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const HEAD = '{"password":"';
const TAIL = '"}';

const needsEscape = (byte: number): boolean => byte === QUOTE || byte === BACKSLASH || byte < FIRST_PRINTABLE;

/** The input of an unlock. `\u00XX` for what JSON does not take as it is; every other byte of UTF-8 stays. The password is not wiped here. */
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
