// The wallet that every chain of the benches pays: that of the phrase everybody knows, on a regtest chain.
import type { ShieldedReceivers } from '@wallet-companion/zcash/addresses';
import {
  deriveViewingKeys,
  type IncomingKey,
  incomingKeys,
  mnemonicToSeed,
  orchardAddressAt,
  saplingAddressAt,
  type ViewingKeys,
} from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';

export const MNEMONIC = `${'abandon '.repeat(23)}art`;
export const PASSWORD = 'bench';

export const walletSeed = (): Uint8Array => mnemonicToSeed(MNEMONIC, '');

export const walletKeys = (params: NetworkParameters): ViewingKeys =>
  deriveViewingKeys(walletSeed(), params, 0);

const externalKey = (keys: ViewingKeys, protocol: IncomingKey['protocol']): IncomingKey =>
  incomingKeys(keys, 0).find((key) => key.protocol === protocol && key.scope === 'external')!;

/** The first address. */
export function walletReceivers(keys: ViewingKeys): Required<ShieldedReceivers> {
  const saplingKey = externalKey(keys, 'sapling');
  for (let index = 0n; ; index++) {
    const sapling = saplingAddressAt(saplingKey, index);
    if (sapling !== undefined)
      return { sapling, orchard: orchardAddressAt(externalKey(keys, 'orchard'), 0n) };
  }
}

/** The nullifier key of the account's external notes. */
export const nullifierKey = (keys: ViewingKeys, protocol: IncomingKey['protocol']): Uint8Array => {
  const { nk } = externalKey(keys, protocol);
  if (nk === undefined) throw new Error('the wallet of the benches can see its spends');
  return nk;
};
