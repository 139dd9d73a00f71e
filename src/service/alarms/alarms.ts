// Tells once when something goes wrong that nobody asks about, and once when it is over: a wallet that follows the chain
// hears of no new block, or the disk fills. Looks at what is known, and asks no server.

import type { CompanionEvent, EventBody } from '../../protocol/events.ts';
import type { Dispatcher } from '../../protocol/link.ts';
import type { Output } from '../../protocol/operations.ts';

/** The disk must have so much more than the limit before it counts as freed: else a scan would tell it again and again. */
const FREED = 1.1;
const FOLLOWS: readonly Output<'follow.get'>['state'][] = ['scanning', 'caught_up', 'backing_off'];

type Servers = Output<'system.status'>;
/** What is known of a source of blocks. */
type Source = Pick<Servers['node'], 'state' | 'since' | 'tip_height' | 'tip_risen_at'>;

export interface AlarmsEnvironment {
  readonly link: Dispatcher;
  /** An event of the companion as a whole, or of one wallet. */
  readonly emitToAll: (event: CompanionEvent) => void;
  readonly emit: (event: CompanionEvent, wallet: string) => void;
  /** Undefined where the system does not say. */
  readonly freeDiskBytes: () => Promise<number | undefined>;
  readonly requestId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** As the settings are now. 0: never. */
  readonly limits: () => { readonly disk_low_bytes: number; readonly behind_after_seconds: number };
}

export class Alarms {
  readonly #environment: AlarmsEnvironment;
  readonly #behind = new Set<string>();
  #peers: Source | undefined;
  #isDiskLow = false;
  #isChecking = false;

  constructor(environment: AlarmsEnvironment) {
    this.#environment = environment;
  }

  /** Never rejects. Does nothing while an earlier check runs. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    await Promise.all([this.#checkDisk(), this.#checkWallets()]).finally(() => {
      this.#isChecking = false;
    });
  }

  async #checkDisk(): Promise<void> {
    const { limits, freeDiskBytes, emitToAll } = this.#environment;
    const { disk_low_bytes: limit } = limits();
    const free = limit === 0 ? undefined : await freeDiskBytes();
    if (free === undefined) return;
    const low = free < (this.#isDiskLow ? limit * FREED : limit);
    if (low === this.#isDiskLow) return;
    this.#isDiskLow = low;
    emitToAll({ event: 'disk.low', data: { low, free_bytes: free, limit_bytes: limit } });
  }

  async #checkWallets(): Promise<void> {
    const { link, limits, requestId } = this.#environment;
    if (limits().behind_after_seconds === 0) return;
    const [listed, servers] = await Promise.all([
      link.dispatch('wallets.list', {}, { requestId: requestId() }),
      link.dispatch('system.status', { known: true }, { requestId: requestId() }),
    ]);
    if (!listed.ok || !servers.ok) return;
    const open = listed.value.wallets.filter(({ unlocked }) => unlocked);
    const { node, compact_server: compact, peers } = servers.value;
    const sources = { node, compact, peers: this.#seenOf(peers) };
    await Promise.all(open.map(({ name }) => this.#checkWallet(name, sources)));
  }

  /** Their status has no times: each look compares them with the one before. */
  #seenOf({ state: known, height }: Servers['peers']): Source {
    const before = this.#peers;
    const now = new Date(this.#environment.now()).toISOString();
    const state = known === 'off' || known === 'connecting' ? 'lost' : 'up';
    this.#peers = {
      state,
      since: before?.state === state ? before.since : now,
      tip_height: height,
      tip_risen_at: before?.tip_height === height ? before.tip_risen_at : now,
    };
    return this.#peers;
  }

  async #checkWallet(
    name: string,
    sources: Readonly<Record<Output<'follow.get'>['source'], Source>>,
  ): Promise<void> {
    const { link, emit, requestId } = this.#environment;
    const context = { requestId: requestId(), byService: true, wallet: name };
    const follow = await link.dispatch('follow.get', {}, context);
    if (!follow.ok || !FOLLOWS.includes(follow.value.state)) return;
    const found = this.#foundOf(sources[follow.value.source]);
    if (found === undefined || found.behind === this.#behind.has(name)) return;
    if (found.behind) this.#behind.add(name);
    else this.#behind.delete(name);
    emit({ event: 'wallet.behind', data: found }, name);
  }

  /** Undefined while nothing is known of the server. */
  #foundOf(server: Source): EventBody<'wallet.behind'> | undefined {
    const { now, limits } = this.#environment;
    const isUp = server.state === 'up';
    const since = isUp ? server.tip_risen_at : server.since;
    if (server.state === 'unknown' || since === null) return undefined;
    const behind = now() - Date.parse(since) >= limits().behind_after_seconds * 1000;
    // A server that was away for a moment does not end what has begun.
    if (!behind && !isUp) return undefined;
    const reason = isUp ? 'old_tip' : 'server_away';
    return { behind, reason: behind ? reason : null, tip_height: server.tip_height, since };
  }
}
