// The parts of an account's full viewing keys that a transaction needs: keys for its spends, addresses for its change, and
// the key that lets the account read its sent notes later. None of them can spend.
import { encodeInteger32 } from '@wallet-companion/zcash/curves';
import type { FullViewingKeys } from '@wallet-companion/zcash/keys';
import {
  BIP44_PURPOSE,
  DIVERSIFIER_INDEX_END,
  harden,
  orchardAddressAt,
  orchardScopeKeys,
  saplingAddressAt,
  saplingIncomingViewingKey,
  saplingKeyOfScope,
  splitOrchardFullViewingKey,
  splitSaplingFullViewingKey,
  ZIP32_PURPOSE,
} from '@wallet-companion/zcash/keys';
import type { NetworkParameters, Scope } from '@wallet-companion/zcash/network';
import { isActionPool, POOL, type Pool, type ShieldedProtocol } from '@wallet-companion/zcash/pools';
import type { Derivation } from '../pczt/layout.ts';
import { isAddressOf } from '../pczt/outputNote.ts';
import { refuseSpending } from './refusal.ts';

/** Keys of one scope; each 32 bytes. */
export interface ScopeKeys {
  readonly scope: Scope;
  readonly ak: Uint8Array;
  readonly nk: Uint8Array;
  readonly ivk: Uint8Array;
  readonly ovk: Uint8Array;
}

interface ProtocolKeys {
  readonly scopes: readonly ScopeKeys[];
  readonly changeAddress: Uint8Array;
  /** ak, nk and rivk of Orchard. */
  readonly fvk: Uint8Array | undefined;
}

const SCOPES: readonly Scope[] = ['external', 'internal'];

function orchardKeys(fvk: Uint8Array): ProtocolKeys {
  const key = splitOrchardFullViewingKey(fvk);
  const [external, internal] = SCOPES.map((scope) => ({ scope, ...orchardScopeKeys(key, scope) }));
  const [ak, nk] = [encodeInteger32(key.ak), encodeInteger32(key.nk)];
  return {
    scopes: [external!, internal!].map(({ scope, ivk, ovk }) => ({ scope, ak, nk, ivk, ovk })),
    changeAddress: orchardAddressAt(internal!, 0n),
    fvk,
  };
}

function saplingKeys(bytes: Uint8Array): ProtocolKeys {
  const key = splitSaplingFullViewingKey(bytes);
  const [external, internal] = SCOPES.map((scope) => {
    const scoped = saplingKeyOfScope(key, scope);
    return { ...scoped, scope, ivk: saplingIncomingViewingKey(scoped) };
  });
  return {
    scopes: [external!, internal!].map(({ scope, ak, nk, ivk, ovk }) => ({ scope, ak, nk, ivk, ovk })),
    changeAddress: firstAddress(internal!),
    fvk: undefined,
  };
}

/** About half of the indices have an address. */
function firstAddress(key: { readonly dk: Uint8Array; readonly ivk: Uint8Array }): Uint8Array {
  for (let index = 0n; index < DIVERSIFIER_INDEX_END; index++) {
    const address = saplingAddressAt(key, index);
    if (address !== undefined) return address;
  }
  throw new Error('a key without addresses');
}

/** ZIP 32: where the signer finds the account's keys. */
export interface SeedAccount {
  /** 32 bytes. */
  readonly seedFingerprint: Uint8Array;
  readonly accountIndex: number;
}

export class SpendingKeys {
  readonly #keys: { readonly [P in ShieldedProtocol]?: ProtocolKeys };
  readonly derivation: Derivation | undefined;
  readonly #transparentAccount: Derivation | undefined;

  constructor(keys: FullViewingKeys, { coinType }: NetworkParameters, seedAccount: SeedAccount | undefined) {
    this.#keys = {
      ...(keys.sapling && { sapling: saplingKeys(keys.sapling) }),
      ...(keys.orchard && { orchard: orchardKeys(keys.orchard) }),
    };
    const account = (purpose: number): Derivation | undefined =>
      seedAccount && {
        seedFingerprint: seedAccount.seedFingerprint,
        derivationPath: [purpose, coinType, seedAccount.accountIndex].map(harden),
      };
    this.derivation = account(ZIP32_PURPOSE);
    this.#transparentAccount = account(BIP44_PURPOSE);
  }

  /** BIP 44; `path`: the steps below the account's key. */
  transparentDerivation(path: readonly number[]): Derivation | undefined {
    const account = this.#transparentAccount;
    return account && { ...account, derivationPath: [...account.derivationPath, ...path] };
  }

  of(pool: Pool): ProtocolKeys {
    return this.#keys[POOL[pool].protocol] ?? refuseSpending({ kind: 'viewingKey', pool });
  }

  /** The keys that made the address; undefined where the address is not the account's. */
  ofAddress(pool: Pool, recipient: Uint8Array): ScopeKeys | undefined {
    return this.of(pool).scopes.find(({ ivk }) => isAddressOf(pool, recipient, ivk));
  }

  /** ZIP 316: the external key of the newest protocol that is spent from, for every payment of the transaction. */
  outgoingKey(spentFrom: readonly Pool[]): Uint8Array {
    const pool = spentFrom.find(isActionPool) ?? spentFrom[0]!;
    return this.of(pool).scopes.find(({ scope }) => scope === 'external')!.ovk;
  }
}
