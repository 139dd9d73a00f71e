// Addresses and viewing keys as text (ZIP 316), and the receivers in them.

export { type AccountAddress, addressAt, firstAddress } from '../zcash/address/account.ts';
export {
  encodeReceiver,
  encodeSaplingAddress,
  encodeUnifiedAddress,
  looksAlike,
  parseAddress,
  type ShieldedReceivers,
} from '../zcash/address/address.ts';
export { encodeBech32 } from '../zcash/address/bech32.ts';
export {
  MAX_ADDRESS_LENGTH,
  type PayableReceivers,
  payableReceivers,
  receiverTexts,
} from '../zcash/address/payableReceivers.ts';
export {
  encodeTransparentAddress,
  hash160,
  multisigOf,
  parseTransparentAddress,
  pushData,
  receiverOfKey,
  scriptOf,
  type TransparentKind,
  type TransparentReceiver,
  transparentReceiverOf,
} from '../zcash/address/transparentScript.ts';
export { encodeUnifiedContainer, TYPECODE } from '../zcash/address/unifiedContainer.ts';
export { encodeUnifiedViewingKey, parseUnifiedViewingKey } from '../zcash/address/unifiedViewingKey.ts';
export { parseViewingKey } from '../zcash/address/viewingKey.ts';
