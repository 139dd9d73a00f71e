// Reads our own transactions in full after a scan: a spend may have sent outputs that only the outgoing viewing key
// opens, and compact blocks carry no memos. Best effort: what cannot be read now is tried again with the next sync.
// Asking about single blocks or transactions after a compact scan hints at which are ours; the config key
// `complete_transactions` turns it off. (A node scan has just read every block from the same node.)

import { txIdFromHex } from '../../../shielded/identifiers.ts';
import type { Height } from '../../../values/height.ts';
import type { Upstream } from '../../chain/ports/types.ts';
import type { EnhancedTransaction } from '../ports/scanPool.ts';
import type { StoredTransaction } from '../ports/storage.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { ScannedSession } from '../session/session.ts';
import { Stopped, type StopSignal } from './stopSignal.ts';

type EnhancementEnvironment = Pick<WalletEnvironment, 'chain' | 'configFile' | 'logFault'>;

/** Throws `Stopped`, and nothing else. */
export async function enhanceTransactions(
  environment: EnhancementEnvironment,
  session: ScannedSession,
  upstream: Upstream,
  stop: StopSignal,
): Promise<void> {
  if (upstream.source === 'compact' && !environment.configFile.get().complete_transactions) return;
  const byHeight = new Map<number, StoredTransaction[]>();
  for (const transaction of session.noteStore.unenhancedTransactions()) {
    byHeight.set(transaction.height, [...(byHeight.get(transaction.height) ?? []), transaction]);
  }
  const node = { isAway: false };
  for (const [height, transactions] of byHeight) {
    try {
      const fromBlock = await readFromBlock(environment, session, upstream, node, stop, height, transactions);
      // A compact server that is away was waited for already.
      if (fromBlock === undefined && upstream.offline === true) continue;
      const read =
        fromBlock ?? (await readOneByOne(environment, session, upstream, stop, height, transactions));
      try {
        session.noteStore.enhance(read);
      } finally {
        for (const { memos, sent } of read) for (const { memo } of [...memos, ...sent]) memo.fill(0);
      }
    } catch (error) {
      if (error instanceof Stopped) throw error;
      environment.logFault('sync.complete_transactions', error);
      return;
    }
  }
}

/**
 * Whole blocks do not tell the node which transaction is ours. After a compact scan a node that is away is asked once.
 */
async function readFromBlock(
  { chain }: EnhancementEnvironment,
  { noteStore, pool, scanKeys }: ScannedSession,
  upstream: Upstream,
  node: { isAway: boolean },
  stop: StopSignal,
  height: Height,
  transactions: readonly StoredTransaction[],
): Promise<EnhancedTransaction[] | undefined> {
  if (node.isAway) return undefined;
  const hash =
    noteStore.block(height)?.hash ?? (await stop.orStopped(chain.blockHash({ ...upstream, height })));
  if (hash === null) return undefined;
  const read = chain.rawBlock({ ...upstream, source: 'node', height, hash }).catch((error: unknown) => {
    if (upstream.source === 'node') throw error;
    node.isAway = true;
    return null;
  });
  const bytes = await stop.orStopped(read);
  if (bytes === null) return undefined;
  const txids = transactions.map(({ txid }) => txIdFromHex(txid));
  return pool.enhance({ kind: 'block', bytes, height, txids }, scanKeys);
}

async function readOneByOne(
  { chain }: EnhancementEnvironment,
  { pool, scanKeys }: ScannedSession,
  upstream: Upstream,
  stop: StopSignal,
  height: Height,
  transactions: readonly StoredTransaction[],
): Promise<EnhancedTransaction[]> {
  const enhanced: EnhancedTransaction[] = [];
  for (const { txid } of transactions) {
    const wireTxid = txIdFromHex(txid);
    const bytes = await stop.orStopped(chain.rawTransaction({ ...upstream, txid: wireTxid }));
    if (bytes !== null) {
      enhanced.push(
        ...(await pool.enhance({ kind: 'transaction', bytes, height, txids: [wireTxid] }, scanKeys)),
      );
    }
  }
  return enhanced;
}
