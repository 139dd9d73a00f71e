// What a device says about its accounts, before one of them becomes a watched wallet.

import type { Input } from '@wallet-companion/client';
import { accountsOf, type Ur, UrError } from '@wallet-companion/devices/ur';
import { deviceTexts } from '../texts/device.ts';
import { Objection } from './problems.ts';

type Import = Input<'wallet.import_viewing_key'>;

export interface DeviceAccounts {
  readonly accounts: readonly {
    readonly ufvk: string;
    readonly index: number;
    readonly name: string | null;
  }[];
  /** What signs, and of which seed. */
  readonly signer: Pick<Import, 'device' | 'device_version' | 'seed_fingerprint'>;
}

export function accountsIn(message: Ur): DeviceAccounts {
  try {
    const { accounts, deviceVersion, seedFingerprint } = accountsOf(message);
    if (accounts.length === 0) throw new Objection(deviceTexts().noAccounts);
    const seed_fingerprint = Array.from(seedFingerprint, (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    );
    // Codes of this type are Keystone's own.
    return { accounts, signer: { device: 'keystone', seed_fingerprint, ...versionIn(deviceVersion) } };
  } catch (thrown) {
    if (thrown instanceof UrError) throw new Objection(deviceTexts().unknownForm);
    throw thrown;
  }
}

/** A Ledger does not say of which seed its keys are, and finds them without it. */
export const ledgerAccount = (ufvk: string, index: number, version: string): DeviceAccounts => ({
  accounts: [{ ufvk, index, name: null }],
  signer: { device: 'ledger', ...versionIn(version) },
});

function versionIn(text: string | null): Pick<Import, 'device_version'> {
  const device_version = /\d{1,4}\.\d{1,4}\.\d{1,4}/.exec(text ?? '')?.[0];
  return device_version === undefined ? {} : { device_version };
}

/** What can be chosen, by place in the list. */
export const accountChoices = ({
  accounts,
}: Pick<DeviceAccounts, 'accounts'>): readonly (readonly [string, string])[] =>
  accounts.map(({ index, name }, at) => [String(at), deviceTexts().accountChoice(index, name)] as const);

/** By place in the list. */
export function importOf({ accounts, signer }: DeviceAccounts, chosen: string) {
  const { ufvk, index } = accounts[Number(chosen)]!;
  return { viewing_key: ufvk, account_index: index, ...signer };
}

/** For a wallet that has others of the same seed. */
export function accountOf(found: DeviceAccounts, chosen: string) {
  const { device: _, device_version: __, ...account } = importOf(found, chosen);
  const { name } = found.accounts[Number(chosen)]!;
  return name === null ? account : { ...account, name };
}
