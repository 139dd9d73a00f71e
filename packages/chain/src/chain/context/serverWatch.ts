// What is known of one configured server from calls made for other reasons: whether it answers, on the right network,
// with which tip. Each change is reported once, not with every call.

import { type Height, timeTextOrNull } from '@wallet-companion/base/values';
import type { ErrorCode, Outputs } from '@wallet-companion/client/contract';
import type { ChainTip } from '../ports/types.ts';
import { ClockWatch } from './clockWatch.ts';
import type { ServerName } from './serverFailures.ts';

export type ServerView = Outputs['system.status']['node'];

/** The state that a failure shows; one that is not listed shows nothing, such as a missing block. */
const STATE_OF_FAILURE: Partial<Record<ErrorCode, ServerView['state']>> = {
  NODE_UNREACHABLE: 'lost',
  COMPACT_SERVER_UNREACHABLE: 'lost',
  UPSTREAM_TIMEOUT: 'lost',
  NODE_UNAUTHORIZED: 'refused',
  NETWORK_MISMATCH: 'wrong_network',
  CHAIN_OF_LESS_WORK: 'other_chain',
};

export type ServerChange = Pick<ServerView, 'state' | 'code'>;

export type SeenTip = Pick<ChainTip, 'height' | 'unknownUpgrade' | 'endOfSupport' | 'shown'>;

const UNKNOWN: ServerChange = { state: 'unknown', code: null };

export interface WatchReports {
  readonly changed: (change: ServerChange) => void;
  /** Another sentence about this computer's clock than before. */
  readonly clockWrong: (warning: string) => void;
}

export class ServerWatch {
  readonly #clock: () => number;
  readonly #reports: WatchReports;
  #url: string | undefined;
  #now: ServerChange = UNKNOWN;
  #since: number | undefined;
  #askedAt: number | undefined;
  #tip: { readonly height: Height; readonly risenAt: number } | undefined;
  #unknownUpgrade: Height | undefined;
  #endOfSupport: Height | undefined;
  readonly #clockWatch: ClockWatch;

  /** `clock`: milliseconds since 1970. */
  constructor(server: ServerName, clock: () => number, reports: WatchReports) {
    this.#clock = clock;
    this.#reports = reports;
    this.#clockWatch = new ClockWatch(server, reports.clockWrong);
  }

  /** Another address is another server: its state is unknown. */
  watch(url: string): void {
    if (this.#url === url) return;
    this.#url = url;
    this.#now = UNKNOWN;
    this.#since = undefined;
    this.#askedAt = undefined;
    this.#tip = undefined;
    this.#unknownUpgrade = undefined;
    this.#endOfSupport = undefined;
    this.#clockWatch.check(undefined, this.#clock());
  }

  isOf(url: string): boolean {
    return this.#url === url;
  }

  askedWithin(ms: number): boolean {
    if (this.#askedAt === undefined) return false;
    const age = this.#clock() - this.#askedAt;
    // A clock that was set back makes nothing fresh.
    return age >= 0 && age < ms;
  }

  /** `lowest`: a tip below it is behind what was scanned. */
  sawTip({ height, unknownUpgrade, endOfSupport, shown }: SeenTip, lowest: Height | null): void {
    this.#unknownUpgrade = unknownUpgrade;
    this.#endOfSupport = endOfSupport;
    const now = this.#clock();
    this.#askedAt = now;
    this.#clockWatch.check(shown, now);
    if (this.#tip === undefined || height !== this.#tip.height) this.#tip = { height, risenAt: now };
    const behind = lowest !== null && height < lowest;
    this.#become(behind ? { state: 'behind', code: 'NODE_BEHIND' } : { state: 'up', code: null });
  }

  sawFailure(code: ErrorCode): void {
    const state = STATE_OF_FAILURE[code];
    if (state === undefined) return;
    this.#askedAt = this.#clock();
    this.#become({ state, code });
  }

  view(): Omit<ServerView, 'support_warning'> {
    return {
      ...this.#now,
      since: timeTextOrNull(this.#since),
      asked_at: timeTextOrNull(this.#askedAt),
      tip_height: this.#tip?.height ?? null,
      tip_risen_at: timeTextOrNull(this.#tip?.risenAt),
      unknown_upgrade_height: this.#unknownUpgrade ?? null,
      end_of_support_height: this.#endOfSupport ?? null,
      clock_warning: this.#clockWatch.warning,
    };
  }

  #become(next: ServerChange): void {
    const { state } = this.#now;
    if (state === next.state) {
      this.#now = next;
      return;
    }
    this.#now = next;
    this.#since = this.#clock();
    this.#reports.changed(next);
  }
}
