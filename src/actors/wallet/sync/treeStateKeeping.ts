// What a scan keeps for later witnesses beside leaves: tree states of rounded heights and before the first scanned block, and
// the roots of full subtrees. All wallets ask for these, so the server learns nothing of notes; and a later witness asks for the
// tree state of its anchor alone.

import type { Upstream } from '@wallet-companion/chain/ports';
import { POOLS } from '@wallet-companion/zcash/pools';
import { SUBTREE_LEAVES } from '@wallet-companion/zcash/trees';
import { CompanionError } from '../../../protocol/errors.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { ScannedSession } from '../session/session.ts';
import { settleLeaves } from '../witnesses/leafSettling.ts';
import { fullSubtrees } from '../witnesses/subtreeRoots.ts';
import { keepRounded, keepState } from '../witnesses/treeStates.ts';
import type { StopSignal } from './stopSignal.ts';

/** A failure here does not fail the scan: a later witness asks again. */
export async function keepTreeStates(
  { chain, logFault }: WalletEnvironment,
  { noteStore, scanKeys, pool }: ScannedSession,
  upstream: Upstream,
  ranges: readonly HeightRange[],
  stop: StopSignal,
): Promise<void> {
  const asking: Pick<typeof chain, 'treeStates' | 'subtreeRoots'> = {
    treeStates: (query) => stop.orStopped(chain.treeStates(query)),
    subtreeRoots: (query) => stop.orStopped(chain.subtreeRoots(query)),
  };
  const saplingActivation = scanKeys.heights.sapling;
  const source = { chain: asking, noteStore, upstream, saplingActivation, mayUseKept: true, logFault };
  const tryTo = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error;
    }
  };
  if (upstream.offline !== true) {
    await tryTo(async () => {
      const gaps = noteStore.missing();
      for (const { start, end } of ranges) {
        const before = start - 1;
        const isInGap = gaps.some((gap) => gap.start <= before && before <= gap.end);
        if (!isInGap && !noteStore.isScanned(before)) await keepState(source, before);
        await keepRounded(source, start, end);
      }
    });
    await tryTo(async () => {
      const top = noteStore.block(noteStore.scannedTop() ?? -1);
      if (top === undefined) return;
      for (const tree of POOLS) {
        const count = Math.floor(top.treeSizes[tree] / SUBTREE_LEAVES);
        await fullSubtrees(source, tree, count, top.height);
      }
    });
  }
  await tryTo(() => settleLeaves({ ...source, pool }));
}
