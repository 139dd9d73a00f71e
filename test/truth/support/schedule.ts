// A note store and the syncs that fill it go through a schedule of what may happen to a wallet; a model knows what it
// then must own. Fast, since everything around them is made up: companionSchedule.ts goes through the real parts.

import { scanHeights } from '@wallet-companion/zcash/test/perPool';
import { exportPage } from '../../../src/actors/wallet/books/exportPage.ts';
import { NoteStore } from '../../../src/actors/wallet/noteStore/noteStore.ts';
import { scanReach } from '../../../src/actors/wallet/noteViews/scanReach.ts';
import type { StoredNote } from '../../../src/actors/wallet/ports/storedNote.ts';
import type { WalletEnvironment } from '../../../src/actors/wallet/ports/walletEnvironment.ts';
import { SyncRun } from '../../../src/actors/wallet/sync/syncRun.ts';
import type { SyncDone } from '../../../src/actors/wallet/sync/syncSummary.ts';
import { CompanionError } from '../../../src/protocol/errors.ts';
import type { HandledInput } from '../../../src/protocol/operations.ts';
import { MemoryNoteDatabase } from '../../helpers/memoryNoteDatabase.ts';
import { NO_NAMES } from '../../helpers/rowNames.ts';
import { Shop } from './shop.ts';
import type { EmptiedSchedule, Interruption, Step } from './steps.ts';
import { Blocks, type Made, trueNotes, World } from './world.ts';
import { WorldChain, worldPool } from './worldChain.ts';

/** In which requests are repeated at the end. */
export type Order = 'by height' | 'newest first';

const BIRTHDAY = 4;
/** A schedule that needs more than that to come to rest does not. */
const MAX_ROUNDS = 200;
const MIN_CONFIRMATIONS = 3;

const emptyBlocks = (count: number): Made[] =>
  Array.from({ length: count }, () => ({ notes: [], spends: [] }));

/** A store whose disk can be full. */
class FailingStore extends MemoryNoteDatabase {
  #commitsUntil = Infinity;
  #failures = 0;

  failAfter(commits: number, failures: number): void {
    this.#commitsUntil = commits;
    this.#failures = failures;
  }

  repair(): void {
    this.#commitsUntil = Infinity;
    this.#failures = 0;
  }

  override commit(change: Parameters<MemoryNoteDatabase['commit']>[0]): void {
    if (this.#commitsUntil <= 0) throw new CompanionError('STORAGE_FAILED', 'The disk is full.');
    this.#commitsUntil--;
    super.commit(change);
  }

  override load(): ReturnType<MemoryNoteDatabase['load']> {
    if (this.#commitsUntil <= 0 && this.#failures-- > 0)
      throw new CompanionError('STORAGE_FAILED', 'The disk does not answer.');
    if (this.#commitsUntil <= 0) this.repair();
    return super.load();
  }
}

/** Zeros: the pool of the world knows whose note is whose. */
const keyOf = (account: number) => ({
  protocol: 'orchard' as const,
  account,
  scope: 'external' as const,
  ivk: new Uint8Array(32),
  dk: new Uint8Array(32),
});

class Wallet {
  readonly #blocks = new Blocks();
  readonly #withdrawOnlyFrom: number | undefined;
  readonly worlds: readonly World[];
  #isSkipping: boolean;
  readonly #store = new FailingStore();
  readonly #chain = new WorldChain(() => this.world, 7);
  readonly #birthdays = new Map([[0, BIRTHDAY]]);
  #accounts = [{ index: 0, birthdayHeight: BIRTHDAY }];
  #noteStore = new NoteStore(this.#store, this.#accounts, BIRTHDAY);
  readonly #shop = new Shop(MIN_CONFIRMATIONS);
  /** The highest block that was known since the shop read everything. */
  #topSincePoll = 0;
  #asked = 0;

  /** `withdrawOnlyFrom`: where Orchard only pays out, and the wallet leaves it out once an account has emptied it. */
  constructor(withdrawOnlyFrom: number | undefined) {
    this.#withdrawOnlyFrom = withdrawOnlyFrom;
    this.#isSkipping = withdrawOnlyFrom !== undefined;
    this.worlds = [new World(this.#blocks, withdrawOnlyFrom), new World(this.#blocks, withdrawOnlyFrom)];
    this.#noteStore.confirmAfter(() => MIN_CONFIRMATIONS);
  }

  get #isComplete(): boolean {
    return scanReach(this.#noteStore).complete;
  }

  /** How many blocks are in the store without a look at Orchard. */
  get unsearched(): number {
    const ranges = this.#accounts
      .flatMap(({ index }) => this.#noteStore.unsearched(index))
      .flatMap(({ ranges: unsearched }) => unsearched);
    return ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  }

  get world(): World {
    return this.worlds[this.#asked]!;
  }

  async run(step: Step): Promise<void> {
    const at = (part: number) => Math.round((part * this.world.tip) / 100);
    if (step.kind === 'mine') this.world.mine(step.blocks);
    else if (step.kind === 'mine much') this.world.mine(emptyBlocks(step.count));
    else if (step.kind === 'reorg')
      this.world.reorganise(step.depth, [...step.blocks, ...emptyBlocks(step.empty ?? 0)]);
    else if (step.kind === 'other server') this.#switchServer();
    else if (step.kind === 'disk') this.#store.failAfter(step.commits, step.failures);
    else if (step.kind === 'skipping') this.#isSkipping = step.on;
    else if (step.kind === 'account') this.#addAccount(Math.max(1, at(step.birthday)));
    else if (step.kind === 'sync') await this.#sync(step, at);
    else if (step.kind !== 'lock' && step.kind !== 'page') await this.#changeStored(step, at);
    this.check();
  }

  /** When nothing happens any more the wallet must come to own what is true. */
  async settle(order: Order): Promise<void> {
    this.#store.repair();
    let asked: HandledInput<'sync.run'> = order === 'newest first' ? { newest_first: true } : {};
    // The other side may be lower than the wallet was.
    this.world.mine(emptyBlocks(90));
    for (let round = 0; ; round++) {
      if (round === MAX_ROUNDS) throw new Error('the wallet does not come to rest');
      const outcome = await this.#request(asked);
      this.check();
      if ('error' in outcome) {
        await this.#recover(outcome.error);
        continue;
      }
      const { caught_up: isAtTip, range_complete: isDone, missing_ranges: missing } = outcome.summary;
      if (isAtTip && missing.length === 0) break;
      if (order === 'newest first') continue;
      asked = isDone && missing.length > 0 ? { end_height: missing.at(-1)!.end_height } : {};
    }
    if (!this.#isComplete) throw new Error('caught up with holes');
    if (this.#noteStore.lastScanHeight !== this.world.tip) throw new Error('caught up below the tip');
    this.check();
    while (!this.#keepBooks());
  }

  /** What is said to be complete is exactly what the accounts own after the block it is said of. */
  check(): void {
    this.#keepBooks();
    this.#checkBooks();
    const top = this.#noteStore.scannedTop();
    if (top === undefined || !this.#isComplete) return;
    const asOf = this.#noteStore.block(top);
    if (asOf === undefined) throw new Error('complete, as of a block that is not known');
    const begins = this.#begins;
    const truth = trueNotes(this.#blocks.named(asOf.hash), begins, this.#blocks);
    const isSince = ({ account, height, nullifier }: StoredNote) =>
      this.#blocks.paidAt(nullifier ?? '', height) >= (begins.get(account) ?? 0);
    const ours = new Map(
      [...this.#noteStore.notes]
        .filter((note) => note.spent === null && isSince(note))
        .map((note) => [note.nullifier ?? '', note.value]),
    );
    const same =
      truth.size === ours.size && [...truth].every(([nullifier, value]) => ours.get(nullifier) === value);
    if (!same) {
      const sum = (notes: Map<string, number>) =>
        [...notes.values()].reduce((total, value) => total + value, 0);
      throw new Error(`complete with ${sum(ours)} for ${sum(truth)} at ${this.#noteStore.lastScanHeight}`);
    }
  }

  /** A note that is found below a birthday shows what else there is from there on: change in an emptied pool, too. */
  get #begins(): ReadonlyMap<number, number> {
    if (this.#withdrawOnlyFrom === undefined) return this.#birthdays;
    return new Map(this.#accounts.map((account) => [account.index, this.#noteStore.floor(account)]));
  }

  /** True where the shop has read everything. */
  #keepBooks(): boolean {
    const noteStore = this.#noteStore;
    const top = noteStore.blockHeights.at(-1) ?? 0;
    this.#topSincePoll = Math.max(this.#topSincePoll, top);
    const journal = {
      notes: noteStore.notes,
      isScannedFor: (account: number, height: number) => noteStore.isScannedFor(account, height),
      readJournal: noteStore.readJournal.bind(noteStore),
    };
    try {
      if (!this.#shop.poll(journal, this.#topSincePoll)) return false;
    } catch (error) {
      // A disk that does not answer: the shop asks again.
      if (error instanceof CompanionError && error.code === 'STORAGE_FAILED') return false;
      throw error;
    }
    this.#topSincePoll = top;
    this.#shop.compare(journal, noteStore.scannedTop() ?? 0);
    return true;
  }

  /** The exported history adds up to the notes, whatever is missing. */
  #checkBooks(): void {
    for (const account of [undefined, ...this.#accounts.map(({ index }) => index)]) {
      const unspent = [...this.#noteStore.notes].filter(
        (note) => note.spent === null && (account === undefined || note.account === account),
      );
      const total = unspent.reduce((sum, note) => sum + note.value, 0);
      const { balance_zatoshi: balance } = exportPage(
        { noteStore: this.#noteStore, names: NO_NAMES },
        { format: 'json', limit: 1_000, ...(account === undefined ? {} : { account }) },
        { zone: 'UTC', start: 0, end: Number.MAX_SAFE_INTEGER },
        0,
      );
      if (balance !== total) throw new Error(`the books end with ${balance}, the notes with ${total}`);
    }
  }

  #switchServer(): void {
    const [here, there] = [this.world, this.worlds[1 - this.#asked]!];
    // They have a past in common.
    if (there.tip === 0) there.chain = here.chain.slice(0, Math.floor(here.tip / 2));
    this.#asked = 1 - this.#asked;
  }

  #addAccount(birthdayHeight: number): void {
    if (this.#accounts.length > 1) return;
    this.#accounts = [...this.#accounts, { index: 1, birthdayHeight }];
    this.#birthdays.set(1, birthdayHeight);
    this.#noteStore.setAccounts(this.#accounts);
  }

  async #sync(step: Extract<Step, { kind: 'sync' }>, at: (part: number) => number): Promise<void> {
    const range: HandledInput<'sync.run'> = {
      ...(step.start === undefined ? {} : { start_height: at(step.start) }),
      ...(step.end === undefined ? {} : { end_height: at(step.end) }),
    };
    const request = step.newest === true ? { newest_first: true } : range;
    if ((request.start_height ?? 0) > (request.end_height ?? Infinity)) return;
    if (step.again === true) await this.#request({});
    const outcome = await this.#request(request, step.during);
    if (step.succeeds === true && 'error' in outcome) throw outcome.error;
  }

  async #request(
    request: HandledInput<'sync.run'>,
    during?: Interruption,
  ): Promise<{ readonly summary: SyncDone } | { readonly error: CompanionError }> {
    const keys = {
      incoming: this.#accounts.map(({ index }) => keyOf(index)),
      outgoing: [],
      heights: scanHeights({ nu6_3: this.#withdrawOnlyFrom }),
    };
    const config = { complete_transactions: false, skip_emptied_pools: this.#isSkipping };
    const run = new SyncRun(
      {
        chain: this.#chain.service as never,
        clock: { now: () => Date.UTC(2026, 0, 1), elapsed: () => 0, after: () => () => undefined },
        configFile: { get: () => config } as never,
        logFault: () => undefined,
      } as unknown as WalletEnvironment,
      {
        noteStore: this.#noteStore,
        pool: worldPool(this.#blocks),
        scanKeys: keys,
        rangeKeys: keys,
        sharedAccounts: [],
      },
      { ...request, source: 'compact' },
      {
        committed: async () => this.check(),
        rewound: async () => this.check(),
        memosOpened: () => {},
        accountsFound: async () => false,
        caughtUp: async () => {},
      },
    );
    const asked = this.#asked;
    if (during !== undefined) {
      const { calls, what, depth, blocks: made } = during;
      this.#chain.interruptAfter(calls, () => {
        if (what === 'cancel') run.stop();
        else if (what === 'mine') this.world.mine(made);
        else if (what === 'reorg') this.world.reorganise(depth, made);
        else if (what === 'other machine') this.#switchServer();
      });
    }
    try {
      const summary = await run.run();
      this.#checkSummary(summary);
      return { summary };
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error;
      return { error };
    } finally {
      this.#asked = asked;
      this.#chain.calm();
    }
  }

  #checkSummary(summary: SyncDone): void {
    if (summary.complete !== this.#isComplete) throw new Error('the summary says otherwise than the balance');
    if (summary.blocks_scanned > 1_000) throw new Error('more than 1,000 blocks in a request');
  }

  async #changeStored(
    step: Extract<Step, { kind: 'restart' | 'rescan' | 'edit' }>,
    at: (part: number) => number,
  ): Promise<void> {
    try {
      if (step.kind === 'restart') {
        this.#noteStore = new NoteStore(this.#store, this.#accounts, BIRTHDAY);
        this.#noteStore.confirmAfter(() => MIN_CONFIRMATIONS);
      } else if (step.kind === 'edit') this.#noteStore.adoptEditedScanHeight(at(step.height));
      else if (step.from === undefined) this.#noteStore.restart();
      else this.#noteStore.forget(Math.max(1, at(step.from)));
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'STORAGE_FAILED') throw error;
    }
  }

  /** What a person does who reads what the failure says. */
  async #recover(error: CompanionError): Promise<void> {
    if (error.code === 'NODE_BEHIND') this.world.mine(emptyBlocks(60));
    else if (error.code === 'REORG_TOO_DEEP') {
      const from = /from_height (\d+)/.exec(error.message)?.[1];
      if (from === undefined) this.#noteStore.restart();
      else this.#noteStore.forget(Number(from));
    } else throw error;
  }
}

/** Throws with what is wrong. */
export async function runSchedule(steps: readonly Step[], order: Order = 'by height'): Promise<void> {
  const wallet = new Wallet(undefined);
  for (const step of steps) await wallet.run(step);
  await wallet.settle(order);
}

/** The same where Orchard is left out once an account has emptied it. Returns in how many blocks, at most. */
export async function runEmptiedSchedule(
  { steps, withdrawOnlyFrom }: EmptiedSchedule,
  order?: Order,
): Promise<number> {
  const wallet = new Wallet(withdrawOnlyFrom);
  let most = 0;
  for (const step of steps) {
    await wallet.run(step);
    most = Math.max(most, wallet.unsearched);
  }
  await wallet.settle(order ?? 'by height');
  return Math.max(most, wallet.unsearched);
}
