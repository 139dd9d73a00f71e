// A JSON object (RFC 8259) in a file that people edit: reports the line of a mistake, refuses duplicate keys, and
// changes single members without touching the rest of the text.
//
// JSON.parse does not report a position on every Node version and lets the last of two equal keys win; writing its
// result back would round large numbers and lose the user's layout.

import type { Height } from '@wallet-companion/base/values';

export class JsonDocumentError extends Error {
  override readonly name = 'JsonDocumentError';
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export interface JsonMember {
  readonly value: unknown;
  /** The line of the key, from 1. */
  readonly line: number;
}

interface Span {
  readonly keyAt: number;
  readonly start: Height;
  readonly end: Height;
}

const MAX_DEPTH = 64;
const WHITE_SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not hold raw control characters
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The text of one JSON object with its top-level members. Immutable. */
export class JsonDocument {
  readonly text: string;
  readonly members: ReadonlyMap<string, JsonMember>;
  readonly #spans: ReadonlyMap<string, Span>;

  private constructor(text: string, spans: ReadonlyMap<string, Span>) {
    this.text = text;
    this.#spans = spans;
    this.members = new Map(
      [...spans].map(([key, span]) => [
        key,
        { value: JSON.parse(text.slice(span.start, span.end)), line: lineAt(text, span.keyAt) },
      ]),
    );
  }

  static parse(text: string): JsonDocument {
    return new JsonDocument(text, new Scanner(text).document());
  }

  /** The document with these members replaced, or added at the end. */
  with(changes: ReadonlyMap<string, unknown>): JsonDocument {
    let document: JsonDocument = this;
    for (const [key, value] of changes) document = JsonDocument.parse(document.#edited(key, value));
    return document;
  }

  #edited(key: string, value: unknown): string {
    const encoded = JSON.stringify(value);
    const span = this.#spans.get(key);
    if (span !== undefined) return this.text.slice(0, span.start) + encoded + this.text.slice(span.end);
    const member = `  ${JSON.stringify(key)}: ${encoded}`;
    const last = [...this.#spans.values()].at(-1);
    const at = last?.end ?? this.text.indexOf('{') + 1;
    const rest = this.text.slice(at);
    const closing = /^\s*\n/.test(rest) ? rest : `\n${rest.trimStart()}`;
    return `${this.text.slice(0, at)}${last === undefined ? '' : ','}\n${member}${closing}`;
  }
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  return line;
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Map<string, Span> {
    // Editors on Windows put a byte order mark at the start.
    if (this.#text.startsWith('\ufeff')) this.#at = 1;
    this.#skipWhiteSpace();
    if (this.#text[this.#at] !== '{') this.#fail('expected an object, "{"');
    const spans = this.#object(1);
    this.#skipWhiteSpace();
    if (this.#at < this.#text.length) this.#fail('expected nothing after the closing "}"');
    return spans;
  }

  #object(depth: number): Map<string, Span> {
    const spans = new Map<string, Span>();
    this.#sequence('}', () => {
      const keyAt = this.#at;
      const key: string = JSON.parse(this.#token(STRING, 'a key in double quotes'));
      if (spans.has(key)) this.#fail(`the key ${JSON.stringify(key)} stands twice`, keyAt);
      this.#skipWhiteSpace();
      if (this.#text[this.#at] !== ':') this.#fail('expected ":" after the key');
      this.#at++;
      this.#skipWhiteSpace();
      const start = this.#at;
      this.#value(depth);
      spans.set(key, { keyAt, start, end: this.#at });
    });
    return spans;
  }

  #value(depth: number): void {
    if (depth >= MAX_DEPTH) this.#fail('nested too deeply');
    const first = this.#text[this.#at];
    if (first === '{') this.#object(depth + 1);
    else if (first === '[') this.#sequence(']', () => this.#value(depth + 1));
    else if (first === '"') this.#token(STRING, 'a complete string without raw control characters');
    else this.#token(SCALAR, 'a value');
  }

  /** From the opening bracket to the closing one; `element` reads one element. */
  #sequence(close: string, element: () => void): void {
    this.#at++;
    this.#skipWhiteSpace();
    if (this.#text[this.#at] === close) {
      this.#at++;
      return;
    }
    for (;;) {
      element();
      this.#skipWhiteSpace();
      const next = this.#text[this.#at];
      if (next !== ',' && next !== close) this.#fail(`expected "," or "${close}"`);
      this.#at++;
      if (next === close) return;
      this.#skipWhiteSpace();
    }
  }

  #token(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0];
    if (token === undefined) this.#fail(`expected ${what}`);
    this.#at += token.length;
    return token;
  }

  #skipWhiteSpace(): void {
    WHITE_SPACE.lastIndex = this.#at;
    this.#at += WHITE_SPACE.exec(this.#text)?.[0].length ?? 0;
  }

  #fail(message: string, at = this.#at): never {
    const missing = at >= this.#text.length ? ', found the end of the file' : '';
    throw new JsonDocumentError(lineAt(this.#text, at), message + missing);
  }
}
