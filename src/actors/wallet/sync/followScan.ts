// What follow mode does at each poll: it scans what is new, at most one request's worth. That is no activity, and gives
// way to everybody else.

import { CompanionError } from '../../../protocol/errors.ts';
import type { Input } from '../../../protocol/operations.ts';
import { isUpToDate } from '../../../protocol/upToDate.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Sessions } from '../session/sessions.ts';
import type { FollowOutcome } from './follow.ts';
import type { Scans } from './scans.ts';

/** Gaps come after new blocks, the newest first. Never rejects. */
export async function followScan(
  { logFault }: Pick<WalletEnvironment, 'logFault'>,
  sessions: Sessions,
  scans: Scans,
): Promise<FollowOutcome> {
  const session = sessions.current;
  if (session === undefined || scans.turns.current !== undefined) return 'caught up';
  const scan = (input: Input<'sync.run'>) =>
    scans.turns.during('follow', (turn) =>
      scans.run(
        turn,
        input,
        () => session,
        () => session.noteStore.lastScanHeight,
      ),
    );
  try {
    const summary = await scan({ newest_first: true });
    const isCut = summary.blocks_scanned > 0 && !summary.cancelled && !isUpToDate(summary);
    return isCut ? 'more' : 'caught up';
  } catch (error) {
    if (!(error instanceof CompanionError)) logFault('wallet.follow', error);
    return 'failed';
  }
}
