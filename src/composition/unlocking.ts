// The result of unlocking the wallet with the password of the start.

import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import type { Log } from '../workers/threadLog.ts';

/**
 * A service may be set up before there is a wallet; a password that does not open an existing wallet fails the start.
 */
export function openOrFail(error: ErrorRecord | undefined, log: Log): void {
  if (error === undefined) return;
  if (error.code !== 'NO_WALLET') throw CompanionError.fromRecord(error);
  log.warn(
    {},
    'there is no wallet yet: the password was not used, and the companion starts without a session',
  );
}
