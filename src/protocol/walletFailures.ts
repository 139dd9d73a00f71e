// Failures that both the wallet file and the wallet actor report, so that each has one text.

import { CompanionError } from './errors.ts';

export const wrongPassword = (): CompanionError =>
  new CompanionError('WRONG_PASSWORD', 'The password is wrong. Check it and try again.');

export const noWallet = (): CompanionError =>
  new CompanionError('NO_WALLET', 'There is no wallet yet. Create one or restore one first.');
