// GET / and /device, and the files they load, from memory. They are the companion's own pages on its own origin, so they bring
// policies of their own; everything else keeps the policy that lets no script run.

import type { DashboardFile } from '@wallet-companion/dashboard';
import type { Middleware } from 'koa';
import { CompanionError } from '../protocol/errors.ts';
import { refuseAnyBody } from './server/body.ts';

/** One route label for all these files in log and metrics. */
const ROUTE = '/';

export function dashboard(files: ReadonlyMap<string, DashboardFile>): Middleware {
  return async (context, next) => {
    const file = files.get(context.path);
    if (file === undefined) return next();
    context.state['route'] = ROUTE;
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      context.set('allow', 'GET, HEAD');
      throw new CompanionError('METHOD_NOT_ALLOWED', 'Use one of GET, HEAD here.');
    }
    refuseAnyBody(context);
    context.set('content-security-policy', file.policy);
    context.set('permissions-policy', file.permissions);
    // Browsers must revalidate each time: after an update an old page would talk to a newer companion.
    context.set('cache-control', 'no-cache');
    context.set('etag', file.etag);
    context.status = 200;
    if (context.fresh) {
      context.status = 304;
      return;
    }
    context.set('content-type', file.type);
    context.body = file.body;
  };
}
