// GET /healthz, for supervisors that keep the companion running.

import type { Context } from 'koa';
import type { HealthSource } from '../protocol/link.ts';

/** Always 200 while the process answers. */
export const answerHealth =
  (link: HealthSource) =>
  async (context: Context): Promise<void> => {
    const report = await link.health();
    const up = report.wallet === 'up' && report.chain === 'up';
    context.set('cache-control', 'no-store');
    context.body = { status: up ? 'ok' : 'degraded', ...report };
  };
