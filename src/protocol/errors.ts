// The taxonomy of failures, which the package of the client has: what installs without the companion throws them too.

import { CompanionError } from '@wallet-companion/client/contract';

export type { ErrorCode, ErrorRecord, FieldError, StoppedAt } from '@wallet-companion/client/contract';
export {
  badField,
  CompanionError,
  ERRORS,
  isStoppedAt,
  toErrorRecord,
} from '@wallet-companion/client/contract';

// Failures that both the wallet file and the wallet actor report, so that each has one text.

export const wrongPassword = (): CompanionError =>
  new CompanionError('WRONG_PASSWORD', 'The password is wrong. Check it and try again.');

export const noWallet = (): CompanionError =>
  new CompanionError('NO_WALLET', 'There is no wallet yet. Create one or restore one first.');
