// GET / and the files it loads, from memory. They are our own page on the companion's own origin, so they get a policy of
// their own and everything else keeps the one that lets nothing run.

import type { Middleware } from 'koa';
import { DASHBOARD_POLICY, type DashboardFile } from '../dashboard/files.ts';
import { CompanionError } from '../protocol/errors.ts';
import { refuseAnyBody } from './body.ts';

/** One label for all of them in log and metrics. */
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
    await refuseAnyBody(context, async () => {
      context.set('content-security-policy', DASHBOARD_POLICY);
      context.set(
        'permissions-policy',
        'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
      );
      // Asked for again each time: after an update the old page would speak to a newer companion.
      context.set('cache-control', 'no-cache');
      context.set('etag', file.etag);
      context.status = 200;
      if (context.fresh) {
        context.status = 304;
        return;
      }
      context.set('content-type', file.type);
      context.body = file.body;
    });
  };
}
