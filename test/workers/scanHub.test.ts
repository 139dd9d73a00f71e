// Scan workers that several wallets share: one pass over a batch that several were given, to each what is its own, and
// nobody held up, failed or told by what another one does.

import type { ServedBatch } from '@wallet-companion/chain/ports';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { BlockBatch, ScannedBlock } from '@wallet-companion/zcash/scan';
import { scanHeights } from '@wallet-companion/zcash/test/perPool';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';
import type { Result } from '../../src/protocol/result.ts';
import { HubMember, ScanHub, TOGETHER_MS } from '../../src/workers/scanHub.ts';
import type { TaskPool } from '../../src/workers/scanPool.ts';
import type { SharedKeys } from '../../src/workers/scanSecrets.ts';
import type { ScanAnswer, ScanTask, WalletTask } from '../../src/workers/scanTask.ts';

const hash = (byte: number): BlockHash => new Uint8Array(32).fill(byte) as BlockHash;

function batchOf(height: number): BlockBatch {
  const block = { height, hash: hash(height), prevHash: hash(height - 1), offset: 0, length: 4 };
  return {
    format: 'raw',
    buffer: new Uint8Array(4).buffer,
    blocks: [{ ...block, treeSizes: EMPTY_TREES, outputCount: 1 }],
  };
}

const keysOf = (name: number): SharedKeys => ({
  bytes: new Uint8Array(new SharedArrayBuffer(32)).fill(name).buffer,
  incoming: [],
  outgoing: [],
  heights: scanHeights(),
});
const nameIn = ({ bytes }: SharedKeys): number => new Uint8Array(bytes)[0]!;

/** What each wallet is told has its name, and a memo. */
const answerFor = (keys: SharedKeys): ScannedBlock[] =>
  [
    { height: nameIn(keys), notes: [{ memo: new Uint8Array(512).fill(nameIn(keys)) }] },
  ] as unknown as ScannedBlock[];

interface Started {
  readonly task: ScanTask;
  readonly wallets: readonly number[];
  readonly answers: readonly ScannedBlock[][];
  readonly end: (error?: Error) => void;
}

class Bed {
  readonly started: Started[] = [];
  readonly timers: { readonly ms: number; readonly strike: () => void; isCalledOff: boolean }[] = [];
  opened = 0;
  closed = 0;
  finishClosing: () => void = () => undefined;
  closing: Promise<void> = Promise.resolve();
  readonly hub: ScanHub;
  readonly #names = new Map<HubMember, SharedKeys>();

  constructor(threads = 1) {
    this.hub = new ScanHub({
      threads,
      openPool: () => this.#open(),
      after: (ms, strike) => {
        const timer = { ms, strike, isCalledOff: false };
        this.timers.push(timer);
        return () => {
          timer.isCalledOff = true;
        };
      },
    });
  }

  wallet(name: number): HubMember {
    const member = new HubMember();
    this.#names.set(member, keysOf(name));
    return member;
  }

  keys(member: HubMember): SharedKeys {
    return this.#names.get(member)!;
  }

  scan(member: HubMember, height: number, shared?: { stream?: number; wallets: number }) {
    const { stream = 1, wallets = 1 } = shared ?? {};
    const batch = batchOf(height);
    const id = `${stream}:${height}`;
    const served: ServedBatch = shared === undefined ? batch : { ...batch, shared: { id, stream, wallets } };
    const task: WalletTask = { kind: 'scan', batch: served, keys: this.keys(member) };
    return this.hub.run(member, task);
  }

  strike(): void {
    for (const timer of this.timers.splice(0)) if (!timer.isCalledOff) timer.strike();
  }

  /** Everything that can happen by itself has happened. */
  async settled(): Promise<void> {
    for (let i = 0; i < 20; i++) await Promise.resolve();
  }

  /** Of the tasks so far, which wallets each was for. */
  get passes(): (readonly number[])[] {
    return this.started.map(({ wallets }) => wallets);
  }

  async endAll(from = 0): Promise<void> {
    await this.settled();
    for (let i = from; i < this.started.length; i++) {
      this.started[i]?.end();
      await this.settled();
    }
  }

  #open(): TaskPool {
    this.opened += 1;
    const own: ((error: Error) => void)[] = [];
    return {
      run: ((task: ScanTask) =>
        new Promise((resolve, reject) => {
          const all = task.kind === 'shared' ? task.keys : 'keys' in task ? [task.keys] : [];
          const answers = all.map(answerFor);
          own.push(reject);
          this.started.push({
            task,
            wallets: all.map(nameIn),
            answers,
            end: (error) =>
              error ? reject(error) : resolve((task.kind === 'shared' ? answers : answers[0]) as never),
          });
        })) as TaskPool['run'],
      close: async () => {
        this.closed += 1;
        for (const end of own) end(new CompanionError('THREAD_LOST', 'closed'));
        await this.closing;
      },
    };
  }
}

const nameOf = (result: Result<ScanAnswer>): number | string =>
  result.ok ? (result.value as ScannedBlock[])[0]!.height : result.error.code;

test('a wallet alone waits for no other, and its task is as it would be without a hub', async (t) => {
  const bed = new Bed(2);
  const member = bed.wallet(1);
  const answer = bed.scan(member, 5);
  const second = bed.scan(member, 6, { wallets: 1 });
  await bed.settled();
  t.deepEqual(
    bed.started.map(({ task }) => task.kind),
    ['scan', 'scan'],
  );
  t.deepEqual(bed.timers, []);
  await bed.endAll();
  t.deepEqual((await Promise.all([answer, second])).map(nameOf), [1, 1]);
});

test('the same batch is scanned in one pass, and each wallet gets what is its own', async (t) => {
  const bed = new Bed();
  const members = [1, 2, 3].map((name) => bed.wallet(name));
  const answers = members.map((member, i) => bed.scan(member, 5, { wallets: 3 - i }));
  await bed.settled();
  t.deepEqual(bed.passes, [[1, 2, 3]]);
  t.true(bed.timers.every(({ ms, isCalledOff }) => ms === TOGETHER_MS && isCalledOff));
  await bed.endAll();
  t.deepEqual((await Promise.all(answers)).map(nameOf), [1, 2, 3]);
});

test('who does not come in time is not waited for, and scans by itself', async (t) => {
  const bed = new Bed();
  const [a, b] = [bed.wallet(1), bed.wallet(2)];
  const first = bed.scan(a, 5, { wallets: 2 });
  await bed.settled();
  t.deepEqual(bed.passes, []);
  bed.strike();
  await bed.settled();
  t.deepEqual(bed.passes, [[1]]);
  const late = bed.scan(b, 5, { wallets: 1 });
  await bed.endAll();
  t.deepEqual(bed.passes, [[1], [2]]);
  t.deepEqual((await Promise.all([first, late])).map(nameOf), [1, 2]);
});

test('while no worker is free, more may join what waits', async (t) => {
  const bed = new Bed();
  const [a, b] = [bed.wallet(1), bed.wallet(2)];
  const answers = [bed.scan(a, 4), bed.scan(a, 5, { wallets: 2 })];
  await bed.settled();
  bed.strike();
  answers.push(bed.scan(b, 5, { wallets: 1 }));
  await bed.endAll();
  t.deepEqual(bed.passes, [[1], [1, 2]]);
  t.deepEqual((await Promise.all(answers)).map(nameOf), [1, 1, 2]);
});

test('only the same blocks of the same stream are scanned together', async (t) => {
  const bed = new Bed(8);
  const [a, b] = [bed.wallet(1), bed.wallet(2)];
  void bed.scan(a, 5, { wallets: 2, stream: 2 });
  void bed.scan(b, 5, { wallets: 2, stream: 9 });
  void bed.scan(a, 6, { wallets: 2 });
  void bed.scan(b, 7, { wallets: 2 });
  await bed.settled();
  bed.strike();
  await bed.settled();
  t.deepEqual(
    bed.passes.map((wallets) => wallets.length),
    [1, 1, 1, 1],
  );
});

test('wallets take turns, and of blocks that both read the lowest come first', async (t) => {
  const bed = new Bed();
  const [a, b, c] = [bed.wallet(1), bed.wallet(2), bed.wallet(3)];
  for (const height of [50, 51, 52]) void bed.scan(a, height);
  void bed.scan(c, 900);
  await bed.endAll();
  t.deepEqual(bed.passes, [[1], [3], [1], [1]]);

  const later = bed.started.length;
  void bed.scan(c, 901);
  for (const height of [20, 21]) void bed.scan(a, height, { wallets: 1 });
  for (const height of [10, 20]) void bed.scan(b, height, { wallets: 1 });
  await bed.endAll(later);
  t.deepEqual(bed.passes.slice(later), [[3], [2], [1, 2], [1]]);
});

test('what fails together is tried by each alone, and fails for whom it fails', async (t) => {
  const bed = new Bed();
  const [a, b] = [bed.wallet(1), bed.wallet(2)];
  const answers = [bed.scan(a, 5, { wallets: 2 }), bed.scan(b, 5, { wallets: 1 })];
  await bed.settled();
  bed.started[0]?.end(new Error('a fault'));
  await bed.settled();
  t.deepEqual(bed.passes, [[1, 2], [1]]);
  bed.started[1]?.end();
  await bed.settled();
  bed.started[2]?.end(new CompanionError('NODE_BAD_RESPONSE', 'A block is malformed.'));
  t.deepEqual((await Promise.all(answers)).map(nameOf), [1, 'NODE_BAD_RESPONSE']);
});

test('a wallet that leaves is rid of all workers that had its keys before that is reported, and the others go on', async (t) => {
  const bed = new Bed();
  const [a, b] = [bed.wallet(1), bed.wallet(2)];
  const answers = [bed.scan(a, 5, { wallets: 2 }), bed.scan(b, 5, { wallets: 1 })];
  const waiting = [bed.scan(a, 6, { wallets: 2 }), bed.scan(b, 6, { wallets: 1 })];
  await bed.settled();
  bed.closing = new Promise((resolve) => {
    bed.finishClosing = resolve;
  });
  let hasLeft = false;
  const leaving = bed.hub.leave(a).then(() => {
    hasLeft = true;
  });
  t.deepEqual(
    [await answers[0], await waiting[0]].map((result) => nameOf(result!)),
    ['THREAD_LOST', 'THREAD_LOST'],
  );
  await bed.settled();
  t.false(hasLeft);
  t.deepEqual([bed.opened, bed.closed], [1, 1], 'no more workers at a time than processors');
  bed.finishClosing();
  await leaving;
  await bed.endAll();
  t.deepEqual(bed.passes, [[1, 2], [2], [2]]);
  t.deepEqual(
    [await answers[1], await waiting[1]].map((result) => nameOf(result!)),
    [2, 2],
  );
  t.is(bed.opened, 2);
  t.is(nameOf(await bed.scan(a, 7)), 'THREAD_LOST');
});

test('a wallet that never had a task leaves the workers as they are', async (t) => {
  const bed = new Bed();
  const [a, b] = [bed.wallet(1), bed.wallet(2)];
  const answer = bed.scan(b, 5);
  await bed.settled();
  await bed.hub.leave(a);
  t.is(bed.closed, 0);
  await bed.endAll();
  t.is(nameOf(await answer), 2);
});

test('of a wallet whose thread is lost the keys are wiped, and what was found for it is', async (t) => {
  const bed = new Bed();
  const [a, b] = [bed.wallet(1), bed.wallet(2)];
  const answers = [bed.scan(a, 5, { wallets: 2 }), bed.scan(b, 5, { wallets: 1 })];
  await bed.settled();
  // It is lost in the moment in which the answer comes.
  bed.started[0]?.end();
  await bed.hub.forsake(a);
  await bed.settled();
  t.true(new Uint8Array(bed.keys(a).bytes).every((byte) => byte === 0));
  t.false(new Uint8Array(bed.keys(b).bytes).every((byte) => byte === 0));
  t.is(nameOf(await answers[0]!), 'THREAD_LOST');
  const memoOf = (which: number) => bed.started[0]?.answers[which]?.[0]?.notes[0]?.memo;
  t.true(memoOf(0)?.every((byte) => byte === 0));
  await bed.endAll();
  t.is(nameOf(await answers[1]!), 2);
  t.deepEqual(memoOf(1), new Uint8Array(512).fill(2));
});
