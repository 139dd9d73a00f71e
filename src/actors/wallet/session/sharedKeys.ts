// Viewing keys that share a part: the same incoming key of a pool and scope. Such keys find the same notes, so two accounts of a
// wallet must not have them, whatever their texts are.

import { bytesToHex, wipe } from '@wallet-companion/base/bytes';
import { incomingKeys, type ViewingKeys } from '@wallet-companion/zcash/keys';
import { badField } from '../../../protocol/errors.ts';

interface Keyed {
  readonly index: number;
  readonly keys: ViewingKeys;
}

function partsOf(keys: ViewingKeys): string[] {
  return incomingKeys(keys, 0).map(({ protocol, scope, ivk, dk, nk }) => {
    const part = `${protocol} ${scope} ${bytesToHex(ivk)}`;
    wipe(ivk, dk, nk);
    return part;
  });
}

/** Throws `INVALID_REQUEST` where an account has a part of the key. */
export function refuseShared(accounts: readonly Keyed[], keys: ViewingKeys): void {
  const parts = partsOf(keys);
  for (const { index, keys: known } of accounts) {
    const own = partsOf(known);
    if (!parts.some((part) => own.includes(part))) continue;
    throw badField(
      'viewing_key',
      parts.every((part) => own.includes(part))
        ? `is that of account ${index} of this wallet, or a part of it: the account sees what it would see`
        : `is of account ${index} of this wallet, and has more than the account was given: make another wallet from it with wallet.import_viewing_key, and use that one`,
    );
  }
}

/** The accounts that share a part with one of a lower number. */
export function sharedAccounts(accounts: readonly Keyed[]): number[] {
  if (accounts.length < 2) return [];
  const seen = new Set<string>();
  return accounts.flatMap(({ index, keys }) => {
    const parts = partsOf(keys);
    const isShared = parts.some((part) => seen.has(part));
    for (const part of parts) seen.add(part);
    return isShared ? [index] : [];
  });
}
