// GET /metrics: the data that a monitor may read. No amounts, addresses, txids or note counts, because reading metrics
// needs no session.

import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import type { Context, Middleware } from 'koa';
import { type CallingGrant, callingGrant } from '../protocol/grants.ts';
import { READY_MODES } from '../protocol/httpOnly.ts';
import type { Dispatcher, HealthSource } from '../protocol/link.ts';
import { SERVERS } from '../protocol/operations/status.ts';
import type { Output } from '../protocol/operations.ts';
import { reasonsAgainst } from './readiness.ts';
import type { Sender } from './routes.ts';

/** Requests that matched no route. One label for all of them, so that unknown callers cannot create labels. */
const NO_ROUTE = 'none';
const PREFIX = 'wallet_companion_';

/** Counts answers by method, route and status. The outermost middleware. */
export class RequestCounter {
  readonly #counts = new Map<string, { labels: Record<string, string>; value: number }>();

  readonly count: Middleware = async (context, next) => {
    await next();
    const known: unknown = context.state['route'];
    const route = typeof known === 'string' ? known : NO_ROUTE;
    const labels = { method: context.method, route, status: String(context.status) };
    const key = Object.values(labels).join(' ');
    const entry = this.#counts.get(key) ?? { labels, value: 0 };
    entry.value += 1;
    this.#counts.set(key, entry);
  };

  get samples(): readonly Sample[] {
    return [...this.#counts.values()];
  }
}

export type FreeDiskBytes = () => Promise<number | undefined>;

export interface MetricsSources {
  readonly link: Dispatcher & HealthSource;
  readonly requests: RequestCounter;
  readonly streams: { readonly count: number };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly freeDiskBytes: FreeDiskBytes;
}

export function answerMetrics(sources: MetricsSources) {
  return async (context: Context, { permit }: Sender): Promise<void> => {
    const grant = callingGrant(permit);
    const metrics = await collect(sources, String(context.state['requestId']), grant);
    context.set('cache-control', 'no-store');
    context.set('content-type', PROMETHEUS_TYPE);
    context.body = prometheusText(metrics);
  };
}

async function collect(
  { link, requests, streams, now, freeDiskBytes }: MetricsSources,
  requestId: string,
  grant: CallingGrant | undefined,
): Promise<Metric[]> {
  const { wallet, chain, kernel, restarts } = await link.health();
  const caller = { requestId, ...(grant === undefined ? {} : { grant }) };
  const [version, walletStatus, syncStatus, serverStatus, listed, hooks, freeBytes] = await Promise.all([
    link.dispatch('system.version', {}, { requestId }),
    link.dispatch('wallet.status', {}, { requestId }),
    link.dispatch('sync.status', {}, { requestId }),
    // Reading the metrics must not send a request to a server.
    link.dispatch('system.status', { known: true }, caller),
    link.dispatch('wallets.list', {}, caller),
    link.dispatch('hooks.list', {}, { requestId }),
    freeDiskBytes(),
  ]);
  const wallets = listed.ok ? listed.value.wallets : [];
  const others = wallets.filter(({ name }) => name !== DEFAULT_WALLET);
  // A grant's list has its own.
  const isShown = (wallet: string): boolean =>
    grant === undefined || wallets.some(({ name }) => name === wallet);
  const hasDefault = isShown(DEFAULT_WALLET);
  const status = walletStatus.ok && hasDefault ? walletStatus.value : undefined;
  const sync = syncStatus.ok && hasDefault ? syncStatus.value : undefined;
  const servers = serverStatus.ok ? serverStatus.value : undefined;
  const threads = (values: Record<'wallet' | 'chain', number>): Sample[] =>
    Object.entries(values).map(([thread, value]) => ({ labels: { thread }, value }));
  return [
    counter('http_requests_total', 'Requests answered over HTTP.', requests.samples),
    gauge('event_streams', 'Open event streams.', [{ value: streams.count }]),
    gauge(
      'thread_up',
      '1 while the thread runs.',
      threads({ wallet: is(wallet, 'up'), chain: is(chain, 'up') }),
    ),
    counter('thread_restarts_total', 'Threads lost and started again.', threads(restarts)),
    gauge(
      'build_info',
      'The version of the program.',
      version.ok ? [{ labels: { version: version.value.version }, value: 1 }] : [],
    ),
    gauge(
      'kernel_info',
      'The trial-decryption kernel in use.',
      kernel === null ? [] : [{ labels: { variant: kernel.variant }, value: 1 }],
    ),
    gauge(
      'ready',
      '1 while /readyz with this mode would say so.',
      hasDefault ? readiness(wallet, chain, status, sync, servers) : [],
    ),
    gauge(
      'server_up',
      '1 while the configured server answers on our network and is not behind; absent before it was asked.',
      serversUp(servers),
    ),
    gauge('server_tip_height', "The server's tip as last seen.", serverTips(servers)),
    gauge(
      'last_block_age_seconds',
      'Since the highest tip was first seen by this run of the chain thread.',
      blockAge(servers, now()),
    ),
    ...peersMetrics(servers),
    ...walletMetrics(status, others),
    ...syncMetrics(sync),
    gauge(
      'hook_failures',
      'Tries that failed since that hook last delivered for that wallet.',
      (hooks.ok ? hooks.value.hooks : [])
        .filter(({ wallet: of }) => isShown(of))
        .map(({ name: hook, wallet, failures: value }) => ({
          labels: { hook, wallet },
          value,
        })),
    ),
    gauge(
      'disk_free_bytes',
      'Free for the companion on the disk with its data directory.',
      optional(freeBytes, (bytes) => bytes),
    ),
    ...processMetrics(),
  ];
}

const walletMetrics = (
  status: Output<'wallet.status'> | undefined,
  others: Output<'wallets.list'>['wallets'],
): Metric[] => [
  gauge(
    'wallet_exists',
    '1 where there is a wallet.',
    optional(status, ({ exists }) => Number(exists)),
  ),
  gauge(
    'wallet_unlocked',
    '1 while a session is open.',
    optional(status, ({ unlocked }) => Number(unlocked)),
  ),
  gauge(
    'other_wallet_unlocked',
    '1 while a session of that wallet is open. What names no wallet here is of the default one.',
    others.map(({ name: wallet, unlocked }) => ({ labels: { wallet }, value: Number(unlocked) })),
  ),
  gauge(
    'other_wallet_syncing',
    '1 while a scan for that wallet runs.',
    others.map(({ name: wallet, syncing }) => ({ labels: { wallet }, value: Number(syncing) })),
  ),
  gauge(
    'other_wallet_last_scan_height',
    'Highest block scanned for that wallet; absent where it is not known.',
    others.flatMap(({ name: wallet, last_scan_height: value }) =>
      value === null ? [] : [{ labels: { wallet }, value }],
    ),
  ),
];

const syncMetrics = (sync: Output<'sync.status'> | undefined): Metric[] => [
  gauge(
    'syncing',
    '1 while a scan runs.',
    optional(sync, ({ syncing }) => Number(syncing)),
  ),
  gauge(
    'last_scan_failed',
    '1 while the last scan to end has failed.',
    optional(sync, ({ last_error }) => Number(last_error !== null)),
  ),
  gauge(
    'last_scan_height',
    'Highest block scanned.',
    optional(sync, (known) => known.last_scan_height),
  ),
  gauge(
    'chain_tip_height',
    'Chain tip as last seen.',
    optional(sync?.chain_tip, (height) => height),
  ),
  gauge(
    'sync_blocks_scanned',
    'Blocks the running scan has done.',
    optional(sync?.progress, ({ blocks_scanned }) => blocks_scanned),
  ),
  gauge(
    'sync_blocks_total',
    'Blocks the running scan is to do.',
    optional(sync?.progress, ({ blocks_total }) => blocks_total),
  ),
];

const processMetrics = (): Metric[] => [
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    type: 'gauge',
    samples: [{ value: process.memoryUsage.rss() }],
  },
  {
    name: 'process_cpu_seconds_total',
    help: 'Processor time used.',
    type: 'counter',
    samples: [{ value: cpuSeconds() }],
  },
];

type Servers = Output<'system.status'>;

function peersMetrics(servers: Servers | undefined): Metric[] {
  const { peers } = servers ?? {};
  const isOn = peers !== undefined && peers.state !== 'off';
  return [
    gauge(
      'peers',
      'Connected peers of the network; absent where they are off.',
      isOn ? [{ value: peers.connected }] : [],
    ),
    gauge(
      'peers_current',
      '1 while they show the chain of most work up to now.',
      isOn ? [{ value: is(peers.state, 'current') }] : [],
    ),
    gauge(
      'peers_height',
      'Height of the chain of most work.',
      optional(peers?.height, (height) => height),
    ),
    gauge(
      'peers_bytes_today',
      'Sent to and received from peers since midnight, UTC.',
      isOn ? [{ value: peers.bytes_today }] : [],
    ),
  ];
}

/** While a thread does not answer, no mode is ready, `alive` included. */
function readiness(
  walletThread: string,
  chainThread: string,
  wallet: Output<'wallet.status'> | undefined,
  sync: Output<'sync.status'> | undefined,
  servers: Servers | undefined,
): Sample[] {
  const known = wallet && sync && servers && { wallet, sync, servers };
  const isAlive = walletThread === 'up' && chainThread === 'up' && known !== undefined;
  return READY_MODES.map((mode) => ({
    labels: { mode },
    value: Number(isAlive && reasonsAgainst(mode, known).length === 0),
  }));
}

const serversUp = (servers: Servers | undefined): Sample[] =>
  SERVERS.flatMap((server) => {
    const state = servers?.[server].state ?? 'unknown';
    return state === 'unknown' ? [] : [{ labels: { server }, value: is(state, 'up') }];
  });

const serverTips = (servers: Servers | undefined): Sample[] =>
  SERVERS.flatMap((server) =>
    optional(servers?.[server].tip_height, (height) => height).map((tip) => ({ ...tip, labels: { server } })),
  );

function blockAge(servers: Servers | undefined, nowMs: number): Sample[] {
  const risen = SERVERS.flatMap((server) => {
    const { tip_height: height = null, tip_risen_at: at = null } = servers?.[server] ?? {};
    return height === null || at === null ? [] : [{ height, at: Date.parse(at) }];
  });
  const highest = Math.max(...risen.map(({ height }) => height));
  // Two servers report the same block at different times.
  const first = Math.min(...risen.filter(({ height }) => height === highest).map(({ at }) => at));
  return risen.length === 0 ? [] : [{ value: Math.max(0, Math.round((nowMs - first) / 1000)) }];
}

const is = (state: string, wanted: string): number => Number(state === wanted);

const optional = <T>(known: T | null | undefined, read: (known: T) => number): Sample[] =>
  known === null || known === undefined ? [] : [{ value: read(known) }];

const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name: PREFIX + name,
  help,
  type: 'gauge',
  samples,
});

const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name: PREFIX + name,
  help,
  type: 'counter',
  samples,
});

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

// The Prometheus text format, version 0.0.4, as far as the companion uses it.
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics without samples are left out. */
export const prometheusText = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .map(
      ({ name, help, type, samples }) =>
        `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((sample) => line(name, sample)).join('')}`,
    )
    .join('');

function line(name: string, { labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
