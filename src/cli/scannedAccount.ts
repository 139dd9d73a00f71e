// The account that a device shows as QR codes (zcash-accounts), as the fields of an import. One of several is never guessed.

import type { Readable } from 'node:stream';
import type { DeviceAccount, DeviceAccounts } from '@wallet-companion/devices/ur';
import { badField } from '../protocol/errors.ts';
import { badFlag } from './flags.ts';
import { readCodeFiles, readCodes } from './inputFile.ts';

/** `index`: the ZIP 32 account that the caller chose. Throws `INVALID_REQUEST`. */
export async function readScannedAccount(paths: readonly string[], index: unknown, stdin: Readable) {
  const { accountsOf } = await import('@wallet-companion/devices/ur');
  const text = await readCodeFiles(paths, 'scan', stdin);
  const shown = await readCodes(text, 'scan', accountsOf);
  const account = chosen(shown, index);
  const version = /\d{1,4}\.\d{1,4}\.\d{1,4}/.exec(shown.deviceVersion ?? '')?.[0];
  return {
    viewing_key: account.ufvk,
    account_index: account.index,
    seed_fingerprint: Buffer.from(shown.seedFingerprint).toString('hex'),
    ...(account.name === null ? {} : { name: account.name }),
    // Codes of this type are Keystone's own.
    device: 'keystone',
    ...(version === undefined ? {} : { device_version: version }),
  };
}

function chosen({ accounts }: DeviceAccounts, index: unknown): DeviceAccount {
  const indices = accounts.map((account) => account.index);
  if (accounts.length === 0) throw badFlag('scan', 'has QR codes without an account');
  if (new Set(indices).size < indices.length) throw badFlag('scan', 'has QR codes with one account twice');
  const found = accounts.filter((account) => index === undefined || account.index === index);
  if (found.length === 1) return found[0]!;
  const list = accounts.map(({ index: number, name }) =>
    name === null ? `${number}` : `${number} (${name})`,
  );
  throw badField(
    'account_index',
    'must be one of those that the device shows',
    `The device shows the accounts ${list.join(', ')}. Choose one with --account-index; "accounts import-viewing-key" adds others to the wallet.`,
  );
}
