// Messages as HID reports of 64 bytes: channel, tag, sequence number, and in the first one the length of the message.

import { LedgerError } from './ledgerError.ts';

export const REPORT_BYTES = 64;
const CHANNEL = 0x0101;
const TAG = 0x05;
const HEADER_BYTES = 5;
const LENGTH_BYTES = 2;

export function framesOf(message: Uint8Array): readonly Uint8Array<ArrayBuffer>[] {
  const content = new Uint8Array(LENGTH_BYTES + message.length);
  new DataView(content.buffer).setUint16(0, message.length);
  content.set(message, LENGTH_BYTES);
  const room = REPORT_BYTES - HEADER_BYTES;
  return Array.from({ length: Math.ceil(content.length / room) }, (_, sequence) => {
    const frame = new Uint8Array(REPORT_BYTES);
    const view = new DataView(frame.buffer);
    view.setUint16(0, CHANNEL);
    view.setUint8(2, TAG);
    view.setUint16(3, sequence);
    frame.set(content.subarray(sequence * room, (sequence + 1) * room), HEADER_BYTES);
    return frame;
  });
}

/** Puts one message together from its reports, in their order. */
export class FrameReader {
  #message: Uint8Array | undefined;
  #filled = 0;
  #sequence = 0;

  /** The message once it is whole. Reports on other channels belong to other programs. */
  receive(report: DataView): Uint8Array | undefined {
    if (report.byteLength < HEADER_BYTES + LENGTH_BYTES) throw broken();
    if (report.getUint16(0) !== CHANNEL) return undefined;
    if (report.getUint8(2) !== TAG || report.getUint16(3) !== this.#sequence) throw broken();
    this.#sequence += 1;
    let from = HEADER_BYTES;
    if (this.#message === undefined) {
      this.#message = new Uint8Array(report.getUint16(from));
      from += LENGTH_BYTES;
    }
    const message = this.#message;
    const length = Math.min(report.byteLength - from, message.length - this.#filled);
    message.set(new Uint8Array(report.buffer, report.byteOffset + from, length), this.#filled);
    this.#filled += length;
    return this.#filled === message.length ? message : undefined;
  }
}

const broken = (): LedgerError =>
  new LedgerError('answer', 'The Ledger answered with reports that are not in the form of a Ledger.');
