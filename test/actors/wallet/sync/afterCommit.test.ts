import { setImmediate as turn } from 'node:timers/promises';
import { PackedMemo } from '@wallet-companion/zcash/notes';
import test from 'ava';
import type { WalletEnvironment } from '../../../../src/actors/wallet/ports/walletEnvironment.ts';
import { AfterCommit } from '../../../../src/actors/wallet/sync/afterCommit.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import type { CompanionEvent, EventBody } from '../../../../src/protocol/events.ts';

const FULL = new CompanionError('STORAGE_FAILED', 'The disk is full.');
const LOST = new CompanionError('THREAD_LOST', 'The thread is gone.');
const PROGRESS = { committed_height: 9 } as EventBody<'sync.progress'>;
const NOTE = {
  account: 0,
  pool: 'orchard',
  height: 5,
  txid: 'aa',
  outputIndex: 1,
  value: 7,
  diversifierIndex: '3',
  memo: null,
};
const APPLIED = {
  found: 1,
  received: [{ ...NOTE, spent: null }],
  spent: [{ ...NOTE, value: 3, spent: { txid: 'bb', height: 8, txIndex: 0 } }],
} as never;

/** All that happens, in order. */
function setUp(faults: { readonly config?: unknown; readonly chain?: unknown } = {}) {
  const seen: unknown[] = [];
  const after = new AfterCommit(
    {
      chain: {
        walletScanned: async (settings: unknown) => {
          seen.push(['chain', settings]);
          if (faults.chain !== undefined) throw faults.chain;
        },
      } as never,
      emit: ({ event }: CompanionEvent) => seen.push(event),
      logFault: (where: string, fault: unknown) => seen.push([where, fault]),
    } as unknown as WalletEnvironment,
    {
      export: async () => {
        seen.push('config.json');
        if (faults.config !== undefined) throw faults.config;
      },
      shown: () => 9,
    } as never,
    {
      header: {},
      noteStore: { verifiedAt: () => null, scannedTop: () => 9, block: () => ({ time: 7 }) },
      knowsAddress: () => true,
      addressOf: () => 'u1',
    } as never,
    () => seen.push('activity'),
    { scanned: () => seen.push('unmined'), rewound: () => seen.push('unmined') },
    {} as never,
  );
  return { after, seen };
}

const FINDINGS = ['activity', 'note.received', 'note.spent', 'unmined', 'config.json'];
const TOLD = ['chain', { lastScanHeight: 9, lastScanTime: 7 }];

test('a commit is followed by its findings, config.json, the chain thread and progress', async (t) => {
  const { after, seen } = setUp();
  await after.committed(APPLIED, PROGRESS, []);
  t.deepEqual(seen, [...FINDINGS, TOLD, 'sync.progress']);
});

test('findings are reported though config.json cannot be written, which then fails the scan', async (t) => {
  const { after, seen } = setUp({ config: FULL });
  t.is(await t.throwsAsync(after.committed(APPLIED, PROGRESS, [])), FULL);
  t.deepEqual(seen, FINDINGS);
  await t.throwsAsync(after.rewound(4, 3), { is: FULL });
  t.deepEqual(seen.slice(FINDINGS.length), ['reorg', 'unmined', 'config.json']);
});

test('a chain thread that is lost fails nothing', async (t) => {
  const { after, seen } = setUp({ chain: LOST });
  await after.committed(APPLIED, PROGRESS, []);
  await turn();
  const isFault = (what: unknown) => Array.isArray(what) && what[0] === 'wallet.configure_chain';
  t.deepEqual(
    seen.filter((what) => !isFault(what)),
    [...FINDINGS, TOLD, 'sync.progress'],
  );
  t.deepEqual(seen.filter(isFault), [['wallet.configure_chain', LOST]]);
});

test('a reorganisation and a rescan move the scan height too, and are no activity', async (t) => {
  const { after, seen } = setUp();
  await after.rewound(4, 3);
  t.deepEqual(seen, ['reorg', 'unmined', 'config.json', TOLD]);
  await after.rescanned();
  t.deepEqual(seen.slice(4), ['config.json', TOLD]);
});

test('memos that became known are reported, each as what it is', (t) => {
  const hasAddress: CompanionEvent[] = [];
  const after = new AfterCommit(
    { emit: (event: CompanionEvent) => hasAddress.push(event) } as never,
    {} as never,
    {} as never,
    () => {},
    {} as never,
    {} as never,
  );
  const memo = (...bytes: number[]) =>
    new PackedMemo(Uint8Array.from({ length: 512 }, (_, i) => bytes[i] ?? 0));
  const memos = [memo(0x68, 0x69), memo(0xff, 1), memo(0xf6)];
  after.memosOpened(memos.map((packed) => ({ ...NOTE, memo: packed })) as never);
  const place = { account: 0, pool: 'orchard', height: 5, txid: 'aa', output_index: 1 };
  t.deepEqual(hasAddress, [
    { event: 'note.memo', data: { ...place, memo: { text: 'hi' } } },
    { event: 'note.memo', data: { ...place, memo: { hex: `ff01${'00'.repeat(510)}` } } },
    { event: 'note.memo', data: { ...place, memo: null } },
  ] as never);
});
