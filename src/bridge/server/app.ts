// The bridge's HTTP side: POST /<token>/<method>. The token stands in the place of the checks by Host and Origin, because
// BTCPay often comes from a container, under whatever name it knows this machine by.

import { CompanionError } from '@wallet-companion/client/contract';
import Koa, { type Middleware } from 'koa';
import { bodyOf, readJson, refuseOtherTypes } from '../../http/server/body.ts';
import { answerWithProblems } from '../../http/server/problems.ts';
import type { Methods } from './methods.ts';
import { isSame } from './token.ts';

export function bridgeApp({
  token,
  methods,
  requestId,
  report,
}: {
  readonly token: string;
  readonly methods: Methods;
  readonly requestId: () => string;
  readonly report: (text: string) => void;
}): Koa {
  const app = new Koa();
  const silent = () => undefined;
  const error = (fields: object, message: string) => report(`${message} ${JSON.stringify(fields)}`);
  app.use(
    answerWithProblems({
      logger: { debug: silent, info: silent, warn: silent, error },
      clock: () => 0,
      requestId,
    }),
  );
  app.use(answer(token, methods));
  app.on('error', silent); // a client that left
  return app;
}

const answer =
  (token: string, methods: Methods): Middleware =>
  async (context) => {
    const [, given = '', name = '', ...more] = context.path.split('/');
    const method = more.length === 0 ? methods.get(name) : undefined;
    // The same for a wrong token as for a call that does not exist, and before the body is read.
    if (!isSame(token, given) || method === undefined)
      throw new CompanionError('NOT_FOUND', 'There is no such call.');
    if (context.method !== 'POST') {
      context.set('allow', 'POST');
      throw new CompanionError('METHOD_NOT_ALLOWED', 'Call it with POST.');
    }
    for (const step of [refuseOtherTypes, readJson]) await step(context, async () => undefined);
    context.set('cache-control', 'no-store');
    context.body = JSON.stringify(await method(bodyOf(context)));
    context.type = 'application/json';
  };
