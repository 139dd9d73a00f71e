// The codes of a device as a camera reads them: parts in any order, some lost, some of another device or of no device. What a
// code contains is never shown.

import { type Ur, UrError, UrReader } from '@wallet-companion/devices/ur';
import { deviceTexts } from '../texts/device.ts';
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

/** One code has the whole address. */
export const scanAddress = (): CodeReader<string> => ({
  receive: (text) => {
    const message = addressIn(text);
    return message === undefined
      ? { read: 0, needed: 0, note: deviceTexts().noAddressCode }
      : { read: 1, needed: 1, message };
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
    if (!text.startsWith('ur:')) return deviceTexts().otherDevice;
    if (!text.startsWith(`ur:${this.#type}/`)) return deviceTexts().otherType;
    try {
      return this.#reader.receive(text) === 'other' ? deviceTexts().otherMessage : undefined;
    } catch (thrown) {
      // The camera misreads some codes: they come again.
      if (thrown instanceof UrError) return undefined;
      throw thrown;
    }
  }
}
