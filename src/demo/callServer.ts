// The devnet's calls over HTTP: JSON on the loopback interface, behind the same request checks as the companion's,
// since a web page must not call the devnet either.
import { randomUUID } from 'node:crypto';
import { DevnetError, type ServeCalls } from '@wallet-companion/devnet';
import type { CallTable } from '@wallet-companion/devnet/calls';
import Koa, { type Middleware } from 'koa';
import { guard } from '../http/guard.ts';
import { bodyOf, readJson, refuseAnyBody, refuseOtherTypes } from '../http/server/body.ts';
import { listen } from '../http/server/listen.ts';
import { answerWithProblems } from '../http/server/problems.ts';
import { CompanionError, type FieldError } from '../protocol/errors.ts';
import { issueMessage } from '../protocol/issueMessage.ts';

/** Mining in the same process keeps the server from its sockets; that must not count against the client. */
const NEVER_HURRIES = { headersMs: 0, requestMs: 0, keepAliveMs: 0 } as const;

export const serveCalls: ServeCalls = ({ table, port, report }) => {
  const app = new Koa();
  const silent = () => undefined;
  app.use(
    answerWithProblems({
      logger: { debug: silent, info: silent, warn: silent, error: report },
      clock: () => 0,
      requestId: randomUUID,
    }),
  );
  app.use(inOwnWords);
  app.use(guard(() => false));
  app.use(answer(table));
  app.on('error', silent); // a client that left
  return listen({ app, port, requestId: randomUUID, ...NEVER_HURRIES });
};

/** The checks' messages mention the companion's configuration, which a devnet does not have; the devnet knows no codes. */
const inOwnWords: Middleware = async (_context, next) => {
  try {
    await next();
  } catch (thrown) {
    if (thrown instanceof CompanionError && thrown.code === 'ORIGIN_FORBIDDEN')
      throw new CompanionError('ORIGIN_FORBIDDEN', 'Web pages and extensions may not call the devnet.');
    throw toCompanionError(thrown);
  }
};

const answer =
  (table: CallTable): Middleware =>
  async (context) => {
    const { path } = context;
    const method = context.method === 'HEAD' ? 'GET' : context.method;
    const call = table.find(method, path);
    if (!call) {
      const methods = table.methodsOf(path);
      if (methods.length === 0)
        throw new CompanionError('NOT_FOUND', 'There is no such call; GET / lists them.');
      context.set('allow', methods.join(', '));
      throw new CompanionError('METHOD_NOT_ALLOWED', `Call ${path} with ${methods.join(' or ')}.`);
    }
    if (method === 'GET') refuseAnyBody(context);
    else {
      refuseOtherTypes(context);
      await readJson(context, async () => undefined);
    }
    const body = bodyOf(context);
    const input = method === 'GET' ? Object.fromEntries(new URLSearchParams(context.querystring)) : body;
    context.set('cache-control', 'no-store');
    context.body = JSON.stringify(table.run(call, input ?? {}));
    context.type = 'application/json';
  };

// What the devnet refuses, as the companion says it: its program and its calls over HTTP answer by the one taxonomy.
export function toCompanionError(thrown: unknown): unknown {
  if (!(thrown instanceof DevnetError)) return thrown;
  const { message, issues, cause } = thrown;
  if (issues.length === 0) return new CompanionError('INVALID_REQUEST', message, { cause });
  const errors = issues.map(
    (issue): FieldError => ({ path: issue.path.map(String).join('.'), message: issueMessage(issue) }),
  );
  const detail = `${errors.map((error) => `${error.path} ${error.message}`.trim()).join('; ')}.`;
  return new CompanionError('INVALID_REQUEST', detail, { errors });
}
