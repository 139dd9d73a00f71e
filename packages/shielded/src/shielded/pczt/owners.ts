// Whose an address in a PCZT is: of the wallet's keys where they are given, else of the keys that the PCZT says its
// spends are of. Only notes that those keys are proven to spend are taken for it.
import { bytesToHex, FormatError } from '../bytes.ts';
import { decodeInteger32 } from '../curves/integers.ts';
import type { IncomingKey } from '../keys/decryptionKeys.ts';
import { orchardScopeKeys, parseOrchardFullViewingKey } from '../keys/orchardKeys.ts';
import { NOTE_SCHEMES } from '../notes/noteSchemes.ts';
import { POOL, type Pool } from '../pools.ts';
import { actionKey, type SpendKey } from './spendChecks.ts';
import type { Steps } from './steps.ts';

/** `account`: of the wallet; keys that a PCZT brings along have none. */
export type OwnerKey = Pick<IncomingKey, 'protocol' | 'scope' | 'ivk' | 'nk'> &
  Partial<Pick<IncomingKey, 'account'>>;

/** Of a full viewing key whose notes are spent. */
export const ownerKeysOf = (fvk: Uint8Array): OwnerKey[] => {
  const key = parseOrchardFullViewingKey(fvk);
  return (['external', 'internal'] as const).map((scope) => ({
    protocol: 'orchard',
    scope,
    ivk: orchardScopeKeys(key, scope).ivk,
  }));
};

/** Tried on an address between two steps: each takes a good part of a millisecond. */
const KEYS_PER_STEP = 8;

/** Which of the owner's keys an address was made with, each address looked for once. */
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

/** What a wallet's key says of the notes at its addresses. */
export const spendKeyOf = (key: OwnerKey | undefined): SpendKey | undefined =>
  key?.nk && { ak: undefined, nk: key.nk, ivks: [key.ivk] };

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
