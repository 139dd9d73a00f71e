// The password that a start was given, tried on the wallet.

import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import type { Log } from '../workers/threadLog.ts';

/**
 * A service may be set up before there is a wallet; a password that does not open the one that is there is no start.
 */
export function openOrFail(error: ErrorRecord | undefined, log: Log): void {
  if (error === undefined) return;
  if (error.code !== 'NO_WALLET') throw CompanionError.fromRecord(error);
  log.warn(
    {},
    'there is no wallet yet: the password was not used, and the companion starts without a session',
  );
}
