// The mempool of a node: its list of txids, and those of its transactions that are not known, one by one. All on the
// list are requested, so the node does not learn which are the wallet's.

import { mapInOrder } from '@wallet-companion/base/async';
import { equalBytes } from '@wallet-companion/base/bytes';
import { type TxIdHex, txIdFromHex } from '@wallet-companion/zcash/identifiers';
import type { MempoolLook, MempoolQuery } from '../ports/types.ts';
import { AnswerTooLarge } from '../source/callFailures.ts';
import { knownTxids, MEMPOOL_LOOK, MempoolPacker, txidOf } from '../source/mempoolPacking.ts';
import type { NodeRpc } from './nodeRpc.ts';

/** Requested and not yet packed; each may have two megabytes. */
const FETCH_WINDOW = 2;

export async function nodeMempool(rpc: NodeRpc, { known, room }: MempoolQuery): Promise<MempoolLook> {
  const listed = await rpc.mempoolTxids().catch((error: unknown) => {
    if (error instanceof AnswerTooLarge) return 'too much' as const;
    throw error;
  });
  if (listed === null || listed === 'too much') return { offered: false, reason: listed ?? 'not offered' };
  const tipHeight = await rpc.blockCount();
  const present = new Set(listed);
  const knownOnes = knownTxids(known);
  const gone = knownOnes.flatMap((txid, index) => (present.has(txid) ? [] : [index]));
  for (const txid of knownOnes) present.delete(txid);
  const packer = new MempoolPacker();
  let left = present.size;
  const wanted = [...present].slice(0, Math.min(room, MEMPOOL_LOOK.transactions));
  const fetched = mapInOrder(wanted, FETCH_WINDOW, (txid, signal) => fetch(rpc, txid, signal));
  for await (const { id, bytes } of fetched) {
    packer.add(id, bytes);
    left--;
    if (packer.isFull) break;
  }
  return { offered: true, tipHeight, gone, ...packer.take(), more: left > 0 };
}

/** Without bytes where it has left the mempool meanwhile, or the node sent another transaction. */
async function fetch(rpc: NodeRpc, txid: TxIdHex, signal: AbortSignal) {
  const id = txIdFromHex(txid);
  const bytes = await rpc.unminedTransaction(id, signal);
  const own = bytes === null ? undefined : txidOf(bytes);
  return { id, bytes: bytes !== null && own !== undefined && equalBytes(own, id) ? bytes : undefined };
}
