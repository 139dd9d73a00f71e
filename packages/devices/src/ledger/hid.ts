// The part of WebHID that is used here: `navigator.hid` has it, and TypeScript's types of browsers do not.

export interface HidDevice {
  readonly opened: boolean;
  open(): Promise<void>;
  close(): Promise<void>;
  sendReport(reportId: number, data: Uint8Array<ArrayBuffer>): Promise<void>;
  addEventListener(type: 'inputreport', listener: (event: { readonly data: DataView }) => void): void;
  removeEventListener(type: 'inputreport', listener: (event: { readonly data: DataView }) => void): void;
}

type Disconnected = (event: { readonly device: unknown }) => void;

export interface Hid {
  /** Shows the browser's list of devices; empty if the person closes it. */
  requestDevice(options: {
    readonly filters: readonly { readonly vendorId: number }[];
  }): Promise<readonly HidDevice[]>;
  addEventListener(type: 'disconnect', listener: Disconnected): void;
  removeEventListener(type: 'disconnect', listener: Disconnected): void;
}
