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

/** Undefined outside a pool, and where no kernel works: then the reference decrypts. */
const kernelModule = workerData as KernelModule | undefined | null;
const decryptor: TrialDecryptor = kernelModule ? createDecryptor(kernelModule) : new ReferenceDecryptor();
const hash = kernelModule ? createBlake2b256(kernelModule) : blake2b256;

export default function runScanTask(task: ScanTask): Result<ScanAnswer> {
  try {
    if (task.kind === 'enhance') return ok(enhance(task.task, task.keys));
    return ok(scanBatch(task.batch, task.keys.incoming, task.keys.heights, decryptor, hash));
  } catch (error) {
    if (!(error instanceof FormatError)) return failure(error);
    const isCompact = task.kind === 'scan' && task.batch.format === 'compact';
    const code = isCompact ? 'COMPACT_SERVER_BAD_RESPONSE' : 'NODE_BAD_RESPONSE';
    return failure(
      new CompanionError(code, `A block is malformed (${error.message}). Sync again, or use another server.`),
    );
  }
}

function enhance({ kind, bytes, height, txids }: FullTransactions, keys: ScanKeys): EnhancedTransaction[] {
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
