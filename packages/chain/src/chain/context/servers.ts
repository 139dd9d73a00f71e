// The state of the two configured servers, and checks whether they answer now.

import { Patience } from '@wallet-companion/base/async';
import { blockTimeText, type Height } from '@wallet-companion/base/values';
import { type Outputs, toErrorRecord } from '@wallet-companion/client/contract';
import { secondsBetween } from '@wallet-companion/zcash/blockTimes';
import { MAIN } from '@wallet-companion/zcash/network';
import type { ChainSettings, ChainTip, ScannedHeight } from '../ports/types.ts';
import type { ChainEnvironment } from './chainEnvironment.ts';
import { ClockWatch } from './clockWatch.ts';
import { ofNamedServer, type ServerName, withOtherSource } from './serverFailures.ts';
import { type SeenTip, type ServerView, ServerWatch } from './serverWatch.ts';

/** Monitors ask every few seconds, each for itself; one request to the servers serves them all, and no more often. */
export const FRESH_MS = 30_000;

export type AskTips = Readonly<Record<ServerName, () => Promise<unknown>>>;

export interface AskedServer {
  readonly server: ServerName;
  readonly url: string;
  /** The caller may configure it as well. */
  readonly byOwner?: boolean | undefined;
}

export class Servers {
  readonly #watches: Readonly<Record<ServerName, ServerWatch>>;
  readonly #patience: Readonly<Record<ServerName, Patience>>;
  readonly #clock: () => number;
  readonly #leastTip: () => Height | null;
  readonly #clockWatch: ClockWatch;
  #settings: Pick<ChainSettings, 'network' | 'lastScanHeight' | 'otherSources'> | undefined;
  /** Of the highest scanned block, in seconds since 1970. */
  #scannedTime: number | null = null;

  /** `leastTip`: a server with a lower tip is behind the network's peers; null where they say nothing. */
  constructor(
    {
      clock = Date.now,
      reportServer = () => undefined,
      clockWrong = () => undefined,
      after,
    }: ChainEnvironment,
    leastTip: () => Height | null = () => null,
  ) {
    const watch = (server: ServerName) =>
      new ServerWatch(server, clock, {
        changed: (change) => reportServer({ server, ...change }),
        clockWrong,
      });
    this.#clock = clock;
    this.#leastTip = leastTip;
    this.#clockWatch = new ClockWatch('scan', clockWrong);
    this.#watches = { node: watch('node'), compact_server: watch('compact_server') };
    this.#patience = {
      node: new Patience(undefined, after),
      compact_server: new Patience(undefined, after),
    };
  }

  configure(settings: ChainSettings): void {
    this.#settings = settings;
    this.#watches.node.watch(settings.nodeUrl);
    this.#watches.compact_server.watch(settings.compactServerUrl);
    this.#scanned(settings);
  }

  walletScanned(scanned: ScannedHeight): void {
    const { lastScanHeight } = scanned;
    if (this.#settings !== undefined) this.#settings = { ...this.#settings, lastScanHeight };
    this.#scanned(scanned);
  }

  #scanned({ lastScanHeight, lastScanTime = this.#scannedTime }: ScannedHeight): void {
    this.#scannedTime = lastScanHeight === null ? null : lastScanTime;
    this.#checkClock();
  }

  /** A server that shows no time, or is wrong too, leaves what was scanned before. */
  #checkClock(): void {
    const time = this.#scannedTime;
    this.#clockWatch.check(time === null ? undefined : { by: 'block', at: time * 1000 }, this.#clock());
  }

  /** Observes the call's result. A call to another address than the configured one shows nothing. */
  async tip<T extends SeenTip & Pick<ChainTip, 'offline'>>(at: AskedServer, asked: Promise<T>): Promise<T> {
    this.#checkClock();
    const watch = this.#watchOf(at);
    const tip = await this.seen(at, asked);
    // The store answered in the server's place.
    if (tip.offline !== undefined) watch?.sawFailure(tip.offline.reason.code);
    else watch?.sawTip(tip, this.#lowest());
    return tip;
  }

  #lowest(): Height | null {
    const known = [this.#settings?.lastScanHeight, this.#leastTip()].filter((one) => typeof one === 'number');
    return known.length === 0 ? null : Math.max(...known);
  }

  /** The same for calls without a tip: they only show that the server is away. */
  async seen<T>(at: AskedServer, asked: Promise<T>): Promise<T> {
    return this.observed(
      at,
      asked.catch((error: unknown) => {
        this.#watchOf(at)?.sawFailure(toErrorRecord(error).code);
        throw error;
      }),
    );
  }

  /** Reports why a server fails, and the other source, only if it is the configured one, or to a caller who could configure another. */
  async observed<T>(at: AskedServer, asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (this.#watchOf(at) !== undefined)
        throw withOtherSource(at.server, error, this.#settings?.otherSources);
      throw at.byOwner === true ? error : ofNamedServer(at.server, error);
    }
  }

  async status(known: boolean, ask: AskTips): Promise<Omit<Outputs['system.status'], 'network' | 'peers'>> {
    if (!known)
      await Promise.all([this.#ask('node', ask.node), this.#ask('compact_server', ask.compact_server)]);
    this.#checkClock();
    const time = this.#scannedTime;
    return {
      last_scan_height: this.#settings?.lastScanHeight ?? null,
      last_scan_time: time === null ? null : blockTimeText(time),
      clock_warning: this.#clockWatch.warning,
      node: this.#view('node'),
      compact_server: this.#view('compact_server'),
    };
  }

  #view(server: ServerName): ServerView {
    const view = this.#watches[server].view();
    const tip = Math.max(view.tip_height ?? 0, this.#settings?.lastScanHeight ?? 0);
    return { ...view, support_warning: supportWarning(server, view.end_of_support_height, tip) };
  }

  /** Callers get their answer before a slow server does; its check goes on. */
  async #ask(server: ServerName, ask: () => Promise<unknown>): Promise<void> {
    if (this.#watches[server].askedWithin(FRESH_MS)) return;
    await this.#patience[server].within(ask).catch(() => undefined);
  }

  #watchOf({ server, url }: AskedServer): ServerWatch | undefined {
    const watch = this.#watches[server];
    return watch.isOf(url) ? watch : undefined;
  }
}

// What to do about a node whose version stops by itself, two weeks ahead.
const DAY_SECONDS = 86_400;
const WARNED_DAYS = 14;

const NODE: Readonly<Record<ServerName, string>> = {
  node: 'The node',
  compact_server: 'The node behind the compact server',
};

/** `end`: its last block; `tip`: the newest block that is known here. Null where there is nothing to say yet. */
function supportWarning(server: ServerName, end: Height | null, tip: Height): string | null {
  if (end === null) return null;
  if (tip > end)
    return `${NODE[server]} is past the end of its support, block ${end}, and stops by itself: install a newer version.`;
  const days = secondsBetween(MAIN.activation, tip, end) / DAY_SECONDS;
  if (days > WARNED_DAYS) return null;
  const when = days < 1 ? 'within a day' : `in about ${Math.round(days)} ${days < 1.5 ? 'day' : 'days'}`;
  return `${NODE[server]} stops by itself after block ${end}, ${when}: install a newer version before.`;
}
