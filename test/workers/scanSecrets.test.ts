// Keys and memos cross between threads without a copy that nobody wipes, and come out as they went in.

import { asTxIdHex } from '@wallet-companion/zcash/identifiers';
import type { FoundNote, ScannedBlock, SentOutput } from '@wallet-companion/zcash/scan';
import { scanHeights } from '@wallet-companion/zcash/test/perPool';
import test from 'ava';
import type { EnhancedTransaction, ScanKeys } from '../../src/actors/wallet/ports/scanPool.ts';
import {
  gatherEnhanced,
  gatherScanned,
  sharedKeysOf,
  shareKeys,
  wipeSharedKeys,
} from '../../src/workers/scanSecrets.ts';

const bytes = (first: number, length = 32): Uint8Array => Uint8Array.from({ length }, (_, i) => first + i);

const keys: ScanKeys = {
  incoming: [
    { protocol: 'sapling', account: 0, scope: 'external', ivk: bytes(1), dk: bytes(2), nk: bytes(3) },
    { protocol: 'orchard', account: 7, scope: 'internal', ivk: bytes(4), dk: bytes(5), without: ['orchard'] },
  ],
  outgoing: [{ protocol: 'orchard', account: 7, scope: 'external', ovk: bytes(6) }],
  heights: scanHeights({ network: 'main', canopy: 2, nu5: 3, nu6_3: 4 }),
};

test('shared keys are the keys, and are gone for everybody once they are wiped', (t) => {
  const shared = shareKeys(keys);
  const read = sharedKeysOf(structuredClone(shared));
  t.deepEqual(read, keys);
  wipeSharedKeys(shared);
  for (const { ivk, dk, nk } of read.incoming) t.true([...ivk, ...dk, ...(nk ?? [])].every((b) => b === 0));
  for (const { ovk } of read.outgoing) t.true(ovk.every((byte) => byte === 0));
});

const memoOf = (first: number): Uint8Array => bytes(first, 512);
const block = (memos: readonly (Uint8Array | null)[]): ScannedBlock =>
  ({ height: 1, notes: memos.map((memo) => ({ memo }) as FoundNote) }) as unknown as ScannedBlock;

test('the memos of found notes go in one buffer, and nothing of them stays where they were', (t) => {
  const memos = [memoOf(1), memoOf(2), memoOf(3)] as const;
  const { answer, memos: buffer } = gatherScanned([
    block([memos[0], null]),
    block([]),
    block(memos.slice(1)),
  ]);
  t.deepEqual(answer, [block([memoOf(1), null]), block([]), block([memoOf(2), memoOf(3)])]);
  const { memo } = answer[2]!.notes[1]!;
  t.is(memo!.buffer, buffer!);
  for (const was of memos) t.true(was.every((byte) => byte === 0));
  const moved = structuredClone(answer, { transfer: [buffer!] });
  t.is(memo!.length, 0);
  t.deepEqual(moved[2]!.notes[1]!.memo, memoOf(3));
});

test('an answer without memos moves nothing', (t) => {
  t.is(gatherScanned([block([null])]).memos, undefined);
  t.is(gatherEnhanced({ transactions: [] }).memos, undefined);
});

test('the memos of completed transactions go in one buffer', (t) => {
  const was = [memoOf(1), memoOf(2)] as const;
  const failure = { code: 'NODE_BAD_RESPONSE', detail: 'A block is malformed.' } as const;
  const transaction = (first: Uint8Array, second: Uint8Array): EnhancedTransaction => ({
    txid: asTxIdHex('00'),
    memos: [{ pool: 'orchard', account: 0, outputIndex: 0, memo: first }],
    sent: [{ outputIndex: 1, memo: second } as SentOutput],
  });
  const { answer, memos } = gatherEnhanced({ transactions: [transaction(...was)], failure });
  t.deepEqual(answer, { transactions: [transaction(memoOf(1), memoOf(2))], failure });
  t.is(answer.transactions[0]!.sent[0]!.memo.buffer, memos!);
  for (const memo of was) t.true(memo.every((byte) => byte === 0));
});
