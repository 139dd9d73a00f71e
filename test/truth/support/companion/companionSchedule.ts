// A companion on real files, asking real servers of real chains, goes through a schedule of what may happen to it.
// The chains know what its wallet owns after each of their blocks: truthCheck.ts compares.

import type { ExecutionContext } from 'ava';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import type { Input, Output } from '../../../../src/protocol/operations.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';
import type { Interruption, Step } from '../steps.ts';
import type { Made } from '../world.ts';
import { Branch, nameOf, Truth } from './branch.ts';
import { BIRTHDAY, Companion } from './companion.ts';
import { Till } from './invoices.ts';
import { Reader } from './reader.ts';
import { Shop } from './shop.ts';
import { checkAgainst } from './truthCheck.ts';

/** A schedule that needs more than that to come to rest does not. */
const MAX_ROUNDS = 60;
/** What a chain that moves, or another server, may come to. */
const MOVING = ['NODE_BEHIND', 'NODE_BAD_RESPONSE', 'COMPACT_SERVER_BAD_RESPONSE', 'REORG_TOO_DEEP'];

const emptyBlocks = (count: number): Made[] =>
  Array.from({ length: count }, () => ({ notes: [], spends: [] }));

type SyncStep = Extract<Step, { kind: 'sync' }>;

class Schedule {
  readonly #companion: Companion;
  readonly #truth: Truth;
  readonly #branches: readonly Branch[];
  readonly #birthdays = new Map([[0, BIRTHDAY]]);
  readonly #shop = new Shop();
  readonly #till = new Till();
  #offers = 0;
  readonly #readers: readonly Reader[] = [
    new Reader(async (page) => {
      const { notes, next_cursor: next } = await this.#companion.wallet.call('notes.list', page);
      return { keys: notes.map((note) => this.#placed(nameOf(note), note.height)), next };
    }),
    new Reader(async (page) => {
      const { transactions, next_cursor: next } = await this.#companion.wallet.call(
        'transactions.list',
        page,
      );
      return { keys: transactions.map(({ txid, height }) => this.#placed(txid, height)), next };
    }),
  ];
  #asked = 0;
  /** What began between two answers. */
  #begun: Promise<unknown>[] = [];

  constructor(companion: Companion, truth: Truth, branches: readonly Branch[]) {
    this.#companion = companion;
    this.#truth = truth;
    this.#branches = branches;
  }

  #placed(name: string, height: number): string {
    this.#shop.read(this.#companion.wallet.events);
    return `${name} at ${height}, ${this.#shop.takenBack(height)}`;
  }

  get #branch(): Branch {
    return this.#branches[this.#asked]!;
  }

  get #other(): Branch {
    return this.#branches[1 - this.#asked]!;
  }

  async start(): Promise<void> {
    await this.#companion.start();
    await this.#unlock();
  }

  async run(step: Step): Promise<void> {
    const branch = this.#branch;
    if (step.kind === 'mine') branch.mine(step.blocks);
    else if (step.kind === 'mine much') branch.mine(emptyBlocks(step.count));
    else if (step.kind === 'reorg')
      branch.reorganise(step.depth, [...step.blocks, ...emptyBlocks(step.empty ?? 0)]);
    else if (step.kind === 'sync') await this.#sync(step);
    else await this.#serve(step);
    await this.#check();
    if (step.kind === 'mine' || step.kind === 'reorg') await this.#offer();
  }

  /** A payment is in the mempool, and the one before is dropped unless it is mined. */
  async #offer(): Promise<void> {
    const { wallet } = this.#companion;
    if (!(await wallet.call('wallet.status')).unlocked) return;
    const offered = this.#branch.offer(this.#offers++);
    // A compact server's stream of the mempool has no end: a look at it takes real time.
    await wallet.call('mempool.look', { source: 'node' });
    const { invoices } = await wallet.call('invoices.list');
    const { transactions } = await wallet.call('mempool.list');
    const isKnown = transactions.some(({ txid }) => txid === offered?.txid);
    const named = invoices.flatMap(({ payments: of }) => of.map(({ txid, height }) => ({ txid, height })));
    const count = named.filter(({ txid, height }) => txid === offered?.txid && height === null).length;
    if (count !== (isKnown ? offered!.notes.length : 0))
      throw new Error('an unmined payment is not shown once');
    await this.#check();
  }

  async #serve(step: Exclude<Step, { kind: 'mine' | 'mine much' | 'reorg' | 'sync' }>): Promise<void> {
    const { wallet, disk } = this.#companion;
    const at = (part: number) => Math.round((part * this.#branch.tip) / 100);
    if (step.kind === 'other server') await this.#switchServer();
    else if (step.kind === 'restart') await this.#restart();
    else if (step.kind === 'edit') await this.#restart(at(step.height));
    else if (step.kind === 'lock') await wallet.call('wallet.lock');
    else if (step.kind === 'disk') {
      disk.commitsLeft = step.commits;
      disk.failures = step.failures;
    } else {
      await this.#unlock();
      if (step.kind === 'page') for (const reader of this.#readers) await reader.turn();
      else if (step.kind === 'account') await this.#addAccount(Math.max(1, at(step.birthday)));
      else if (step.kind === 'rescan')
        await this.#rescan(step.from === undefined ? undefined : Math.max(1, at(step.from)));
    }
  }

  /** When nothing happens any more the wallet must come to own what is true, also for who starts it anew. */
  async settle(): Promise<void> {
    this.#companion.disk.repair();
    // The other side may be lower than the wallet was.
    this.#branch.mine(emptyBlocks(90));
    let gap: { end_height?: number } = {};
    for (let round = 0; ; round++) {
      if (round === MAX_ROUNDS) throw new Error('the wallet does not come to rest');
      const source = round % 2 === 0 ? 'node' : 'compact';
      const summary = await this.#request({ ...gap, source });
      await this.#check();
      if (summary === 'NODE_BEHIND') this.#branch.mine(emptyBlocks(60));
      else if (summary === 'REORG_TOO_DEEP') await this.#rescan(undefined);
      else if (typeof summary === 'string') throw new Error(`a chain at rest is answered with ${summary}`);
      else if (summary.caught_up && summary.missing_ranges.length === 0) break;
      else gap = gapToAsk(summary);
    }
    const balance = await this.#companion.wallet.call('balance.get');
    if (balance.as_of_hash !== this.#branch.tipHash) throw new Error('caught up with another block');
    if (!balance.complete) throw new Error('caught up with holes');
    for (const reader of this.#readers) await reader.finish();
    const before = await this.#lists();
    this.#till.read(this.#companion.wallet.events);
    await this.#till.settle(this.#companion.wallet, this.#birthdays);
    await this.#restart();
    if ((await this.#lists()) !== before) throw new Error('a restart changes the lists');
    await this.#check();
  }

  async #lists(): Promise<string> {
    const { wallet } = this.#companion;
    const all = { limit: 1_000 };
    await wallet.call('mempool.look', { source: 'node' });
    return JSON.stringify([
      await wallet.call('balance.get'),
      await wallet.call('notes.list', all),
      await wallet.call('transactions.list', all),
      await wallet.call('invoices.list', all),
    ]);
  }

  async #sync({ start, end, newest, again, source = 'node', elsewhere, during }: SyncStep): Promise<void> {
    const at = (part: number) => Math.round((part * this.#branch.tip) / 100);
    if (start !== undefined && end !== undefined && start > end) return;
    if (again === true) await this.#request({ source });
    const isElsewhere = elsewhere === true && source === 'node' && this.#other.tip > 0;
    const range = {
      ...(start === undefined ? {} : { start_height: at(start) }),
      ...(end === undefined ? {} : { end_height: at(end) }),
    };
    const request = {
      ...(newest === true ? { newest_first: true } : range),
      ...(isElsewhere ? { node_url: this.#other.urls.node_url } : {}),
      source,
    };
    const outcome = await this.#request(request, during, isElsewhere ? this.#other : this.#branch);
    const mayFail = during !== undefined || isElsewhere;
    if (!mayFail && typeof outcome === 'string' && outcome.endsWith('BAD_RESPONSE'))
      throw new Error(`a chain that does not move is answered with ${outcome}`);
  }

  async #request(
    input: Input<'sync.run'>,
    during?: Interruption,
    branch = this.#branch,
  ): Promise<Output<'sync.run'> | string> {
    const { wallet, disk } = this.#companion;
    const isFailing = () => disk.commitsLeft <= 0;
    const failedBefore = isFailing();
    if (during !== undefined) this.#interrupt(branch, during);
    const outcome = await wallet.call('sync.run', { ...input, password: PASSWORD }).catch((error: unknown) =>
      // How a server failed that the request names is not told.
      input.node_url !== undefined && isUnreachable(error) ? error.code : codeOf(error),
    );
    branch.watch(() => undefined);
    await Promise.all(this.#begun.splice(0));
    this.#shop.read(wallet.events);
    const isCautious = failedBefore || isFailing();
    await this.#unlock();
    if (typeof outcome === 'string') return outcome;
    const balance = await wallet.call('balance.get');
    // While the disk does not answer nothing is called complete, and the balance has read it again.
    if (outcome.complete !== balance.complete && !(isCautious && balance.complete))
      throw new Error('the summary says otherwise than the balance');
    return outcome;
  }

  #interrupt(branch: Branch, { calls, what, depth, blocks }: Interruption): void {
    let left = calls;
    branch.watch(() => {
      if (left-- !== 0) return;
      if (what === 'mine') branch.mine(blocks);
      else if (what === 'reorg') branch.reorganise(depth, blocks);
      else if (what === 'other machine') throw new Error('made-up chains alone have two machines');
      else this.#begun.push(this.#meanwhile(what));
    });
  }

  async #meanwhile(what: 'cancel' | 'lock' | 'page'): Promise<void> {
    const { wallet } = this.#companion;
    if (what === 'cancel') await wallet.call('sync.cancel');
    else if (what === 'lock') await wallet.call('wallet.lock');
    else for (const reader of this.#readers) await reader.turn();
  }

  async #switchServer(): Promise<void> {
    const { wallet } = this.#companion;
    if (this.#other.tip === 0) this.#other.share(this.#branch, Math.floor(this.#branch.tip / 2));
    this.#asked = 1 - this.#asked;
    await wallet.call('config.node_url', { url: this.#branch.urls.node_url });
    await wallet.call('config.compact_server_url', { url: this.#branch.urls.compact_server_url });
  }

  /** `edited`: what a person writes into config.json meanwhile. */
  async #restart(edited?: number): Promise<void> {
    await this.#companion.stop();
    this.#till.read(this.#companion.lastEvents);
    if (edited !== undefined) {
      // Where the disk takes no edit, it is none yet.
      this.#companion.disk.repair();
      this.#companion.editConfig({ last_scan_height: edited });
    }
    await this.#companion.start();
    this.#shop.restarted();
    this.#till.restarted();
    await this.#unlock();
    if (edited !== undefined) this.#shop.forgetAbove(this.#companion.config.last_scan_height ?? 0);
  }

  async #unlock(): Promise<void> {
    const { wallet, disk } = this.#companion;
    const unlock = () => wallet.call('wallet.unlock', { password: PASSWORD });
    if ((await unlock().catch(codeOf)) !== 'STORAGE_FAILED') return;
    disk.repair();
    await unlock();
  }

  async #rescan(from: number | undefined): Promise<void> {
    const { wallet, disk } = this.#companion;
    // Whoever is told that it failed does not know how far it came, and asks again.
    disk.repair();
    const outcome = await wallet.call('wallet.rescan', from === undefined ? {} : { from_height: from });
    this.#shop.forgetAbove(from === undefined ? 0 : outcome.last_scan_height);
  }

  async #addAccount(birthday_height: number): Promise<void> {
    if (this.#birthdays.size > 1) return;
    const { wallet } = this.#companion;
    await wallet.call('accounts.create', { password: PASSWORD, birthday_height });
    // Where a scan found account 1 before, it is another one.
    const { accounts } = await wallet.call('accounts.list');
    for (const { account, birthday_height: height } of accounts.slice(1))
      this.#birthdays.set(account, height);
  }

  async #check(): Promise<void> {
    const { wallet } = this.#companion;
    this.#shop.read(wallet.events);
    if (!(await wallet.call('wallet.status')).unlocked) return;
    const { config, disk } = this.#companion;
    await checkAgainst(this.#truth, wallet, this.#birthdays, config, disk.opened);
    this.#till.read(wallet.events);
    const { complete, as_of_hash: hash, as_of_height: top } = await wallet.call('balance.get');
    const truth = complete && hash !== null ? this.#truth.after(hash) : undefined;
    const timeOf =
      truth &&
      ((note: Parameters<typeof nameOf>[0]) => truth.find(({ name }) => name === nameOf(note))?.time);
    await this.#till.check(wallet, timeOf, top, this.#birthdays);
    for (const account of this.#birthdays.keys()) {
      const { total_zatoshi: total } = await wallet.call('balance.get', { account });
      const kept = this.#shop.balance(account);
      if (kept !== total) throw new Error(`${total} for account ${account}, but ${kept} by its events`);
    }
  }
}

const gapToAsk = ({ range_complete: isDone, missing_ranges: missing }: Output<'sync.run'>) =>
  isDone && missing.length > 0 ? { end_height: missing.at(-1)!.end_height } : {};

const EXPECTED = new Set([...MOVING, 'INVALID_RANGE', 'STORAGE_FAILED', 'WALLET_LOCKED']);

const isUnreachable = (error: unknown): error is CompanionError =>
  error instanceof CompanionError && error.code === 'NODE_UNREACHABLE';

function codeOf(error: unknown): string {
  if (!(error instanceof CompanionError) || !EXPECTED.has(error.code)) throw error;
  return error.code;
}

/** Throws with what is wrong. */
export async function runCompanionSchedule(t: ExecutionContext, steps: readonly Step[]): Promise<void> {
  const truth = new Truth();
  const branches = [new Branch('one', truth), new Branch('other', truth)];
  for (const branch of branches) await branch.listen();
  const companion = await Companion.make(t, branches[0]!.urls);
  try {
    const schedule = new Schedule(companion, truth, branches);
    await schedule.start();
    for (const step of steps) await schedule.run(step);
    await schedule.settle();
  } finally {
    await companion.remove();
    for (const branch of branches) await branch.close();
  }
}
