// From a recovery phrase to viewing keys (ZIP 32), for an account and for each pool.

export {
  deriveViewingKeys,
  type FullViewingKeys,
  incomingKeys,
  outgoingKeys,
  toIncomingViewingKeys,
  type ViewingKeys,
  wipeViewingKeys,
} from '../zcash/keys/account.ts';
export type { IncomingKey, OutgoingKey } from '../zcash/keys/decryptionKeys.ts';
export { BIP44_PURPOSE, harden, ZIP32_PURPOSE } from '../zcash/keys/derivationPath.ts';
export {
  createDiversifierCipher,
  DIVERSIFIER_INDEX_END,
  type DiversifierCipher,
} from '../zcash/keys/diversifierCipher.ts';
export {
  generateMnemonic,
  MnemonicError,
  mnemonicToSeed,
  normaliseMnemonic,
} from '../zcash/keys/mnemonic.ts';
export {
  deriveOrchardKeys,
  encodeOrchardFullViewingKey,
  orchardAddressAt,
  orchardScopeKeys,
  parseOrchardFullViewingKey,
  splitOrchardFullViewingKey,
} from '../zcash/keys/orchardKeys.ts';
export { deriveOrchardAccountKey } from '../zcash/keys/orchardZip32.ts';
export {
  internalSaplingFullViewingKey,
  saplingAddressAt,
  saplingIncomingViewingKey,
  saplingInternalParts,
  saplingKeyOfScope,
  splitSaplingFullViewingKey,
} from '../zcash/keys/saplingKeys.ts';
export {
  deriveSaplingAccountKey,
  saplingFullViewingKeyOf,
  wipeSaplingExtendedKey,
} from '../zcash/keys/saplingZip32.ts';
export { seedFingerprint } from '../zcash/keys/seedFingerprint.ts';
export {
  BIP44_CHAIN,
  deriveTransparentKeyPair,
  transparentPublicKeys,
} from '../zcash/keys/transparentKeys.ts';
