// GET /healthz and /readyz, for whatever keeps the companion running. The node is not asked, because a monitor that
// polls every second must not cause calls to somebody else's server.

import type { Middleware } from 'koa';
import { CompanionError } from '../protocol/errors.ts';
import type { Link } from '../protocol/link.ts';
import { unwrap } from '../protocol/result.ts';

/** Always 200 while the process answers. */
export const answerHealth =
  (link: Pick<Link, 'health'>): Middleware =>
  async (context) => {
    const report = await link.health();
    const up = report.wallet === 'up' && report.chain === 'up';
    context.set('cache-control', 'no-store');
    context.body = { status: up ? 'ok' : 'degraded', ...report };
  };

/** 503 with the reason while a thread is down or does not answer. */
export const answerReadiness =
  (link: Pick<Link, 'health' | 'dispatch'>): Middleware =>
  async (context) => {
    const report = await link.health();
    const down = (['wallet', 'chain'] as const).filter((thread) => report[thread] === 'down');
    if (down.length > 0) {
      throw new CompanionError(
        'THREAD_LOST',
        `Being restarted: the ${down.join(' and the ')} thread. Try again.`,
      );
    }
    unwrap(await link.dispatch('system.version', {}, { requestId: String(context.state['requestId']) }));
    context.set('cache-control', 'no-store');
    context.body = { status: 'ready' };
  };
