// Reads the wallet's transactions in full after a scan: a spend may have sent outputs that only the outgoing viewing key
// opens, and compact blocks carry no memos. Best effort: what cannot be read now is tried again with the next sync.
// Requests for single blocks or transactions after a compact scan hint at which are the wallet's; the config key
// `complete_transactions` turns them off. (A node scan has just read every block from the same node.)
//
// A merchant has thousands: blocks are fetched ahead, read many at a time, and committed together.

import { mapInOrder } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import type { Upstream } from '@wallet-companion/chain/ports';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import type { WantedTransaction } from '@wallet-companion/zcash/scan';
import { CompanionError } from '../../../protocol/errors.ts';
import type { EnhancedTransaction, Enhancement, FullTransactions } from '../ports/scanPool.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { ScannedSession } from '../session/session.ts';
import { byBlock, FullTransactionReader } from './fullTransactions.ts';
import { Stopped, type StopSignal } from './stopSignal.ts';

export interface EnhancementLimits {
  /** Blocks requested and not yet in a task: with the largest blocks 16 MB. */
  readonly blocksAhead: number;
  /** A task is a commit as well: an fsync, and what a crash repeats. It ends with the block that reaches either limit. */
  readonly blocksPerTask: number;
  readonly bytesPerTask: number;
}

const LIMITS: EnhancementLimits = { blocksAhead: 8, blocksPerTask: 64, bytesPerTask: 4 * 1024 * 1024 };
/** One is read while the blocks of the next one arrive. */
const TASKS = 2;

/**
 * Throws `Stopped`, and nothing else. What was read before it, or before a failure, is committed. Returns the blocks of the chain that
 * do not have what a scan found in them.
 */
export async function enhanceTransactions(
  { chain, configFile, logFault }: WalletEnvironment,
  { noteStore, pool, scanKeys }: ScannedSession,
  upstream: Upstream,
  stop: StopSignal,
  memosOpened: (notes: readonly StoredNote[]) => void,
  limits = LIMITS,
): Promise<readonly Height[]> {
  if (upstream.source === 'compact' && !configFile.get().complete_transactions) return [];
  const memos = new MemosOnTheWay();
  const contradicted: Height[] = [];
  const enhance = async (task: readonly FullTransactions[]): Promise<Enhancement> => {
    const enhancement = await pool.enhance(task, scanKeys);
    memos.add(enhancement.transactions);
    if (enhancement.failure === undefined) contradicted.push(...withoutOurs(task, enhancement));
    return enhancement;
  };
  const reader = new FullTransactionReader(chain, noteStore, upstream, stop);
  const blocks = byBlock(noteStore.unenhancedTransactions());
  const read = mapInOrder(blocks, limits.blocksAhead, (block) => reader.read(block));
  try {
    for await (const { transactions, failure } of mapInOrder(tasksOf(read, limits), TASKS, enhance)) {
      if (transactions.length > 0) memosOpened(noteStore.enhance(transactions));
      memos.wipe(transactions);
      if (failure !== undefined) throw CompanionError.fromRecord(failure);
    }
  } catch (error) {
    if (error instanceof Stopped) throw error;
    logFault('sync.complete_transactions', error);
  } finally {
    memos.wipeAll();
  }
  return contradicted;
}

/** The blocks in which a transaction is missing, or a note of the wallet in one. */
function withoutOurs(task: readonly FullTransactions[], { transactions }: Enhancement): Height[] {
  const read = new Map(transactions.map(({ txid, memos }) => [txid, memos.length]));
  const isThere = ({ txid, notes }: WantedTransaction) => (read.get(txIdToHex(txid)) ?? -1) >= notes.length;
  return task.flatMap(({ kind, height, wanted }) =>
    kind === 'block' && !wanted.every(isThere) ? [height] : [],
  );
}

/** What was read before a failure becomes a task as well; not so when the sync was stopped. */
async function* tasksOf(
  blocks: AsyncIterable<readonly FullTransactions[]>,
  { blocksPerTask, bytesPerTask }: EnhancementLimits,
): AsyncGenerator<readonly FullTransactions[], void, void> {
  let task: FullTransactions[] = [];
  let count = 0;
  let bytes = 0;
  try {
    for await (const block of blocks) {
      if (block.length === 0) continue;
      task.push(...block);
      count += 1;
      bytes += block.reduce((sum, full) => sum + full.bytes.byteLength, 0);
      if (count < blocksPerTask && bytes < bytesPerTask) continue;
      yield task;
      [task, count, bytes] = [[], 0, 0];
    }
  } catch (error) {
    if (!(error instanceof Stopped) && task.length > 0) yield task;
    throw error;
  }
  if (task.length > 0) yield task;
}

/** Owns memos that were read, and wipes them: when they are committed, or will never be. */
class MemosOnTheWay {
  readonly #transactions = new Set<EnhancedTransaction>();

  add(transactions: readonly EnhancedTransaction[]): void {
    for (const transaction of transactions) this.#transactions.add(transaction);
  }

  wipe(transactions: Iterable<EnhancedTransaction>): void {
    for (const transaction of transactions) {
      this.#transactions.delete(transaction);
      for (const { memo } of [...transaction.memos, ...transaction.sent]) memo.fill(0);
    }
  }

  wipeAll(): void {
    this.wipe(this.#transactions);
  }
}
