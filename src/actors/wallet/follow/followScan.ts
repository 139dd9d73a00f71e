// One scan of follow mode: it scans new blocks, at most as many as one request does. It does not count as activity, and
// it yields to every other scan.

import { isUpToDate } from '@wallet-companion/client/contract';
import { CompanionError, type ErrorRecord, toErrorRecord } from '../../../protocol/errors.ts';
import type { HandledInput, Output } from '../../../protocol/operations.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { Scans } from '../sync/scans.ts';
import type { FollowOutcome } from './follower.ts';

export interface FollowedScan {
  readonly outcome: FollowOutcome;
  /** Null where nothing was scanned, or the scan succeeded. */
  readonly error: ErrorRecord | null;
}

/** Gaps come after new blocks, the newest first. Never rejects. */
export async function followScan(
  environment: WalletEnvironment,
  session: Session,
  scans: Scans,
): Promise<FollowedScan> {
  if (scans.turns.current !== undefined) return { outcome: 'busy', error: null };
  const scan = (input: HandledInput<'sync.run'>) =>
    scans.turns.during('follow', (turn) =>
      scans.run(
        turn,
        input,
        () => session,
        () => session.noteStore.lastScanHeight,
      ),
    );
  try {
    return { outcome: outcomeOf(await scan({ newest_first: true })), error: null };
  } catch (thrown) {
    if (!(thrown instanceof CompanionError)) environment.logFault('wallet.follow', thrown);
    return { outcome: 'failed', error: toErrorRecord(thrown) };
  }
}

function outcomeOf(summary: Output<'sync.run'>): FollowOutcome {
  if (summary.cancelled) return 'busy';
  if (summary.blocks_scanned > 0 && !isUpToDate(summary)) return 'more';
  return summary.blocks_scanned > 0 || summary.reorg !== null ? 'caught up' : 'nothing new';
}
