// From a recovery phrase to viewing keys (ZIP 32), for an account and for each pool.

export {
  deriveViewingKeys,
  type FullViewingKeys,
  incomingKeys,
  outgoingKeys,
  toIncomingViewingKeys,
  type ViewingKeys,
  wipeViewingKeys,
} from '../shielded/keys/account.ts';
export type { IncomingKey, OutgoingKey } from '../shielded/keys/decryptionKeys.ts';
export { createDiversifierCipher, type DiversifierCipher } from '../shielded/keys/diversifierCipher.ts';
export {
  generateMnemonic,
  MnemonicError,
  mnemonicToSeed,
  normaliseMnemonic,
} from '../shielded/keys/mnemonic.ts';
export { orchardAddressAt } from '../shielded/keys/orchardKeys.ts';
export { deriveOrchardAccountKey } from '../shielded/keys/orchardZip32.ts';
export { saplingAddressAt } from '../shielded/keys/saplingKeys.ts';
export { deriveSaplingAccountKey } from '../shielded/keys/saplingZip32.ts';
export { seedFingerprint } from '../shielded/keys/seedFingerprint.ts';
