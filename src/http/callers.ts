// Who calls: found out once for each request, after the guard, from the token and the header that browsers set.

import type { Context, Middleware } from 'koa';
import type { AccessControl, Permit } from '../protocol/grants.ts';

export const identify =
  (access: AccessControl): Middleware =>
  (context, next) => {
    const { authorization, origin } = context.req.headers;
    context.state['permit'] = access.permitOf({ origin, token: tokenIn(authorization) });
    return next();
  };

export const permitOf = ({ state }: Pick<Context, 'state'>): Permit => state['permit'] as Permit;

/** RFC 6750, section 2.1. What is no such token is one that holds nowhere: it must not count as no token at all. */
function tokenIn(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return /^Bearer +([\w.~+/-]{1,512}=*) *$/i.exec(header)?.[1] ?? '';
}
