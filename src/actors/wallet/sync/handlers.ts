// Scans on request of a client, and which blocks were scanned.

import type { Caller, FeatureHandlers, Output } from '../../../protocol/operations.ts';
import { estimateScan } from './estimate.ts';
import type { SyncContext } from './scans.ts';
import { refuseTwoOrders } from './syncPlanner.ts';
import type { SyncRequest } from './syncRun.ts';

export const syncHandlers = (context: SyncContext): FeatureHandlers<'sync'> => ({
  'sync.run': (input, caller) => run(context, { ...input, byOwner: caller.byOwner ?? false }, caller),
  'sync.status': () => context.scans.status(context.configuration.current().last_scan_height),
  'sync.estimate': (input) => estimateScan(context, input),
  'sync.cancel': () => {
    const { turns } = context.scans;
    const cancelling = turns.isScanning;
    turns.current?.stop();
    return { cancelling };
  },
});

async function run(
  { sessions, scans }: SyncContext,
  input: SyncRequest,
  caller: Caller,
): Promise<Output<'sync.run'>> {
  const { password } = input;
  refuseTwoOrders(input);
  if (sessions.current === undefined && password === undefined) sessions.use();
  const header = sessions.header();
  const open = () => (password === undefined ? sessions.use() : sessions.enterAs(caller, password));
  const lastScanHeight = () => sessions.current?.noteStore.lastScanHeight ?? header.birthdayHeight - 1;
  return scans.turns.during('requested', (turn) => scans.run(turn, input, open, lastScanHeight));
}

// Which blocks were scanned, and which hashes prove it.

export const coverageHandlers = ({ sessions, scans }: SyncContext): FeatureHandlers<'coverage'> => ({
  'coverage.get': ({ account }) => scans.coverage(sessions.use(account), account),
});
