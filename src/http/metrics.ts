// GET /metrics: what a monitor may know. No amounts, addresses, txids or note counts, because reading metrics needs no
// session.

import type { Middleware } from 'koa';
import type { Link } from '../protocol/link.ts';
import { type Metric, PROMETHEUS_TYPE, prometheusText, type Sample } from './prometheusText.ts';

/** Requests that matched no route. One label for all of them, so that strangers cannot create labels. */
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

export interface MetricsSources {
  readonly link: Pick<Link, 'dispatch' | 'health'>;
  readonly requests: RequestCounter;
  readonly streams: { readonly count: number };
}

export function answerMetrics(sources: MetricsSources): Middleware {
  return async (context) => {
    const metrics = await collect(sources, String(context.state['requestId']));
    context.set('cache-control', 'no-store');
    context.set('content-type', PROMETHEUS_TYPE);
    context.body = prometheusText(metrics);
  };
}

async function collect({ link, requests, streams }: MetricsSources, requestId: string): Promise<Metric[]> {
  const { wallet, chain, kernel, restarts } = await link.health();
  const [walletStatus, syncStatus] = await Promise.all([
    link.dispatch('wallet.status', {}, { requestId }),
    link.dispatch('sync.status', {}, { requestId }),
  ]);
  const status = walletStatus.ok ? walletStatus.value : undefined;
  const sync = syncStatus.ok ? syncStatus.value : undefined;
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
      'kernel_info',
      'The trial-decryption kernel in use.',
      kernel === null ? [] : [{ labels: { variant: kernel.variant }, value: 1 }],
    ),
    gauge(
      'wallet_unlocked',
      '1 while a session is open.',
      optional(status, ({ unlocked }) => Number(unlocked)),
    ),
    gauge(
      'syncing',
      '1 while a scan runs.',
      optional(sync, ({ syncing }) => Number(syncing)),
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
