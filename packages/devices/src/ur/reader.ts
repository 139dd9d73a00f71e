// Puts a message together from parts in any order, some repeated and some never seen. Each part is an equation over the
// fragments; whatever says nothing new is dropped at once, so no more is kept than the message has fragments.

import { crc32, UrError } from './bytewords.ts';
import { mixing, xorInto } from './fountain.ts';
import { type Part, readPart } from './part.ts';

export interface Ur {
  readonly type: string;
  readonly cbor: Uint8Array;
}

/** `other`: of another message than the first part. Who wants that one begins with a new reader. */
export type Received = 'new' | 'known' | 'other';

/** The sum of these fragments, a bit each. */
interface Equation {
  readonly which: Uint32Array;
  readonly sum: Uint8Array;
}

export class UrReader {
  #first: Part | undefined;
  #mixed: (number: number) => readonly number[] = () => [];
  /** By their lowest fragment. */
  readonly #equations = new Map<number, Equation>();
  #message: Ur | undefined;

  /** Undefined until enough was received. */
  get message(): Ur | undefined {
    return this.#message;
  }

  /** Parts that said something, of those that are needed; 0 of 0 before the first. */
  get progress(): { readonly read: number; readonly needed: number } {
    const needed = this.#first?.total ?? 0;
    return { read: this.#message === undefined ? this.#equations.size : needed, needed };
  }

  /** Throws `UrError` for what is no part, and begins anew where all parts together make no message. */
  receive(text: string): Received {
    const part = readPart(text);
    if (this.#first === undefined) this.#begin(part);
    else if (!isSameMessage(this.#first, part)) return 'other';
    if (this.#message !== undefined || !this.#add(part)) return 'known';
    if (this.#equations.size === part.total) this.#finish(part);
    return 'new';
  }

  #begin(part: Part): void {
    this.#first = part;
    this.#mixed = mixing(part.total, part.checksum);
  }

  /** False where it follows from those before. */
  #add({ number, total, fragment }: Part): boolean {
    const which = new Uint32Array(Math.ceil(total / 32));
    for (const at of this.#mixed(number)) which[at >>> 5]! |= 1 << (at & 31);
    const sum = fragment.slice();
    for (let at = 0; at < total; at++) {
      if (!has(which, at)) continue;
      const known = this.#equations.get(at);
      if (known === undefined) {
        this.#equations.set(at, { which, sum });
        return true;
      }
      xorInto(which, known.which);
      xorInto(sum, known.sum);
    }
    if (sum.some((byte) => byte !== 0)) throw new UrError('a code contradicts those before it');
    return false;
  }

  #finish({ type, total, length, checksum }: Part): void {
    const size = this.#first!.fragment.length;
    const whole = new Uint8Array(size * total);
    const fragmentAt = (at: number): Uint8Array => whole.subarray(at * size, (at + 1) * size);
    for (let at = total - 1; at >= 0; at--) {
      const { which, sum } = this.#equations.get(at)!;
      for (let above = at + 1; above < total; above++) if (has(which, above)) xorInto(sum, fragmentAt(above));
      fragmentAt(at).set(sum);
    }
    this.#equations.clear();
    const cbor = whole.slice(0, length);
    if (crc32(cbor) === checksum) {
      this.#message = { type, cbor };
      return;
    }
    this.#first = undefined;
    throw new UrError('the codes together do not fit their checksum');
  }
}

const has = (bits: Uint32Array, at: number): boolean => ((bits[at >>> 5]! >>> (at & 31)) & 1) === 1;

const isSameMessage = (one: Part, other: Part): boolean =>
  one.type === other.type &&
  one.total === other.total &&
  one.length === other.length &&
  one.checksum === other.checksum &&
  one.fragment.length === other.fragment.length;
