// The codes of a device as a camera reads them: parts in any order, some lost, some of another device or of no device. What a
// code contains is never shown.

import { type Ur, UrError, UrReader } from '@wallet-companion/devices/ur';
import { addressIn } from './refund.ts';

/** The types of messages that a page reads. */
export type ScannedType = 'zcash-pczt' | 'zcash-accounts' | 'zcash-batch-sig-result';

/** Receives the text of each code that the camera sees. */
export interface CodeReader<T> {
  receive(text: string): Scanned<T>;
}

export interface Scanned<T> {
  readonly read: number;
  /** 0 before the first part. */
  readonly needed: number;
  /** About the last code, where it adds nothing. */
  readonly note?: string;
  /** The whole message, once enough parts are there. */
  readonly message?: T;
}

const OTHER_CODE = 'The camera sees a code that is not from a signing device.';
const OTHER_TYPE = 'The camera sees codes of a device, and they are for something else than this.';
const OTHER_MESSAGE =
  'The camera sees codes of two messages. Show it one device alone, or begin again with the other one.';

const NO_ADDRESS = 'The camera sees a code that has no address.';

/** One code has the whole address. */
export const scanAddress = (): CodeReader<string> => ({
  receive: (text) => {
    const message = addressIn(text);
    return message === undefined ? { read: 0, needed: 0, note: NO_ADDRESS } : { read: 1, needed: 1, message };
  },
});

export class CodeScan implements CodeReader<Ur> {
  readonly #type: ScannedType;
  readonly #reader = new UrReader();

  constructor(type: ScannedType) {
    this.#type = type;
  }

  receive(text: string): Scanned<Ur> {
    const note = this.#noteOn(text.trim().toLowerCase());
    const { message, progress } = this.#reader;
    return { ...progress, ...(note && { note }), ...(message && { message }) };
  }

  #noteOn(text: string): string | undefined {
    if (!text.startsWith('ur:')) return OTHER_CODE;
    if (!text.startsWith(`ur:${this.#type}/`)) return OTHER_TYPE;
    try {
      return this.#reader.receive(text) === 'other' ? OTHER_MESSAGE : undefined;
    } catch (thrown) {
      // The camera misreads some codes: they come again.
      if (thrown instanceof UrError) return undefined;
      throw thrown;
    }
  }
}
