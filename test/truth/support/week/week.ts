// A week of a companion that follows the chain, on a clock of its own: what may happen to it happens, drawn from a seed.
// The clock strikes every timer of that week; servers, chain and files are real.

import { randomNumbers } from '@wallet-companion/base/test/randomNumbers';
import type { ExecutionContext } from 'ava';
import type { Output } from '../../../../src/protocol/operations.ts';
import { lookOver } from '../../../helpers/lookOver.ts';
import { VirtualClock } from '../../../helpers/virtualClock.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';
import { Branch, Truth } from '../companion/branch.ts';
import { BIRTHDAY, Companion } from '../companion/companion.ts';
import { checkAgainst } from '../companion/truthCheck.ts';
import type { Made } from '../world.ts';

export const HAPPENINGS = [
  'payments',
  'flood',
  'reorganisation',
  'outage',
  'lock',
  'restart',
  'gap',
  'other source',
  'other server',
  'stream that ends at once',
  'no stream',
] as const;
export type Happening = (typeof HAPPENINGS)[number];

export interface WeekOptions {
  readonly seed: number;
  readonly blockSeconds: number;
  /** Blocks that come while the machine sleeps, after each that comes while it is awake: at most so many. */
  readonly longestSleep: number;
  /** One block in so many that come while it is awake brings something with it. */
  readonly quiet: number;
  /** After each hour of the chain. */
  readonly onHour?: (hour: number) => Promise<void>;
}

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const MINUTE_MS = 60_000;
/** Blocks as full as NU7 allows of what other people do: so many outputs in each pool. */
export const FLOOD = { blocks: 3, strangers: 100 };
/** After the last trouble all must be well within an hour: the longest pause is five minutes. */
const REST_MINUTES = 60;

const EMPTY: Made = { notes: [], spends: [] };

export class Week {
  readonly counts = new Map<Happening, number>();
  /** Answers of all servers, each block of a stream counted. */
  answers = 0;
  /** How long it was awake and unlocked. */
  watchedMs = 0;
  blocks = 0;
  readonly clock = new VirtualClock();
  readonly #options: WeekOptions;
  readonly #random: () => number;
  readonly #truth = new Truth();
  readonly #branches: Branch[] = [];
  #companion!: Companion;
  #bag: Happening[] = [];
  #mined = 0;
  #hours = 0;
  /** Something that lasts for a while: how it ends, and after how many blocks. */
  #lasting: { left: number; readonly end: () => unknown } | undefined;

  constructor(options: WeekOptions) {
    this.#options = options;
    this.#random = randomNumbers(options.seed);
  }

  get wallet() {
    return this.#companion.wallet;
  }

  get mempoolStreams(): number {
    return this.#branches.reduce((sum, branch) => sum + branch.mempoolStreams, 0);
  }

  get #branch(): Branch {
    return this.#branches.at(-1)!;
  }

  async start(t: ExecutionContext): Promise<void> {
    const branch = await this.#open();
    branch.mine(Array.from({ length: BIRTHDAY + 10 }, () => EMPTY));
    this.#companion = await Companion.make(t, branch.urls, this.clock);
    await this.#companion.start();
    await this.wallet.call('follow.set', { enabled: true, keep_open: true, password: PASSWORD });
  }

  /** Bytes of the companion's files. */
  get fileBytes(): number {
    return this.#companion.fileBytes;
  }

  async stop(): Promise<void> {
    await this.#companion.remove();
    for (const branch of this.#branches) await branch.close();
  }

  async day(): Promise<void> {
    const { blockSeconds, longestSleep, onHour } = this.#options;
    for (let seconds = 0; seconds < DAY_SECONDS; ) {
      await this.#endLasting();
      if (this.#lasting === undefined && this.#below(this.#options.quiet) === 0) await this.#happen();
      this.#mine(EMPTY);
      await this.#pass(blockSeconds * 1_000);
      const asleep = this.#below(longestSleep + 1);
      for (let i = 0; i < asleep; i++) this.#mine(EMPTY);
      if (asleep > 0) this.clock.sleep(asleep * blockSeconds * 1_000);
      const before = seconds;
      seconds += (1 + asleep) * blockSeconds;
      if (Math.floor(before / HOUR_SECONDS) !== Math.floor(seconds / HOUR_SECONDS))
        await onHour?.(++this.#hours);
    }
    // Told from the start on, and kept by the harness.
    this.wallet.events.length = 0;
  }

  /** Nothing happens any more: without anybody doing anything the wallet owns what is true. */
  async rest(): Promise<Output<'balance.get'>> {
    if (this.#lasting !== undefined) this.#lasting.left = 0;
    await this.#endLasting();
    this.#branch.behave();
    for (let minute = 0; minute < REST_MINUTES; minute++) {
      await this.#pass(MINUTE_MS);
      const balance = await this.wallet.call('balance.get');
      if (balance.complete && balance.as_of_hash === this.#branch.tipHash) {
        await checkAgainst(
          this.#truth,
          this.wallet,
          new Map([[0, BIRTHDAY]]),
          this.#companion.config,
          this.#companion.disk.opened,
        );
        return balance;
      }
    }
    const { state, failure } = await this.wallet.call('follow.get');
    throw new Error(`an hour after the last trouble it is ${state} (${failure?.code})`);
  }

  /** What the chain says is unspent at its tip. */
  get trueBalance(): number {
    const unspent = this.#truth.after(this.#branch.tipHash).filter(({ spent }) => spent === null);
    return unspent.reduce((sum, { value }) => sum + value, 0);
  }

  async #pass(ms: number): Promise<void> {
    const { unlocked } = await this.wallet.call('wallet.status');
    if (unlocked) this.watchedMs += ms;
    await this.clock.pass(ms, () => lookOver(this.wallet));
  }

  async #open(): Promise<Branch> {
    const branch = new Branch(`server ${this.#branches.length}`, this.#truth);
    branch.watch(() => {
      this.answers += 1;
    });
    await branch.listen();
    this.#branches.push(branch);
    return branch;
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #mine(made: Made, strangers = 0): void {
    this.#branch.mine([made], strangers);
    this.blocks += 1;
  }

  async #endLasting(): Promise<void> {
    const lasting = this.#lasting;
    if (lasting === undefined || lasting.left-- > 0) return;
    this.#lasting = undefined;
    await lasting.end();
  }

  #last(end: () => unknown): void {
    this.#lasting = { left: 1 + this.#below(3), end };
  }

  /** Each comes as often as every other. */
  async #happen(): Promise<void> {
    if (this.#bag.length === 0) this.#bag = [...HAPPENINGS];
    const [happening] = this.#bag.splice(this.#below(this.#bag.length), 1) as [Happening];
    this.counts.set(happening, (this.counts.get(happening) ?? 0) + 1);
    await this.#doings[happening]();
  }

  readonly #doings: Readonly<Record<Happening, () => unknown>> = {
    payments: () => {
      for (let i = 0; i < 3; i++) this.#mine(this.#made());
    },
    flood: () => {
      for (let i = 0; i < FLOOD.blocks; i++) this.#mine(this.#made(), FLOOD.strangers);
    },
    reorganisation: () => this.#reorganise(1 + this.#below(6)),
    outage: () => {
      this.#branch.fail();
      this.#last(() => this.#branch.behave());
    },
    lock: async () => {
      await this.wallet.call('wallet.lock');
      this.#last(() => this.wallet.call('wallet.unlock', { password: PASSWORD }));
    },
    restart: async () => {
      await this.#companion.stop();
      await this.#companion.start();
      await this.wallet.call('wallet.unlock', { password: PASSWORD });
    },
    gap: async () => {
      for (let i = 0; i < 8; i++) this.#mine(i === 2 ? this.#made() : EMPTY);
      await this.wallet.call('sync.run', { start_height: this.#branch.tip - 1 });
    },
    'other source': async () => {
      const { source } = await this.wallet.call('follow.get');
      await this.wallet.call('config.block_source', { source: source === 'node' ? 'compact' : 'node' });
    },
    'other server': () => this.#changeServer(),
    'stream that ends at once': () => this.#tellNothing('short-stream'),
    'no stream': () => this.#tellNothing('not-offered'),
  };

  #made(): Made {
    this.#mined += 1;
    const notes = [{ account: 0, value: this.#mined }];
    return { notes, spends: this.#below(3) === 0 ? [this.#below(5)] : [] };
  }

  #reorganise(depth: number): void {
    this.#branch.reorganise(depth, [this.#made(), ...Array.from({ length: depth }, () => EMPTY)]);
    this.blocks += depth + 1;
  }

  /** One whose last blocks are others. */
  async #changeServer(): Promise<void> {
    const before = this.#branch;
    const after = await this.#open();
    after.share(before, before.tip - this.#below(4));
    while (after.tip <= before.tip) this.#mine(this.#made());
    const { node_url, compact_server_url } = after.urls;
    await this.wallet.call('config.node_url', { url: node_url });
    await this.wallet.call('config.compact_server_url', { url: compact_server_url });
    await before.close();
    this.#branches.splice(this.#branches.indexOf(before), 1);
  }

  async #tellNothing(kind: 'short-stream' | 'not-offered'): Promise<void> {
    await this.wallet.call('config.block_source', { source: 'compact' });
    this.#branch.tellNothing(kind);
    this.#last(() => this.#branch.behave());
  }
}
