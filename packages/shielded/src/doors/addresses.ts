// Addresses and viewing keys as text (ZIP 316), and the receivers in them.

export { type AccountAddress, addressAt, firstAddress } from '../shielded/address/account.ts';
export { parseAddress } from '../shielded/address/address.ts';
export { looksAlike } from '../shielded/address/lookAlike.ts';
export { type PayableReceivers, payableReceivers } from '../shielded/address/payableReceivers.ts';
export {
  encodeReceiver,
  encodeSaplingAddress,
  type ShieldedReceivers,
} from '../shielded/address/receiver.ts';
export {
  encodeTransparentAddress,
  receiverOfKey,
  scriptOf,
  type TransparentKind,
  type TransparentReceiver,
  transparentReceiverOf,
} from '../shielded/address/transparentScript.ts';
export { encodeUnifiedViewingKey, parseUnifiedViewingKey } from '../shielded/address/unifiedViewingKey.ts';
export { parseViewingKey } from '../shielded/address/viewingKey.ts';
