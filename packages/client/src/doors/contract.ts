// What the companion and its clients have to agree on: failures, names, how a request is written and events are read. The
// companion imports it, so that there is one of each.

export {
  DEFAULT_PORT,
  DEFAULT_URL,
  EXTENSION_ORIGIN,
  isCompanionHost,
  isCompanionOrigin,
  isOnion,
  isReadByServerAlone,
  isServerOnThisMachine,
  portOnThisMachine,
  tryCompanionUrl,
} from '../contract/companionAddress.ts';
export { copiedCode, type RecipientInput, recipientIn, trimCopied } from '../contract/copiedText.ts';
export {
  badField,
  CompanionError,
  ERRORS,
  type ErrorCode,
  type ErrorRecord,
  type FieldError,
  faultFields,
  isStoppedAt,
  type StoppedAt,
  toErrorRecord,
} from '../contract/errors.ts';
export { type EventMessage, EventMessageReader } from '../contract/eventMessages.ts';
export {
  type CompanionEvent,
  type EventBody,
  type EventName,
  type EventsMissed,
  MISSED,
} from '../contract/events.ts';
export type { Inputs, Outputs } from '../contract/generated/types.ts';
export { hasHidden, withoutHidden } from '../contract/hiddenCharacters.ts';
export {
  DEFAULT_INPUT_BYTES,
  filledPath,
  inKib,
  pathMembers,
  requestTo,
  textOf,
} from '../contract/httpRequest.ts';
export { LEAST_NEW_PASSWORD, newPasswordProblem } from '../contract/newPassword.ts';
export { type PeerAddressText, parsePeerAddress } from '../contract/peerAddress.ts';
export { type AskedWord, isSameWord, wordsToAsk } from '../contract/phraseCheck.ts';
export { PROBLEM_TYPE, type Problem, toProblem, tryProblem } from '../contract/problem.ts';
export { errnoOf, type SystemReason, systemReason, systemWords } from '../contract/systemReasons.ts';
export { gapBelow, isUpToDate } from '../contract/upToDate.ts';
export {
  checkedWallet,
  DEFAULT_WALLET,
  isOtherWalletName,
  pathInWallet,
  WALLETS,
  walletField,
} from '../contract/walletNames.ts';
