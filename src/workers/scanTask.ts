// What runs in a scan worker: one stateless task at a time, on viewing keys only. Failures come back as values, because
// errors lose their code on the way.

import { workerData } from 'piscina';
import type { EnhancedTransaction, FullTransactions, ScanKeys } from '../actors/wallet/ports/scanPool.ts';
import { createDecryptor } from '../kernel/kernelDecryptor.ts';
import type { KernelModule } from '../kernel/load/kernelModule.ts';
import { createBlake2b256 } from '../kernel/verify/transactionHash.ts';
import { CompanionError } from '../protocol/errors.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import { FormatError } from '../shielded/bytes.ts';
import { blake2b256 } from '../shielded/hashes/blake2.ts';
import { txIdToHex } from '../shielded/identifiers.ts';
import {
  enhanceFromBlock,
  enhanceFromTransaction,
  type FullTransaction,
} from '../shielded/scan/enhanceTransactions.ts';
import { ReferenceDecryptor } from '../shielded/scan/referenceDecryptor.ts';
import { scanBatch } from '../shielded/scan/scanBatch.ts';
import type { BlockBatch, ScannedBlock, TrialDecryptor } from '../shielded/scan/types.ts';

export type ScanTask =
  | { readonly kind: 'scan'; readonly batch: BlockBatch; readonly keys: ScanKeys }
  | { readonly kind: 'enhance'; readonly task: FullTransactions; readonly keys: ScanKeys };

export type ScanAnswer = ScannedBlock[] | EnhancedTransaction[];

/** A worker's task. Without a kernel the reference decrypts. */
export function createScanTask(module: KernelModule | undefined): (task: ScanTask) => Result<ScanAnswer> {
  const decryptor = module ? createDecryptor(module) : new ReferenceDecryptor();
  const hash = module ? createBlake2b256(module) : blake2b256;
  return (task) => {
    try {
      if (task.kind === 'enhance') return ok(enhance(task.task, task.keys, decryptor, hash));
      return ok(scanBatch(task.batch, task.keys.incoming, task.keys.heights, decryptor, hash));
    } catch (error) {
      if (!(error instanceof FormatError)) return failure(error);
      const isCompact = task.kind === 'scan' && task.batch.format === 'compact';
      const code = isCompact ? 'COMPACT_SERVER_BAD_RESPONSE' : 'NODE_BAD_RESPONSE';
      return failure(
        new CompanionError(
          code,
          `A block is malformed (${error.message}). Sync again, or use another server.`,
        ),
      );
    }
  };
}

/** Undefined outside a pool, and where no kernel works. */
export default createScanTask((workerData as KernelModule | undefined | null) ?? undefined);

function enhance(
  { kind, bytes, height, txids }: FullTransactions,
  keys: ScanKeys,
  decryptor: TrialDecryptor,
  hash: typeof blake2b256,
): EnhancedTransaction[] {
  if (kind === 'block') {
    const block = enhanceFromBlock(new Uint8Array(bytes), height, txids, keys, keys.heights, decryptor, hash);
    return block.transactions.map((transaction) => completed(transaction, block.time));
  }
  const transaction = enhanceFromTransaction(new Uint8Array(bytes), height, 0, keys, keys.heights, decryptor);
  return transaction === undefined ? [] : [completed(transaction)];
}

const completed = ({ txid, memos, sent }: FullTransaction, time?: number): EnhancedTransaction => ({
  txid: txIdToHex(txid),
  ...(time === undefined ? {} : { time }),
  memos: memos.map(({ pool, outputIndex, memo }) => ({ note: { pool, outputIndex }, memo })),
  sent,
});
