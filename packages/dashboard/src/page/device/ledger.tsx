// A Ledger for as long as one action needs it, with its failures as sentences, and the account on it as somebody types it.

import { connectLedger, type Hid, type Ledger, LedgerError } from '@wallet-companion/devices/ledger';
import { Objection } from '../../model/problems.ts';
import { deviceTexts } from '../../texts/device.ts';
import { Field } from '../parts/form.tsx';

/** Call it in a click: the browser asks which device. */
export async function withLedger<T>(act: (ledger: Ledger) => Promise<T>): Promise<T> {
  const { hid } = navigator as { readonly hid?: Hid };
  if (hid === undefined) throw new Objection(deviceTexts().noHid);
  let ledger: Ledger | undefined;
  try {
    ledger = await connectLedger(hid);
    return await act(ledger);
  } catch (thrown) {
    throw thrown instanceof LedgerError ? new Objection(thrown.message) : thrown;
  } finally {
    await ledger?.close();
  }
}

/** Read with `typedAccount`. */
export const AccountField = ({ hidden = false }: { hidden?: boolean }) => (
  <Field
    kind="number"
    name="account"
    label={deviceTexts().ledgerAccount}
    defaultValue="0"
    help={deviceTexts().firstAccount}
    hidden={hidden}
  />
);

/** ZIP 32: below 2^31. */
export function typedAccount(text: string): number {
  const account = Number(text.trim() || Number.NaN);
  if (Number.isSafeInteger(account) && account >= 0 && account < 2 ** 31) return account;
  throw new Objection(deviceTexts().noAccount, 'account');
}
