// The wallet that every chain of the benches pays: that of the phrase everybody knows, on a regtest chain.
import type { ShieldedReceivers } from '../../src/shielded/address/receiver.ts';
import { deriveViewingKeys, incomingKeys, type ViewingKeys } from '../../src/shielded/keys/account.ts';
import type { IncomingKey } from '../../src/shielded/keys/decryptionKeys.ts';
import { mnemonicToSeed } from '../../src/shielded/keys/mnemonic.ts';
import { orchardAddressAt } from '../../src/shielded/keys/orchardKeys.ts';
import { saplingAddressAt } from '../../src/shielded/keys/saplingKeys.ts';
import type { NetworkParameters } from '../../src/shielded/network.ts';

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
