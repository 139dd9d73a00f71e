// Scans on request of a client.

import { withoutFindings } from '../../../protocol/events.ts';
import { hasScope } from '../../../protocol/grants.ts';
import type { Caller, FeatureHandlers, Output } from '../../../protocol/operations.ts';
import type { WalletContext } from '../walletContext.ts';
import { refuseTwoOrders } from './syncPlanner.ts';
import type { SyncRequest } from './syncRun.ts';

export const syncHandlers = (context: WalletContext): FeatureHandlers<'sync'> => ({
  'sync.run': async (input, caller) => {
    const summary = await run(context, { ...input, byOwner: caller.byOwner ?? false }, caller);
    return mayRead(caller) ? summary : withoutFindings(summary);
  },
  'sync.status': (_input, caller) => {
    const status = context.scans.status(context.configuration.current().last_scan_height);
    if (mayRead(caller)) return status;
    return withoutFindings({ ...status, progress: status.progress && withoutFindings(status.progress) });
  },
  'sync.cancel': () => {
    const { turns } = context.scans;
    const cancelling = turns.isScanning;
    turns.current?.stop();
    return { cancelling };
  },
});

const mayRead = ({ grant }: Caller): boolean => grant === undefined || hasScope(grant, ['read']);

async function run(
  { sessions, scans }: WalletContext,
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
