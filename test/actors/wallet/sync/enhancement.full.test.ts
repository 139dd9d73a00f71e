// Our own transactions in full, many at once, are what they are one by one: on random chains, whatever fails, whenever
// the sync is stopped or the chain moves. And neither calls, nor blocks in memory, nor commits grow with the wallet.

import { equalBytes } from '@wallet-companion/base/bytes';
import { oneIn, runs } from '@wallet-companion/base/test/atLength';
import { createDecryptor } from '@wallet-companion/kernel/kernel';
import { loadKernel } from '@wallet-companion/kernel/kernelLoad';
import { type BlockHash, type TxId, txIdFromHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import { readSerially } from '@wallet-companion/zcash/test/serialEnhancement';
import test from 'ava';
import fc from 'fast-check';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import type { Enhancement } from '../../../../src/actors/wallet/ports/scanPool.ts';
import type { StoredNote } from '../../../../src/actors/wallet/ports/storedNote.ts';
import {
  type EnhancementLimits,
  enhanceTransactions,
} from '../../../../src/actors/wallet/sync/enhancement.ts';
import { byBlock } from '../../../../src/actors/wallet/sync/fullTransactions.ts';
import { Stopped, StopSignal } from '../../../../src/actors/wallet/sync/stopSignal.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { unwrap } from '../../../../src/protocol/result.ts';
import { createScanWork } from '../../../../src/workers/scanTask.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';
import { FIRST_HEIGHT, makeOwnTransactions, type OwnBlock } from '../../../helpers/ownTransactions.ts';

const kernel = await loadKernel();
const decryptor = createDecryptor(kernel);
const work = createScanWork(kernel);
const own = makeOwnTransactions(7, 6, decryptor);
const ACCOUNTS = [0, 1].map((index) => ({ index, birthdayHeight: FIRST_HEIGHT }));
const ALL = own.chain(own.transactions.map((_, index) => [index]));
const SMALL: EnhancementLimits = { blocksAhead: 3, blocksPerTask: 2, bytesPerTask: 1_000_000 };

type Kind = 'blockHash' | 'rawBlock' | 'rawTransaction';
interface Ask {
  readonly kind: Kind;
  readonly height: number;
  /** From 1. */
  readonly call: number;
}

const scans = new Map<unknown, ScannedBlock[]>();

/** Of the chain that most beds have, once. */
function scanned(chain: readonly OwnBlock[], format: 'raw' | 'compact'): ScannedBlock[] {
  if (chain !== ALL) return own.scanned(chain, format);
  const known = scans.get(format) ?? own.scanned(chain, format);
  scans.set(format, known);
  return known;
}

const nameOf = ({ txid, pool, outputIndex }: StoredNote): string => `${txid} ${pool} ${outputIndex}`;

class Bed {
  readonly database = new MemoryNoteDatabase();
  readonly noteStore: NoteStore;
  readonly faults: unknown[] = [];
  readonly asks: Ask[] = [];
  readonly seen = { calls: 0, tasks: 0, bytes: 0 };
  readonly most = { calls: 0, tasks: 0, bytes: 0 };
  readonly memos: Uint8Array[] = [];
  readonly wantedNotes: number[] = [];
  /** Told as opened, each as often as it was told. */
  readonly opened: string[] = [];
  readonly #unread: ReadonlySet<string>;
  source: 'node' | 'compact' = 'compact';
  offline = false;
  completes = true;
  chain: readonly OwnBlock[];
  /** Throws, or says what to answer instead of what there is. */
  onAsk: (ask: Ask) => 'nothing' | 'garbage' | undefined = () => undefined;
  onTask: () => void = () => undefined;
  /** How many turns an answer takes. */
  turns: (call: number) => number = () => 1;
  stop = new StopSignal();

  constructor(chain: readonly OwnBlock[], format: 'raw' | 'compact' = 'compact') {
    this.chain = chain;
    this.noteStore = new NoteStore(this.database, ACCOUNTS, FIRST_HEIGHT);
    this.noteStore.apply(scanned(chain, format));
    const unread = [...this.noteStore.notes].filter(({ memo }) => memo === null);
    this.#unread = new Set(unread.map(nameOf));
  }

  /** What had no memo before and has one now. */
  get nowRead(): string[] {
    const read = [...this.noteStore.notes].filter(({ memo }) => memo !== null).map(nameOf);
    return read.filter((name) => this.#unread.has(name)).sort();
  }

  async enhance(limits: EnhancementLimits | 'usual' = SMALL): Promise<void> {
    const { noteStore } = this;
    const pool = {
      enhance: async (task: never) => {
        this.#enter('tasks', 1);
        this.onTask();
        this.wantedNotes.push(
          (task as { wanted: { notes: [] }[] }[]).flatMap((f) => f.wanted.flatMap((w) => w.notes)).length,
        );
        await turns(2);
        const answer = unwrap(work({ kind: 'enhance', task, keys: own.keys })) as Enhancement;
        for (const { memos, sent } of answer.transactions) {
          this.memos.push(...[...memos, ...sent].map(({ memo }) => memo));
        }
        const given = (task as { bytes: ArrayBuffer }[]).reduce(
          (sum, { bytes }) => sum + bytes.byteLength,
          0,
        );
        this.#enter('bytes', -given);
        this.#enter('tasks', -1);
        return answer;
      },
    };
    const environment = {
      chain: {
        blockHash: ({ height }: { height: number }) =>
          this.#ask(
            'blockHash',
            height,
            () => this.chain.find((block) => block.height === height)?.hash ?? null,
          ),
        rawBlock: ({ height, hash }: { height: number; hash: BlockHash }) =>
          this.#ask('rawBlock', height, () =>
            this.#given(this.chain.find((block) => equalBytes(block.hash, hash))?.bytes),
          ),
        rawTransaction: ({ txid }: { txid: TxId }) => {
          const block = this.chain.find(({ transactions }) => transactions.has(txIdToHex(txid)));
          return this.#ask('rawTransaction', block?.height ?? -1, () =>
            this.#given(block?.transactions.get(txIdToHex(txid))),
          );
        },
      },
      configFile: { get: () => ({ complete_transactions: this.completes }) },
      logFault: (_where: string, fault: unknown) => this.faults.push(fault),
    };
    const session = { noteStore, pool, scanKeys: own.keys };
    const upstream = { source: this.source, offline: this.offline };
    await enhanceTransactions(
      environment as never,
      session as never,
      upstream,
      this.stop,
      (notes) => this.opened.push(...notes.map(nameOf)),
      limits === 'usual' ? undefined : limits,
    );
  }

  #given(bytes: Uint8Array | undefined): ArrayBuffer | null {
    if (bytes === undefined) return null;
    this.#enter('bytes', bytes.length);
    return Uint8Array.from(bytes).buffer;
  }

  async #ask<T>(kind: Kind, height: number, answer: () => T): Promise<T | null> {
    const ask = { kind, height, call: this.asks.length + 1 };
    this.asks.push(ask);
    this.#enter('calls', 1);
    try {
      const { instead, failure } = this.#output(ask);
      await turns(this.turns(ask.call));
      if (failure !== undefined) throw failure;
      if (instead === 'garbage') return this.#given(new Uint8Array(200).fill(1)) as T;
      return instead === 'nothing' ? null : answer();
    } finally {
      this.#enter('calls', -1);
    }
  }

  /** At once, though it takes turns until it is answered. */
  #output(ask: Ask): { readonly instead?: ReturnType<Bed['onAsk']>; readonly failure?: unknown } {
    try {
      return { instead: this.onAsk(ask) };
    } catch (failure) {
      return { failure };
    }
  }

  #enter(what: keyof Bed['most'], by: number): void {
    this.seen[what] += by;
    this.most[what] = Math.max(this.most[what], this.seen[what]);
  }

  /** All that is known, and all that was said. */
  get state(): object {
    const page = this.noteStore.readJournal(undefined, 10_000);
    return {
      ...this.known,
      journal: typeof page === 'object' && page.entries,
    };
  }

  get known() {
    const place = (a: { txid: string; outputIndex?: number; pool?: string }): string =>
      `${a.txid} ${a.pool} ${a.outputIndex}`;
    const sorted = <T extends Parameters<typeof place>[0]>(all: Iterable<T>): T[] =>
      [...all].sort((a, b) => place(a).localeCompare(place(b)));
    const shown = <T extends { memo: { read(): Uint8Array } | null }>(one: T) => ({
      ...one,
      memo: one.memo && Buffer.from(one.memo.read()).toString('hex'),
    });
    return {
      notes: sorted(this.noteStore.notes).map(shown),
      sent: sorted(this.noteStore.sentOutputs).map(shown),
      transactions: sorted(this.noteStore.transactions),
    };
  }

  get completeHeights(): number[] {
    const heights = new Set([...this.noteStore.transactions].filter((t) => t.complete).map((t) => t.height));
    return [...heights].sort((a, b) => a - b);
  }

  get ourHeights(): number[] {
    return [...new Set([...this.noteStore.transactions].map(({ height }) => height))].sort((a, b) => a - b);
  }

  get areMemosWiped(): boolean {
    return this.memos.every((memo) => memo.every((byte) => byte === 0));
  }
}

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** The same by the reference: block after block, a commit each. */
function reference(chain: readonly OwnBlock[], format: 'raw' | 'compact' = 'compact'): Bed {
  const bed = new Bed(chain, format);
  for (const { height, transactions } of byBlock(bed.noteStore.unenhancedTransactions())) {
    const { bytes } = chain.find((block) => block.height === height)!;
    const txids = transactions.map(({ txid }) => txIdFromHex(txid));
    const read = readSerially({ kind: 'block', bytes, height, txids }, own.keys, own.keys.heights, decryptor);
    bed.noteStore.enhance(read.map((one) => ({ ...one, txid: txIdToHex(one.txid) })));
  }
  return bed;
}

/** Transactions dealt into blocks, each of them once. */
const dealtBlocks = fc
  .record({
    order: fc.shuffledSubarray(
      own.transactions.map((_, index) => index),
      { minLength: 1 },
    ),
    sizes: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 12 }),
  })
  .map(({ order, sizes }) => {
    const starts = sizes.map((_, i) => sizes.slice(0, i).reduce((sum, size) => sum + size, 0));
    return sizes.map((size, i) => order.slice(starts[i]!, starts[i]! + size));
  });
const expected = reference(ALL);

test('blocks read together equal blocks read one by one, from each source', async (t) => {
  const schedule = fc.record({
    dealt: dealtBlocks,
    source: fc.constantFrom('node', 'compact', 'without a node'),
    format: fc.constantFrom<'raw' | 'compact'>('raw', 'compact'),
    delays: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 8 }),
    limits: fc.record({
      blocksAhead: fc.integer({ min: 1, max: 5 }),
      blocksPerTask: fc.integer({ min: 1, max: 5 }),
      bytesPerTask: fc.integer({ min: 1, max: 20_000 }),
    }),
  });
  await fc.assert(
    fc.asyncProperty(schedule, async ({ dealt, source, format, delays, limits }) => {
      const chain = own.chain(dealt);
      const bed = new Bed(chain, format);
      bed.source = source === 'node' ? 'node' : 'compact';
      bed.turns = (call) => delays[call % delays.length]!;
      if (source === 'without a node') {
        bed.onAsk = ({ kind }) => {
          if (kind === 'rawBlock') throw new CompanionError('NODE_UNREACHABLE', 'away');
          return undefined;
        };
      }
      await bed.enhance(limits);
      t.deepEqual(bed.faults, []);
      t.deepEqual(bed.state, reference(chain, format).state);
      t.deepEqual(bed.opened.sort(), bed.nowRead);
      t.true(bed.areMemosWiped);
      t.true(bed.most.calls <= limits.blocksAhead && bed.most.tasks <= 2);
    }),
    { numRuns: runs(5, 40) },
  );
});

test('the transactions that the chains are made of have everything', (t) => {
  const { notes, sent, transactions } = expected.known;
  t.true(notes.some(({ memo }) => memo !== null) && notes.some(({ memo }) => memo === null));
  t.deepEqual([...new Set(notes.map(({ account, scope }) => `${account} ${scope}`))].length, 4);
  t.true(notes.some(({ spent }) => spent !== null) && sent.length > 5);
  t.true(transactions.some(({ fee }) => fee !== undefined));
  t.true(transactions.every(({ complete }) => complete));
});

for (const source of ['node', 'compact', 'without a node'] as const) {
  const failing = (bed: Bed, at: (ask: Ask) => void): void => {
    bed.source = source === 'node' ? 'node' : 'compact';
    bed.turns = (call) => (call * 7) % 4;
    bed.onAsk = (ask) => {
      at(ask);
      if (source === 'without a node' && ask.kind === 'rawBlock')
        throw new CompanionError('NODE_UNREACHABLE', '');
      return undefined;
    };
  };
  const complete = new Bed(ALL);
  failing(complete, () => undefined);
  const numbersOfCalls = complete.enhance().then(() =>
    oneIn(
      6,
      complete.asks.map((_, i) => i + 1),
    ),
  );

  test(`${source}: a call that fails leaves what came before it, and the next sync reads the rest`, async (t) => {
    for (const k of await numbersOfCalls) {
      const bed = new Bed(ALL);
      let failed: Ask | undefined;
      failing(bed, (ask) => {
        if (ask.call !== k) return;
        failed = ask;
        throw new CompanionError('UPSTREAM_TIMEOUT', 'no answer');
      });
      await bed.enhance();
      // A node that does not give a block after a compact scan is no failure: the compact server gives the transactions.
      const endsIt = source === 'node' || failed!.kind === 'rawTransaction';
      t.is(bed.faults.length, endsIt ? 1 : 0);
      const before = endsIt ? bed.ourHeights.filter((height) => height < failed!.height) : bed.ourHeights;
      t.deepEqual(bed.completeHeights, before, `call ${k}`);
      t.true(bed.areMemosWiped);
      failing(bed, () => undefined);
      await bed.enhance();
      t.deepEqual(bed.state, expected.state, `call ${k}`);
    }
  });

  test(`${source}: a stop at any call ends it at once, and nothing is read twice or lost`, async (t) => {
    for (const k of await numbersOfCalls) {
      const bed = new Bed(ALL);
      failing(bed, ({ call }) => call === k && bed.stop.stop());
      await t.throwsAsync(bed.enhance(), { instanceOf: Stopped });
      t.is(bed.asks.length, k, 'nobody is asked any more');
      t.deepEqual(bed.faults, []);
      const { completeHeights } = bed;
      t.deepEqual(completeHeights, bed.ourHeights.slice(0, completeHeights.length));
      t.true(bed.areMemosWiped);
      bed.stop = new StopSignal();
      failing(bed, () => undefined);
      await bed.enhance();
      t.deepEqual(bed.state, expected.state, `call ${k}`);
      t.true(bed.areMemosWiped);
    }
  });
}

test('a commit that fails loses nothing, and the memos of what was read are wiped', async (t) => {
  const whole = new Bed(ALL);
  const before = whole.database.commits;
  await whole.enhance();
  for (let k = 1; k <= whole.database.commits - before; k++) {
    const bed = new Bed(ALL);
    const { commit } = MemoryNoteDatabase.prototype;
    let left = k;
    bed.database.commit = function (change) {
      left -= 1;
      if (left === 0) throw new CompanionError('STORAGE_FAILED', 'The disk is full.');
      commit.call(this, change);
    };
    await bed.enhance();
    t.is(bed.faults.length, 1);
    t.true(bed.areMemosWiped && bed.memos.length > 0);
    await bed.enhance();
    t.deepEqual(bed.state, expected.state);
  }
});

test('a malformed block ends it there, and what came before it is committed', async (t) => {
  for (const height of new Bed(ALL).ourHeights) {
    const bed = new Bed(ALL);
    bed.onAsk = (ask) => (ask.height === height ? 'garbage' : undefined);
    await bed.enhance();
    t.like(bed.faults, [{ code: 'NODE_BAD_RESPONSE' }]);
    t.deepEqual(
      bed.completeHeights,
      bed.ourHeights.filter((other) => other < height),
    );
    t.true(bed.areMemosWiped);
    bed.onAsk = () => undefined;
    await bed.enhance();
    t.deepEqual(bed.state, expected.state);
  }
});

test('when the chain moves in between, blocks that are gone are not used', async (t) => {
  for (const at of [1, 3, 5, 7]) {
    const fork = 5;
    const bed = new Bed(ALL);
    const other = own.chain(
      ALL.slice(fork).map((_, i) => [ALL.length - 1 - i]),
      ALL[fork]!.height,
      ALL[fork - 1]!.hash,
    );
    const moved = [...ALL.slice(0, fork), ...other.map((block) => ({ ...block, transactions: new Map() }))];
    bed.onAsk = ({ call }) => {
      if (call >= at) bed.chain = moved;
      return undefined;
    };
    await bed.enhance();
    t.deepEqual(bed.faults, []);
    for (const { height } of ALL.slice(0, fork)) {
      if (bed.ourHeights.includes(height)) t.true(bed.completeHeights.includes(height));
    }
    bed.noteStore.rewind(ALL[fork - 1]!.height);
    bed.noteStore.apply(own.scanned(moved, 'compact').slice(fork));
    bed.chain = [...ALL.slice(0, fork), ...other];
    bed.onAsk = () => undefined;
    await bed.enhance();
    t.deepEqual(bed.known, reference(bed.chain).known);
  }
});

test('calls, tasks, bytes and commits are bounded, however much there is', async (t) => {
  const limits = { blocksAhead: 4, blocksPerTask: 5, bytesPerTask: 20_000 };
  const bed = new Bed(ALL);
  bed.turns = () => 20;
  const before = bed.database.commits;
  await bed.enhance(limits);
  const blocks = bed.ourHeights.length;
  const largest = Math.max(...ALL.map(({ bytes }) => bytes.length));
  t.is(bed.most.calls, 4);
  t.is(bed.most.tasks, 2);
  t.true(bed.most.bytes <= 4 * largest + 3 * (20_000 + largest), `${bed.most.bytes}`);
  const commits = bed.database.commits - before;
  const bytes = ALL.reduce((sum, block) => sum + block.bytes.length, 0);
  t.true(commits <= Math.ceil(blocks / 5) + Math.ceil(bytes / 20_000), `${commits}`);

  const usual = new Bed(ALL);
  usual.turns = () => 20;
  const commitsBefore = usual.database.commits;
  await usual.enhance('usual');
  t.is(usual.database.commits - commitsBefore, 1, 'less than 64 blocks are one commit');
  t.is(usual.most.calls, 8);
});

test('a node that is away is asked once', async (t) => {
  for (const source of ['node', 'compact'] as const) {
    for (const offline of [false, true]) {
      const bed = new Bed(ALL);
      Object.assign(bed, { source, offline });
      bed.onAsk = ({ kind }) => {
        if (kind === 'rawBlock') throw new CompanionError('NODE_UNREACHABLE', 'away');
        return undefined;
      };
      await bed.enhance();
      t.is(bed.asks.filter(({ kind }) => kind === 'rawBlock').length, 1);
      t.is(bed.faults.length, source === 'node' ? 1 : 0);
      const asksOne = source === 'compact' && !offline;
      t.is(bed.asks.length, asksOne ? 1 + [...bed.noteStore.transactions].length : 1);
    }
  }
});

test('a block that the node does not have is no node that is away', async (t) => {
  const bed = new Bed(ALL);
  bed.onAsk = ({ kind, height }) =>
    kind === 'rawBlock' && height < FIRST_HEIGHT + 3 ? 'nothing' : undefined;
  await bed.enhance();
  t.deepEqual(bed.state, expected.state);
  t.true(bed.opened.length > 0);
  t.deepEqual(bed.opened.sort(), bed.nowRead);
  const alone = bed.asks.filter(({ kind }) => kind === 'rawTransaction').map(({ height }) => height);
  t.true(alone.length > 0 && alone.every((height) => height < FIRST_HEIGHT + 3));
});

test('only notes without a memo are opened, and no server is asked where the owner does not want it', async (t) => {
  const bed = new Bed(ALL, 'raw');
  bed.source = 'node';
  await bed.enhance();
  const unread = bed.known.notes.filter(({ memo }) => memo === null);
  t.true(bed.asks.length > 0);
  t.deepEqual(bed.opened, []);
  t.true(bed.wantedNotes.reduce((sum, count) => sum + count, 0) <= unread.length);

  const silent = new Bed(ALL);
  silent.completes = false;
  await silent.enhance();
  t.is(silent.asks.length, 0);
  silent.source = 'node';
  await silent.enhance();
  t.deepEqual(silent.state, expected.state);
});
