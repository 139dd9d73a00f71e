// Finds the owner of an address in a PCZT: among the wallet's keys where they are given, else among the keys that the
// PCZT names for its spends. Such a key counts only if it is proven to spend a note.
import { bytesToHex, FormatError } from '@wallet-companion/base/bytes';
import { decodeInteger32 } from '@wallet-companion/zcash/curves';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { orchardScopeKeys, parseOrchardFullViewingKey } from '@wallet-companion/zcash/keys';
import { NOTE_SCHEMES } from '@wallet-companion/zcash/notes';
import { POOL, type Pool } from '@wallet-companion/zcash/pools';
import { actionKey, type SpendKey } from './spendChecks.ts';
import type { Steps } from './steps.ts';

/** `account`: that of the wallet; keys from a PCZT have none. */
export type OwnerKey = Pick<IncomingKey, 'protocol' | 'scope' | 'ivk' | 'nk'> &
  Partial<Pick<IncomingKey, 'account'>>;

/** The keys of a full viewing key whose notes are spent. */
export const ownerKeysOf = (fvk: Uint8Array): OwnerKey[] => {
  const key = parseOrchardFullViewingKey(fvk);
  return (['external', 'internal'] as const).map((scope) => ({
    protocol: 'orchard',
    scope,
    ivk: orchardScopeKeys(key, scope).ivk,
  }));
};

/** Keys that are tried on an address in one step: each takes a good part of a millisecond. */
const KEYS_PER_STEP = 8;

/** Finds the owner's key that made an address, once for each address. */
export class Owners {
  readonly #keys: readonly OwnerKey[];
  readonly #known = new Map<string, OwnerKey | undefined>();

  constructor(keys: readonly OwnerKey[]) {
    this.#keys = keys;
  }

  *find(pool: Pool, recipient: Uint8Array): Steps<OwnerKey | undefined> {
    const { protocol } = POOL[pool];
    const name = `${protocol} ${bytesToHex(recipient)}`;
    if (!this.#known.has(name)) {
      const keys = this.#keys.filter((key) => key.protocol === protocol);
      this.#known.set(name, yield* matching(pool, recipient, keys));
    }
    return this.#known.get(name);
  }
}

function* matching(
  pool: Pool,
  recipient: Uint8Array,
  keys: readonly OwnerKey[],
): Steps<OwnerKey | undefined> {
  const scheme = NOTE_SCHEMES[pool];
  const gd = keys.length === 0 ? undefined : scheme.diversifyHash(recipient.subarray(0, 11));
  if (gd === undefined) return undefined;
  for (let at = 0; at < keys.length; at += KEYS_PER_STEP) {
    const tried = keys.slice(at, at + KEYS_PER_STEP);
    const scalars = tried.map(({ ivk }) => scheme.prepareScalar(decodeInteger32(ivk)));
    const found = scheme
      .multiply(gd, scalars)
      .findIndex((pkd) => pkd && scheme.encode(pkd).every((byte, i) => byte === recipient[11 + i]));
    yield;
    if (found >= 0) return tried[found];
  }
  return undefined;
}

/** The parts of a wallet's key that check the notes at its addresses. */
export const spendKeyOf = (key: OwnerKey | undefined): SpendKey | undefined =>
  key?.nk && { ak: undefined, nk: key.nk, ivks: [key.ivk] };

/** Caches keys, which are costly to check: most spends have the same. FormatError when the bytes are not a key. */
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
