// Tree states of rounded heights, kept during scans: one request every few thousand blocks, for heights that all wallets
// ask for. A later witness then reads a few thousand blocks at most.

import type { Upstream } from '@wallet-companion/chain/ports';
import { CompanionError } from '../../../protocol/errors.ts';
import type { HeightRange } from '../ports/storage.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { ScannedSession } from '../session/session.ts';
import { keepRounded } from '../witnesses/treeStates.ts';
import type { StopSignal } from './stopSignal.ts';

/** A failure here does not fail the scan: a later witness asks again. */
export async function keepTreeStates(
  { chain, logFault }: WalletEnvironment,
  { noteStore, scanKeys }: ScannedSession,
  upstream: Upstream,
  ranges: readonly HeightRange[],
  stop: StopSignal,
): Promise<void> {
  if (upstream.offline === true) return;
  const saplingActivation = scanKeys.heights.sapling;
  const asking: Pick<typeof chain, 'treeStates'> = {
    treeStates: (query) => stop.orStopped(chain.treeStates(query)),
  };
  const source = { chain: asking, noteStore, upstream, saplingActivation, mayUseKept: true, logFault };
  try {
    for (const { start, end } of ranges) await keepRounded(source, start, end);
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error;
  }
}
