// Outputs at the transparent addresses of an account, which another wallet received: they are only moved to a shielded pool.
import type { Zatoshi } from '@wallet-companion/base/values';
import { encodeTransparentAddress, receiverOfKey, scriptOf } from '@wallet-companion/zcash/addresses';
import type { TxId } from '@wallet-companion/zcash/identifiers';
import { BIP44_CHAIN, transparentPublicKeys } from '@wallet-companion/zcash/keys';
import type { NetworkParameters, Scope } from '@wallet-companion/zcash/network';

/** A transparent address of an account (P2PKH), and where its key is (BIP 44). */
export interface OwnTransparentAddress {
  readonly address: string;
  readonly script: Uint8Array;
  /** 33 bytes. */
  readonly publicKey: Uint8Array;
  /** The steps below the account's key: 0 (receiving) or 1 (change), and the index. */
  readonly path: readonly [number, number];
}

/** An unspent output at an own address. */
export interface OwnOutput {
  readonly at: OwnTransparentAddress;
  readonly txid: TxId;
  readonly index: number;
  readonly zatoshi: Zatoshi;
}

/** The addresses `start` to `start + count - 1` of a scope. `accountKey`: chain code and public key, 65 bytes. */
export const ownTransparentAddresses = (
  accountKey: Uint8Array,
  scope: Scope,
  range: { readonly start: number; readonly count: number },
  { network }: Pick<NetworkParameters, 'network'>,
): OwnTransparentAddress[] =>
  transparentPublicKeys(accountKey, scope, range).map((publicKey, i) => {
    const receiver = receiverOfKey(publicKey);
    return {
      address: encodeTransparentAddress(receiver, network),
      script: scriptOf(receiver),
      publicKey,
      path: [BIP44_CHAIN[scope], range.start + i],
    };
  });
