// Several wallets over one chain side and one hub of scan workers, in one thread: what each finds is what it finds alone,
// blocks are fetched once, and each batch is scanned in one pass with the keys of all.

import type { ChainService } from '@wallet-companion/chain/ports';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import test, { type ExecutionContext } from 'ava';
import { ChainActor } from '../../src/actors/chain/chainActor.ts';
import type { Config } from '../../src/actors/wallet/ports/configFile.ts';
import type { NoteDatabases } from '../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { HubMember, ScanHub } from '../../src/workers/scanHub.ts';
import { scanPoolOver, type TaskPool } from '../../src/workers/scanPool.ts';
import { sharedKeysOf } from '../../src/workers/scanSecrets.ts';
import { type ScanAnswer, type ScanTask, scanWith } from '../../src/workers/scanTask.ts';
import type { FixtureNode } from '../helpers/fixtureNode.ts';
import {
  expectedBalance,
  expectedNotes,
  readKnownSeed,
  shownBalance,
  shownNotes,
  startKnownSeedCompactServer,
  startKnownSeedNode,
} from '../helpers/knownSeed.ts';
import { MemoryCompactStores } from '../helpers/memoryCompactStores.ts';
import { openPatientCompact, openPatientNode } from '../helpers/waits.ts';
import { ManualClock, PASSWORD, startWallet, type WalletHarness } from '../helpers/walletHarness.ts';

const seed = readKnownSeed('regtest');
const FIRST = seed.firstHeight;
const LAST = seed.main.tip.height;
const THREADS = 2;

interface Wallet {
  readonly harness: WalletHarness;
  /** The values of all notes that its pool was ever told of. */
  readonly reported: number[];
}

class Bed {
  readonly clock = new ManualClock();
  readonly chain = new ChainActor({
    openNode: openPatientNode,
    openCompact: openPatientCompact,
    stores: new MemoryCompactStores(),
    now: () => this.clock.now(),
    loopIdle: () => this.clock.now(),
    logFault: (where, fault) => this.faults.push({ where, fault }),
    after: (ms, strike) => this.clock.after(ms, strike),
  });
  readonly faults: unknown[] = [];
  readonly wallets: Wallet[] = [];
  /** Of each task of the workers: for how many wallets it was. */
  readonly passes: number[] = [];
  /** Called before a task is worked on. */
  onTask: (task: ScanTask) => Promise<void> | void = () => undefined;
  readonly config: Partial<Config>;
  readonly #t: ExecutionContext;
  /** Nobody waits in vain: a wait that only time would end ends the test. */
  readonly #hub = new ScanHub({
    threads: THREADS,
    openPool: () => this.#pool(),
    after: (ms, strike) => this.clock.after(ms, strike),
  });
  #opened = 0;
  #gate = Promise.resolve();
  #openGate = (): void => undefined;
  #wanted = 0;

  constructor(t: ExecutionContext, servers: Partial<Config>) {
    this.#t = t;
    this.config = { network: seed.network, activation_heights: { nu6_3: FIRST + 26 }, ...servers };
  }

  /** So many ranges are opened before the first batch is given out. */
  holdUntilOpened(count: number): void {
    this.#opened = 0;
    this.#wanted = count;
    this.#gate = new Promise((resolve) => {
      this.#openGate = resolve;
    });
  }

  async add(noteDatabases?: (stores: NoteDatabases) => NoteDatabases): Promise<Wallet> {
    const isFirst = this.wallets.length === 0;
    const reported: number[] = [];
    const harness = await startWallet(this.#t, {
      config: this.config,
      clock: this.clock,
      chain: this.chain,
      chainService: this.#held(this.chain.asking(isFirst)),
      seed: `wallet ${this.wallets.length}`,
      pool: () => this.#poolOf(reported),
      ...(noteDatabases && { noteDatabases }),
    });
    const wallet = { harness, reported };
    this.wallets.push(wallet);
    return wallet;
  }

  #held(chain: ChainService): ChainService {
    const openRange: ChainService['openRange'] = async (query) => {
      const opened = await chain.openRange(query);
      this.#opened += 1;
      if (this.#opened >= this.#wanted) this.#openGate();
      return opened;
    };
    const nextBatch: ChainService['nextBatch'] = async (query) => {
      await this.#gate;
      return chain.nextBatch(query);
    };
    const held = { openRange, nextBatch };
    // Its methods stand in its class, not in itself.
    return new Proxy(chain, {
      get: (target, name: keyof ChainService) =>
        name in held ? held[name as keyof typeof held] : target[name].bind(target),
    });
  }

  #poolOf(reported: number[]) {
    const member = new HubMember();
    const pool = scanPoolOver(
      THREADS,
      async (task) => unwrap(await this.#hub.run(member, task)) as ScanAnswer,
      () => this.#hub.leave(member),
    );
    return {
      ...pool,
      scan: async (...words: Parameters<typeof pool.scan>) => {
        const blocks = await pool.scan(...words);
        reported.push(...blocks.flatMap(({ notes }) => notes.map(({ value }) => value)));
        return blocks;
      },
    };
  }

  #pool(): TaskPool {
    let isClosed = false;
    return {
      run: (async (task: ScanTask) => {
        await this.onTask(task);
        if (isClosed) throw new CompanionError('THREAD_LOST', 'The workers have ended.');
        if (task.kind === 'scan') this.passes.push(1);
        if (task.kind === 'leaves' || task.kind === 'combine') return unwrap(scanWith(task));
        if (task.kind !== 'shared') return unwrap(scanWith({ ...task, keys: sharedKeysOf(task.keys) }));
        this.passes.push(task.keys.length);
        return unwrap(scanWith({ ...task, keys: task.keys.map(sharedKeysOf) })) as ScannedBlock[][];
      }) as TaskPool['run'],
      close: async () => {
        isClosed = true;
      },
    };
  }
}

const birthday_height = FIRST;
const [first, full] = seed.accounts.map(({ ufvk }) => ({
  viewing_key: ufvk,
  password: PASSWORD,
  birthday_height,
}));
const incoming = { viewing_key: seed.accounts[0]!.uivk, password: PASSWORD, birthday_height };

/** The full viewing keys of two accounts, and the incoming viewing key of the first one. */
async function makeThree(bed: Bed, birthdays: readonly number[] = []): Promise<WalletHarness[]> {
  const [a, b, c] = [await bed.add(), await bed.add(), await bed.add()].map(({ harness }) => harness);
  const born = (place: number) => ({ birthday_height: birthdays[place] ?? FIRST });
  await a!.call('wallet.import_viewing_key', { ...first!, ...born(0) });
  await b!.call('wallet.import_viewing_key', { ...full!, ...born(1) });
  await c!.call('wallet.import_viewing_key', { ...incoming, ...born(2) });
  return [a!, b!, c!];
}

async function notesOf(wallet: WalletHarness, withMemos = true) {
  const { notes } = await wallet.call('notes.list', { limit: 1000 });
  return shownNotes(notes, withMemos);
}

const own = (chain: typeof seed.main, account: number, withMemos = true) =>
  expectedNotes(chain, [account], withMemos).map((note) => ({ ...note, account: 0 }));

const received = (chain: typeof seed.main, account: number, withMemos = true) =>
  own(chain, account, withMemos)
    .filter(({ scope }) => scope === 'external')
    .map((note) => ({ ...note, nullifier: null, spent: null }));

async function startNode(t: ExecutionContext): Promise<FixtureNode> {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  return node;
}

/** Heights of the full blocks that were asked for, in order. */
/** Without the block before the first one, of which each wallet asks for the tree. */
const fetched = ({ calls }: FixtureNode): number[] =>
  calls
    .flatMap((call) => /^getblock (\d{1,10}) 0$/.exec(call)?.[1] ?? [])
    .map(Number)
    .filter((height) => height >= FIRST);

const heights = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i);

for (const source of ['node', 'compact'] as const) {
  test(`${source}: three viewing keys find what each finds alone, in one pass over blocks fetched once`, async (t) => {
    const node = await startNode(t);
    const compact = await startKnownSeedCompactServer(seed);
    t.teardown(() => compact.stop());
    const bed = new Bed(t, { node_url: node.url, compact_server_url: compact.url });
    const wallets = await makeThree(bed);
    bed.holdUntilOpened(wallets.length);
    const synced = await Promise.all(wallets.map((wallet) => wallet.call('sync.run', { source })));
    t.true(synced.every(({ caught_up }) => caught_up));

    const withMemos = source === 'node';
    const [a, b, c] = await Promise.all(wallets.map((wallet) => notesOf(wallet, withMemos)));
    t.deepEqual(a, own(seed.main, 0, withMemos));
    t.deepEqual(b, own(seed.main, 1, withMemos));
    t.deepEqual(c, received(seed.main, 0, withMemos));
    for (const account of [0, 1])
      t.deepEqual(
        shownBalance(await wallets[account]!.call('balance.get')),
        expectedBalance(seed.main, LAST, [account]),
      );
    t.deepEqual(bed.passes, [3]);
    if (source === 'node')
      t.deepEqual(
        fetched(node).sort((x, y) => x - y),
        heights,
      );
    else {
      // A wallet asks for a single block besides, to know the tip.
      const ranges = compact.calls.filter((call) => call.startsWith('GetBlockRange'));
      t.deepEqual(
        ranges.filter((call) => new Set(call.split(' ')).size === 3),
        [`GetBlockRange ${FIRST} ${LAST}`],
      );
    }

    // Each pool was told of the notes of its own wallet alone.
    const values = (notes: readonly { value_zatoshi: number }[]) => notes.map((note) => note.value_zatoshi);
    const sorted = (numbers: readonly number[]) => [...numbers].sort((x, y) => x - y);
    for (const [i, notes] of [a!, b!, c!].entries())
      t.deepEqual(sorted(bed.wallets[i]!.reported), sorted(values(notes)));
    t.deepEqual(bed.faults, []);
    for (const { harness } of bed.wallets) t.deepEqual(harness.faults, []);
  });
}

test('wallets with other birthdays read what is below by themselves, and the rest in one pass', async (t) => {
  const node = await startNode(t);
  const bed = new Bed(t, { node_url: node.url });
  const wallets = await makeThree(bed, [FIRST, FIRST + 20, FIRST + 20]);
  bed.holdUntilOpened(wallets.length);
  // The one that begins below comes last: it finds the others there.
  const synced = await Promise.all([...wallets].reverse().map((wallet) => wallet.call('sync.run')));
  t.true(synced.every(({ caught_up }) => caught_up));
  const [a, b, c] = await Promise.all(wallets.map((wallet) => notesOf(wallet)));
  t.deepEqual(a, own(seed.main, 0));
  t.deepEqual(
    b,
    own(seed.main, 1).filter(({ height }) => height >= FIRST + 20),
  );
  t.deepEqual(
    c,
    received(seed.main, 0).filter(({ height }) => height >= FIRST + 20),
  );
  t.deepEqual(
    fetched(node).sort((x, y) => x - y),
    heights,
  );
});

test('wallets that look one after the other have a block fetched once, and a reorganisation is seen by each', async (t) => {
  const node = await startNode(t);
  const bed = new Bed(t, { node_url: node.url });
  const wallets = await makeThree(bed);
  // Each has scanned before: the chain side knows that there are several.
  for (const wallet of wallets) await wallet.call('sync.run', { end_height: LAST - 3 });
  node.calls.length = 0;
  for (const wallet of wallets) t.true((await wallet.call('sync.run')).caught_up);
  t.deepEqual(fetched(node), [LAST - 2, LAST - 1, LAST]);

  node.reorg(seed.reorg.lastCommonHeight ?? 0, seed.reorgBlocks);
  bed.holdUntilOpened(wallets.length);
  const synced = await Promise.all(wallets.map((wallet) => wallet.call('sync.run')));
  t.true(synced.every(({ reorg }) => reorg?.fork_height === seed.reorg.lastCommonHeight));
  const [a, b, c] = await Promise.all(wallets.map((wallet) => notesOf(wallet)));
  t.deepEqual(a, own(seed.reorg, 0));
  t.deepEqual(b, own(seed.reorg, 1));
  t.deepEqual(c, received(seed.reorg, 0));
});

test('one that is locked in the middle gets nothing any more; the others end as if it had never been', async (t) => {
  const node = await startNode(t);
  const bed = new Bed(t, { node_url: node.url });
  const wallets = await makeThree(bed);
  bed.holdUntilOpened(wallets.length);
  let locked: Promise<unknown> | undefined;
  let begun = 0;
  bed.onTask = async (task) => {
    if (task.kind === 'shared') begun += 1;
    // The workers are at it when it locks.
    locked ??= wallets[0]!.call('wallet.lock');
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  const [a, b, c] = await Promise.all(
    wallets.map((wallet) => wallet.call('sync.run').catch((error: unknown) => error)),
  );
  await locked;
  t.true(begun > 0);
  t.true(a instanceof CompanionError || (a as { cancelled: boolean }).cancelled, JSON.stringify(a));
  t.is(await wallets[0]!.failure('notes.list'), 'WALLET_LOCKED');
  t.true([b, c].every((summary) => (summary as { caught_up: boolean }).caught_up));
  t.deepEqual(await notesOf(wallets[1]!), own(seed.main, 1));
  t.deepEqual(await notesOf(wallets[2]!), received(seed.main, 0));
  bed.onTask = () => undefined;
  await wallets[0]!.call('sync.run', { password: PASSWORD });
  t.deepEqual(await notesOf(wallets[0]!), own(seed.main, 0));
});

test('one whose disk is full fails alone', async (t) => {
  const node = await startNode(t);
  const bed = new Bed(t, { node_url: node.url });
  const full = (stores: NoteDatabases): NoteDatabases => ({
    ...stores,
    retire: () => stores.retire(),
    open: (key) => {
      const store = stores.open(key);
      const commit = () => {
        throw new CompanionError('STORAGE_FAILED', 'The disk is full.');
      };
      return new Proxy(store, {
        get: (target, name) => {
          if (name === 'commit') return commit;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
  });
  const [a, b] = [(await bed.add()).harness, (await bed.add(full)).harness];
  await a.call('wallet.import_viewing_key', first!);
  await b.call('wallet.import_viewing_key', incoming);
  bed.holdUntilOpened(2);
  const [fine, failed] = await Promise.all([a.call('sync.run'), b.failure('sync.run')]);
  t.true(fine.caught_up);
  t.is(failed, 'STORAGE_FAILED');
  t.deepEqual(bed.passes, [2]);
  t.deepEqual(await notesOf(a), own(seed.main, 0));
});
