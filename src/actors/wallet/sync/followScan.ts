// What follow mode does at each look: it scans what is new, at most one request's worth. That is no activity, and gives
// way to everybody else.

import { CompanionError, type ErrorRecord, toErrorRecord } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import { gapBelow, isUpToDate } from '../../../protocol/upToDate.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { FollowOutcome } from './follow.ts';
import type { Scans } from './scans.ts';

export interface FollowedScan {
  readonly outcome: FollowOutcome;
  /** Null where the scan was none, or succeeded. */
  readonly error: ErrorRecord | null;
}

/** Gaps come after new blocks. Never rejects. */
export async function followScan(
  { logFault, configFile }: Pick<WalletEnvironment, 'logFault' | 'configFile'>,
  session: Session,
  scans: Scans,
): Promise<FollowedScan> {
  if (scans.turns.current !== undefined) return { outcome: 'busy', error: null };
  const source = configFile.get().follow_source;
  const scan = (input: Input<'sync.run'>) =>
    scans.turns.during('follow', (turn) =>
      scans.run(
        turn,
        { ...input, source },
        () => session,
        () => session.noteStore.lastScanHeight,
      ),
    );
  try {
    const above = await scan({});
    const gap = gapBelow(above);
    const isFree = scans.turns.current === undefined;
    const below = gap !== undefined && isFree ? await scan({ end_height: gap.end_height }) : undefined;
    return { outcome: outcomeOf(above, below), error: null };
  } catch (thrown) {
    if (!(thrown instanceof CompanionError)) logFault('wallet.follow', thrown);
    return { outcome: 'failed', error: toErrorRecord(thrown) };
  }
}

function outcomeOf(above: Output<'sync.run'>, below: Output<'sync.run'> | undefined): FollowOutcome {
  const last = below ?? above;
  if (last.cancelled) return 'busy';
  if (last.blocks_scanned > 0 && !isUpToDate(last)) return 'more';
  return above.blocks_scanned > 0 || above.reorg !== null ? 'caught up' : 'nothing new';
}
