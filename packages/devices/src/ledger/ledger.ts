// A connected Ledger with the Zcash app open.

import { NO_APP, send, unexpectedAnswer } from './commands.ts';
import type { Hid } from './hid.ts';
import { LedgerError } from './ledgerError.ts';
import type { SignablePayment } from './payment.ts';
import { type LedgerSignature, type SigningOptions, signPayment } from './signing.ts';
import { type Exchange, openTransport } from './transport.ts';
import { type KeyPlace, readViewingKey } from './viewingKey.ts';

export interface Ledger {
  /** The version of the Zcash app. */
  readonly version: string;
  /** Unified full viewing key; the device shows it first. */
  viewingKey(place: KeyPlace): Promise<string>;
  sign(payment: SignablePayment, options?: SigningOptions): Promise<readonly LedgerSignature[]>;
  close(): Promise<void>;
}

const OS_CLA = 0xb0;
const GET_APP = 0x01;

/** Needs a click of the person. Throws `LedgerError`. */
export async function connectLedger(hid: Hid): Promise<Ledger> {
  const { exchange, close } = await openTransport(hid);
  try {
    const { name, version } = await openApp(exchange);
    if (name !== 'Zcash') throw new LedgerError(...NO_APP);
    return {
      version,
      viewingKey: (place) => readViewingKey(exchange, place),
      sign: (payment, options) => signPayment(exchange, payment, options),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Format 1, then name and version, each with its length before it. */
async function openApp(exchange: Exchange): Promise<{ readonly name: string; readonly version: string }> {
  const [format, nameLength = 0, ...rest] = await send(exchange, { cla: OS_CLA, ins: GET_APP });
  const versionLength = rest[nameLength];
  if (format !== 1 || versionLength === undefined) throw unexpectedAnswer();
  const text = (from: number, length: number) => String.fromCharCode(...rest.slice(from, from + length));
  const version = text(nameLength + 1, versionLength);
  if (!/^[\w.-]{1,32}$/.test(version)) throw unexpectedAnswer();
  return { name: text(0, nameLength), version };
}
