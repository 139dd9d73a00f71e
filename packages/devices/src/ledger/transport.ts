// One message to the device and its answer, over WebHID. The device has one connection: a second message waits for the
// answer to the first.

import { FrameReader, framesOf } from './frames.ts';
import type { Hid, HidDevice } from './hid.ts';
import { LedgerError } from './ledgerError.ts';

const VENDOR_ID = 0x2c97;

export type Exchange = (message: Uint8Array) => Promise<Uint8Array>;

export interface Transport {
  readonly exchange: Exchange;
  /** Also ends an exchange that the device has not answered. */
  close(): Promise<void>;
}

/** Needs a click of the person: the browser asks which device. */
export async function openTransport(hid: Hid): Promise<Transport> {
  const [device] = await hid.requestDevice({ filters: [{ vendorId: VENDOR_ID }] });
  if (device === undefined) throw new LedgerError('disconnected', 'No Ledger was chosen.');
  try {
    if (!device.opened) await device.open();
  } catch {
    throw new LedgerError(
      'disconnected',
      'The Ledger cannot be opened. Close other programs that use it, then try again.',
    );
  }
  return transportOver(hid, device);
}

function transportOver(hid: Hid, device: HidDevice): Transport {
  const lost = new AbortController();
  const gone = new LedgerError('disconnected', 'The Ledger was disconnected. Connect it, then try again.');
  const disconnected = (event: { readonly device: unknown }) => {
    if (event.device === device) lost.abort();
  };
  hid.addEventListener('disconnect', disconnected);
  let last: Promise<unknown> = Promise.resolve();

  const exchangeNow = (message: Uint8Array): Promise<Uint8Array> =>
    new Promise<Uint8Array>((resolve, reject) => {
      const reader = new FrameReader();
      const received = ({ data }: { readonly data: DataView }) => {
        try {
          const answer = reader.receive(data);
          if (answer !== undefined) settle(() => resolve(answer));
        } catch (thrown) {
          settle(() => reject(thrown));
        }
      };
      const aborted = () => settle(() => reject(gone));
      const settle = (act: () => void) => {
        device.removeEventListener('inputreport', received);
        lost.signal.removeEventListener('abort', aborted);
        act();
      };
      if (lost.signal.aborted) return reject(gone);
      device.addEventListener('inputreport', received);
      lost.signal.addEventListener('abort', aborted);
      sendAll(device, framesOf(message)).catch(aborted);
    });
  return {
    exchange: (message) => {
      const answer = last.then(() => exchangeNow(message));
      last = answer.catch(() => undefined);
      return answer;
    },
    close: async () => {
      lost.abort();
      hid.removeEventListener('disconnect', disconnected);
      // A device that was unplugged has nothing to close.
      await device.close().catch(() => undefined);
    },
  };
}

async function sendAll(device: HidDevice, frames: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
  for (const frame of frames) await device.sendReport(0, frame);
}
