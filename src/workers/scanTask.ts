// The code in a scan worker: one stateless task at a time, on viewing keys only. Failures are returned as values,
// because errors lose their code between threads.

import { FormatError } from '@wallet-companion/base/bytes';
import {
  createBlake2b256,
  createDecryptor,
  createKernelLevelHashes,
  type KernelModule,
} from '@wallet-companion/kernel/kernel';
import { blake2b256 } from '@wallet-companion/zcash/curves';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import type { Pool, ShieldedProtocol } from '@wallet-companion/zcash/pools';
import {
  type BlockBatch,
  enhanceTransactions,
  type LeafRange,
  type Leaves,
  noteCommitments,
  type ReadUnmined,
  ReferenceDecryptor,
  type ScannedBlock,
  scanBatch,
  scanBatchForAll,
  scanUnmined,
  type TrialDecryptor,
  type UnminedTransactions,
} from '@wallet-companion/zcash/scan';
import { PLAIN_LEVEL_HASH } from '@wallet-companion/zcash/trees';
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import type { Enhancement, FullTransactions, ScanKeys } from '../actors/wallet/ports/scanPool.ts';
import { CompanionError, type ErrorCode } from '../protocol/errors.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import { packBlocks } from './packedBlocks.ts';
import {
  type Gathered,
  gatherEnhanced,
  gatherScanned,
  gatherUnmined,
  type SharedKeys,
  sharedKeysOf,
} from './scanSecrets.ts';

type Work<Keys> =
  | { readonly kind: 'scan'; readonly batch: BlockBatch; readonly keys: Keys }
  | { readonly kind: 'enhance'; readonly task: readonly FullTransactions[]; readonly keys: Keys }
  | { readonly kind: 'unmined'; readonly task: UnminedTransactions; readonly keys: Keys };

/** Work on the note commitment trees: no key is needed. */
type TreeWork =
  | {
      readonly kind: 'leaves';
      readonly batch: BlockBatch;
      readonly pool: Pool;
      readonly range: LeafRange;
    }
  | {
      readonly kind: 'combine';
      readonly protocol: ShieldedProtocol;
      readonly level: number;
      readonly nodes: Uint8Array;
    };
/** One batch for several wallets in one pass. All have the same heights. */
interface SharedWork<Keys> {
  readonly kind: 'shared';
  readonly batch: BlockBatch;
  /** In the order of the answers. */
  readonly keys: readonly Keys[];
}

/** A task from a wallet. */
export type WalletTask = Work<SharedKeys> | TreeWork;

export type ScanTask = WalletTask | SharedWork<SharedKeys>;

export type ScanAnswer = ScannedBlock[] | Enhancement | (ReadUnmined | null)[] | Leaves | Uint8Array;

type WorkAnswer = ScanAnswer | ScannedBlock[][];

/** The work itself, in any thread. Without a kernel the reference decrypts. */
export function createScanWork(
  module: KernelModule | undefined,
): (work: Work<ScanKeys> | TreeWork | SharedWork<ScanKeys>) => Result<WorkAnswer> {
  const decryptor = module ? createDecryptor(module) : new ReferenceDecryptor();
  // No canary shows that a hash is wrong.
  const hashing = module?.watch?.others[0] ?? module;
  const hash = hashing ? createBlake2b256(hashing) : blake2b256;
  const levelHash = hashing ? createKernelLevelHashes(hashing) : PLAIN_LEVEL_HASH;
  const answerTo = (work: Work<ScanKeys> | TreeWork | SharedWork<ScanKeys>): WorkAnswer => {
    switch (work.kind) {
      case 'scan':
        return scanBatch(work.batch, work.keys.incoming, work.keys.heights, decryptor, hash);
      case 'shared': {
        const incoming = work.keys.map((keys) => keys.incoming);
        return scanBatchForAll(work.batch, incoming, work.keys[0]!.heights, decryptor, hash);
      }
      case 'enhance':
        return enhance(work.task, work.keys, decryptor, hash);
      case 'unmined':
        return scanUnmined(work.task, work.keys.incoming, work.keys.heights, decryptor, hash);
      case 'leaves':
        return noteCommitments(work.batch, work.pool, work.range);
      case 'combine':
        return levelHash[work.protocol].combineLevel(work.level, work.nodes);
    }
  };
  return (work) => {
    try {
      return ok(answerTo(work));
    } catch (error) {
      if (!(error instanceof FormatError)) return failure(error);
      const isCompact = 'batch' in work && work.batch.format === 'compact';
      const code = isCompact ? 'COMPACT_SERVER_BAD_RESPONSE' : 'NODE_BAD_RESPONSE';
      return failure(malformed(code, error));
    }
  };
}

/** The worker's data is undefined outside a pool, and where no kernel works. */
export const scanWith = createScanWork((workerData as KernelModule | undefined | null) ?? undefined);

export default function runScanTask(task: ScanTask): Result<WorkAnswer> {
  switch (task.kind) {
    case 'leaves':
    case 'combine':
      return scanWith(task);
    case 'shared':
      return moved(scanWith({ ...task, keys: task.keys.map(sharedKeysOf) }), (answer) => {
        const packed = (answer as ScannedBlock[][]).map(packedScan);
        return {
          answer: packed.map((one) => one.answer),
          buffers: packed.flatMap(({ buffers }) => buffers),
        };
      });
    default:
      return moved(scanWith({ ...task, keys: sharedKeysOf(task.keys) }), PACK[task.kind]);
  }
}

interface Packed<T = WorkAnswer> {
  readonly answer: T;
  /** The buffers of the memos and of the other bytes. */
  readonly buffers: ArrayBuffer[];
}

const PACK: Readonly<Record<Work<SharedKeys>['kind'], (answer: WorkAnswer) => Packed>> = {
  scan: (answer) => packedScan(answer as ScannedBlock[]),
  unmined: (answer) => withBuffers(gatherUnmined(answer as (ReadUnmined | null)[])),
  enhance: (answer) => withBuffers(gatherEnhanced(answer as Enhancement)),
};

function packedScan(scanned: readonly ScannedBlock[]): Packed<ScannedBlock[]> {
  const { blocks, buffer } = packBlocks(scanned);
  return withBuffers(gatherScanned(blocks), buffer);
}

const withBuffers = <T>({ answer, memos }: Gathered<T>, ...others: ArrayBuffer[]): Packed<T> => ({
  answer,
  buffers: memos === undefined ? others : [memos, ...others],
});

/** Piscina turns it into the answer, with its buffers moved. */
function moved(result: Result<WorkAnswer>, pack: (answer: WorkAnswer) => Packed): Result<WorkAnswer> {
  if (!result.ok) return result;
  const { answer, buffers } = pack(result.value);
  const packed = ok(answer);
  if (buffers.length === 0) return packed;
  const movable = { [transferableSymbol]: buffers, [valueSymbol]: packed };
  return move(movable as unknown as ArrayBuffer) as unknown as Result<WorkAnswer>;
}

function enhance(
  task: readonly FullTransactions[],
  keys: ScanKeys,
  decryptor: TrialDecryptor,
  hash: typeof blake2b256,
): Enhancement {
  const all = task.map((full) => ({ ...full, bytes: new Uint8Array(full.bytes) }));
  const read = enhanceTransactions(all, keys, keys.heights, decryptor, hash);
  return {
    transactions: read.transactions.map((transaction) => ({
      ...transaction,
      txid: txIdToHex(transaction.txid),
    })),
    ...(read.malformed && { failure: malformed('NODE_BAD_RESPONSE', read.malformed).toRecord() }),
  };
}

const malformed = (code: ErrorCode, { message }: FormatError): CompanionError =>
  new CompanionError(code, `A block is malformed (${message}). Sync again, or use another server.`);
