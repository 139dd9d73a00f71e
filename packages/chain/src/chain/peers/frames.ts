// Messages of the network's own protocol as they are on the wire: magic, command, length, checksum, body. All numbers are
// little-endian.

import { asciiBytes, concatBytes, equalBytes, FormatError, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { doubleSha256 } from '@wallet-companion/zcash/transactions';

export interface Frame {
  readonly command: string;
  readonly body: Uint8Array;
}

const COMMAND_AT = 4;
const LENGTH_AT = 16;
const CHECKSUM_AT = 20;
export const HEAD_BYTES = 24;

/** Of a body: 2 MiB. */
export const LONGEST_BODY = 2 * 1_024 * 1_024;
/** Of a body before the handshake is done. */
export const LONGEST_GREETING = 1_024;

const checksum = (body: Uint8Array): Uint8Array => doubleSha256(body).subarray(0, 4);

/** The bytes of a message. `command`: at most 12 characters. */
export const frameBytes = (magic: Uint8Array, { command, body }: Frame): Uint8Array => {
  const name = new Uint8Array(LENGTH_AT - COMMAND_AT);
  name.set(asciiBytes(command));
  return concatBytes(magic, name, u32ToLeBytes(body.length), checksum(body), body);
};

/** Takes messages out of what arrives, in pieces of any size. */
export class FrameReader {
  readonly #magic: Uint8Array;
  readonly #head = new Uint8Array(HEAD_BYTES);
  #headed = 0;
  #body: Uint8Array | undefined;
  #filled = 0;
  /** Bytes of the longest body that is taken. */
  limit = LONGEST_GREETING;

  constructor(magic: Uint8Array) {
    this.#magic = magic;
  }

  /** Throws `FormatError` for another network's magic, a body above the limit and a wrong checksum: nothing after it can be read. */
  *push(chunk: Uint8Array): Generator<Frame> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#body === undefined) {
        const taken = rest.subarray(0, HEAD_BYTES - this.#headed);
        this.#head.set(taken, this.#headed);
        this.#headed += taken.length;
        rest = rest.subarray(taken.length);
        if (this.#headed === HEAD_BYTES) this.#begin();
      } else {
        const taken = rest.subarray(0, this.#body.length - this.#filled);
        this.#body.set(taken, this.#filled);
        this.#filled += taken.length;
        rest = rest.subarray(taken.length);
      }
      if (this.#body !== undefined && this.#filled === this.#body.length) yield this.#end(this.#body);
    }
  }

  #begin(): void {
    const length = new DataView(this.#head.buffer).getUint32(LENGTH_AT, true);
    if (!equalBytes(this.#head.subarray(0, COMMAND_AT), this.#magic))
      throw new FormatError('the message is of another network');
    if (length > this.limit)
      throw new FormatError(`the message has ${length} bytes, more than ${this.limit}`);
    this.#body = new Uint8Array(length);
    this.#filled = 0;
  }

  #end(body: Uint8Array): Frame {
    const head = this.#head;
    if (!equalBytes(checksum(body), head.subarray(CHECKSUM_AT)))
      throw new FormatError('the checksum of the message is wrong');
    const name = head.subarray(COMMAND_AT, LENGTH_AT);
    const end = name.indexOf(0);
    this.#body = undefined;
    this.#headed = 0;
    return { command: String.fromCharCode(...name.subarray(0, end < 0 ? name.length : end)), body };
  }
}
