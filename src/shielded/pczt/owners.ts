// Whose an address in a PCZT is: of the wallet's keys where they are given, else of the keys that the PCZT says its
// spends are of. Only notes that those keys are proven to spend are taken for it.
import { bytesToHex, FormatError } from '../bytes.ts';
import type { IncomingKey } from '../keys/decryptionKeys.ts';
import { orchardScopeKeys, parseOrchardFullViewingKey } from '../keys/orchardKeys.ts';
import type { Scope } from '../network.ts';
import { POOL, type Pool, type ShieldedProtocol } from '../pools.ts';
import { isAddressOf } from './outputNote.ts';
import { actionKey, type SpendKey } from './spendChecks.ts';

export type OwnerKey = Pick<IncomingKey, 'protocol' | 'scope' | 'ivk' | 'nk'>;

/** Of a full viewing key whose notes are spent. */
export const ownerKeysOf = (fvk: Uint8Array): OwnerKey[] => {
  const key = parseOrchardFullViewingKey(fvk);
  return (['external', 'internal'] as const).map((scope) => ({
    protocol: 'orchard',
    scope,
    ivk: orchardScopeKeys(key, scope).ivk,
  }));
};

const keyOf = (pool: Pool, recipient: Uint8Array, keys: readonly OwnerKey[]): OwnerKey | undefined => {
  const protocol: ShieldedProtocol = POOL[pool].protocol;
  return keys.find((key) => key.protocol === protocol && isAddressOf(pool, recipient, key.ivk));
};

/** With which key of the owner's the address was made. */
export const ownerOf = (pool: Pool, recipient: Uint8Array, keys: readonly OwnerKey[]): Scope | undefined =>
  keyOf(pool, recipient, keys)?.scope;

/** A wallet's key for the note at one of its addresses. */
export function walletSpendKey(
  pool: Pool,
  recipient: Uint8Array,
  keys: readonly OwnerKey[],
): SpendKey | undefined {
  const key = keyOf(pool, recipient, keys);
  return key?.nk && { ak: undefined, nk: key.nk, ivks: [key.ivk] };
}

/** Most spends of a PCZT are of one key, which is costly to check. FormatError when the bytes are no key. */
export function rememberedKeys(): (fvk: Uint8Array) => SpendKey {
  const known = new Map<string, SpendKey | FormatError>();
  return (fvk) => {
    const name = bytesToHex(fvk);
    let key = known.get(name);
    if (key === undefined) {
      try {
        key = actionKey(fvk);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        key = error;
      }
      known.set(name, key);
    }
    if (key instanceof FormatError) throw key;
    return key;
  };
}
