// Follow mode for its callers: it is set, reported, kept in config.json, and runs while a session is open.

import { type Height, timeText, timeTextOrNull } from '@wallet-companion/base/values';
import type { BlockNews } from '@wallet-companion/chain/ports';
import { badField } from '../../../protocol/errors.ts';
import type { HandlerContext, Input, Output } from '../../../protocol/operations.ts';
import type { MempoolWatch } from '../mempool/mempoolWatch.ts';
import type { Config } from '../ports/configFile.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Sessions } from '../session/sessions.ts';
import { blockSource, rememberedSource, verifyingSource } from '../source/blockSource.ts';
import type { Scans } from '../sync/scans.ts';
import { Follower, type FollowOutcome } from './follower.ts';
import { followScan } from './followScan.ts';
import { SecondLook } from './secondLook.ts';

type Status = Output<'follow.get'>;

export class Following {
  readonly #environment: WalletEnvironment;
  readonly #sessions: Sessions;
  readonly #scans: Scans;
  readonly #mempool: MempoolWatch;
  readonly #follower: Follower;
  readonly #secondLook: SecondLook;
  #looks = 0;
  #failure: Status['failure'] = null;
  #reported: string;

  constructor(environment: WalletEnvironment, sessions: Sessions, scans: Scans, mempool: MempoolWatch) {
    this.#mempool = mempool;
    this.#environment = environment;
    this.#sessions = sessions;
    this.#scans = scans;
    this.#secondLook = new SecondLook(environment, scans);
    const { clock, chain, logFault } = environment;
    this.#follower = new Follower({
      clock,
      random: () => new DataView(environment.randomBytes(4).buffer).getUint32(0) / 2 ** 32,
      look: () => this.#look(),
      newBlock: () => {
        const source = rememberedSource(this.#config);
        const height = scans.lastScan.chainTip;
        return source === 'node' || height === null ? undefined : this.#newBlock(source, height);
      },
      // A lost chain thread has no wait to end.
      endWait: () => void chain.endWait().catch((error: unknown) => logFault('wallet.end_wait', error)),
      stateChanged: () => this.#report(),
      // The stream that this thread waits on has it already.
      meanwhile: () => void mempool.lookQuietly(rememberedSource(this.#config)),
    });
    this.#reported = newsOf(this.status());
  }

  get #config(): Config {
    return this.#environment.configFile.get();
  }

  get #isOn(): boolean {
    return this.#config.follow && this.#environment.oneCommand !== true;
  }

  status(): Status {
    const { follow, follow_keep_open } = this.#config;
    const { chainTip, newBlockAt } = this.#scans.lastScan;
    return {
      enabled: follow,
      source: rememberedSource(this.#config),
      verifies_with: verifyingSource(this.#environment.configFile),
      keep_open: follow && follow_keep_open,
      state: this.#state,
      last_tip_height: chainTip,
      last_new_block_at: timeTextOrNull(newBlockAt),
      next_look_at: timeTextOrNull(this.#follower.nextLookAt),
      failure: this.#failure,
    };
  }

  /** Must not run within another change of state. */
  async set(input: Input<'follow.set'>, context: HandlerContext): Promise<Status> {
    const { source } = input;
    if (source !== undefined && source !== (await blockSource(this.#environment)))
      throw badField('source', 'is not the block source, which follow mode reads from: set block_source');
    return this.#sessions.exclusive(async () => {
      const before = this.status();
      const isKept = checkedKeepOpen(input, context, before, this.#sessions);
      await this.#environment.configFile.update({
        follow: input.enabled,
        follow_keep_open: isKept,
      });
      const isOpen = this.#sessions.current !== undefined;
      if (isOpen && isKept !== before.keep_open) this.#sessions.touch();
      this.#stopLook();
      this.#stop();
      if (isOpen) this.unlocked();
      this.#report();
      return this.status();
    });
  }

  /** Called also when a setting has changed during an open session. */
  unlocked(): void {
    if (this.#isOn) this.#follower.start();
    this.#report();
  }

  /** Called before the session closes: no look begins any more, and `wallet.locked` is the last event. */
  locked(): void {
    this.#stop();
    this.#report();
  }

  /** Another server is configured: it is asked at once, whatever the result of the last look. */
  wake(): void {
    this.#stopLook();
    this.#follower.wake();
  }

  #stop(): void {
    this.#follower.stop();
    this.#failure = null;
  }

  /** It may hang on a server that is no longer configured. */
  #stopLook(): void {
    const { current } = this.#scans.turns;
    if (current?.givesWay) current.stop();
  }

  get #state(): Status['state'] {
    if (!this.#isOn) return 'off';
    if (!this.#follower.isRunning) return 'waiting_for_unlock';
    const { turns } = this.#scans;
    return turns.current?.kind === 'follow' && turns.isScanning ? 'scanning' : this.#follower.state;
  }

  async #look(): Promise<FollowOutcome> {
    const look = ++this.#looks;
    // This mode's previous look, which was stopped.
    const { current } = this.#scans.turns;
    if (current?.givesWay) await current.ended;
    const session = this.#sessions.current;
    // The session ended without a lock, as after a change of password that half failed.
    if (session === undefined) this.locked();
    if (session === undefined || !this.#follower.isRunning) return 'busy';
    const { outcome, error } = await followScan(this.#environment, session, this.#scans);
    if (outcome === 'busy' || !this.#follower.isRunning) return 'busy';
    const at = this.#environment.clock.now();
    this.#failure = error === null ? null : { code: error.code, detail: error.detail, at: timeText(at) };
    // Not awaited: blocks come first, and a mempool may be long.
    if (outcome !== 'more' && outcome !== 'failed' && rememberedSource(this.#config) === 'node')
      void this.#mempool.lookQuietly('node');
    if (outcome !== 'caught up' && outcome !== 'nothing new') return outcome;
    const isOver = () =>
      look !== this.#looks ||
      !this.#follower.isRunning ||
      this.#sessions.current !== session ||
      this.#scans.turns.current !== undefined;
    return (await this.#secondLook.run(session, isOver)) ? 'more to check' : outcome;
  }

  async #newBlock(source: 'compact' | 'peers', height: Height): Promise<BlockNews> {
    const news = await this.#environment.chain.newBlock({ source, height });
    if (news === 'not offered') this.#mempool.notOffered();
    return news;
  }

  #report(): void {
    const status = this.status();
    const news = newsOf(status);
    if (news === this.#reported) return;
    this.#reported = news;
    this.#environment.emit({ event: 'follow.changed', data: status });
  }
}

/** Times and heights change with every look: they are in the response, not in the event. */
const newsOf = ({ enabled, source, keep_open, state, failure }: Status): string =>
  JSON.stringify([enabled, source, keep_open, state, failure?.code]);

/**
 * `keep_open` undoes `auto_lock_seconds`, which no caller may set: it needs the password, or the owner of the files.
 * Every caller may end it.
 */
function checkedKeepOpen(
  { enabled, keep_open: wanted }: Input<'follow.set'>,
  { byOwner = false, hasPassword }: HandlerContext,
  before: Status,
  sessions: Sessions,
): boolean {
  if (!enabled) {
    if (wanted === true) throw badField('keep_open', 'is for as long as follow mode is on: it needs enabled');
    return false;
  }
  const isKept = wanted ?? before.keep_open;
  if (isKept && !before.keep_open && !byOwner && !hasPassword) {
    // Without a wallet there is no password.
    sessions.header();
    throw badField('password', 'is needed to turn keep_open on, since it turns auto-lock off');
  }
  return isKept;
}
