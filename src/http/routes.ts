// One route for each operation of the table. A route parses, dispatches and prints; it contains no decisions.

import Router from '@koa/router';
import { DEFAULT_WALLET, pathInWallet, pathMembers } from '@wallet-companion/client/contract';
import type { Context, Middleware } from 'koa';
import { badField, CompanionError } from '../protocol/errors.ts';
import { type AccessControl, callingGrant, type Permit, requireReach } from '../protocol/grants.ts';
import {
  type HttpOnlyPath,
  type HttpOnlyRoute,
  httpOnlyPaths,
  httpOnlyRoutes,
} from '../protocol/httpOnly.ts';
import { inputLimit, LongInputs } from '../protocol/inputLimits.ts';
import { encodeJson, jsonLink } from '../protocol/jsonCalls.ts';
import type { JsonLink, Link } from '../protocol/link.ts';
import {
  accessRequest,
  type CallContext,
  isOfWallet,
  type OperationName,
  operationNames,
  operations,
  parseInput,
  waitsForServer,
} from '../protocol/operations.ts';
import { membersIn, routerPath, withPathMembers } from '../protocol/pathMembers.ts';
import { unwrap } from '../protocol/result.ts';
import { inputFromText } from '../protocol/textInput.ts';
import { splitWalletPath, WALLET_PARAMETER } from '../protocol/walletPaths.ts';
import { answerBytes, readBytes } from './bytes.ts';
import { CallerShares } from './callerShares.ts';
import { permitOf } from './callers.ts';
import { answerFile, fileFor } from './files.ts';
import { refuseAnyBody, refuseOtherTypes } from './server/body.ts';
import { walletIn, wantedWallet } from './walletPath.ts';

const EVENTS_PATH = '/api/events';

type Fields = Record<string, unknown>;

/** The answers of the paths besides the operations. */
export type OtherAnswers = Readonly<Record<HttpOnlyPath, Middleware>>;

export function routes(
  link: Link & Partial<JsonLink>,
  access: AccessControl,
  others: OtherAnswers,
): readonly Middleware[] {
  // Exact paths only, because two spellings of one resource would be two keys for caches and logs.
  const router = new Router({ strict: true, sensitive: true });
  const wallets = jsonLink(link);
  const longInputs = new LongInputs();
  const places = new CallerShares(MOST_WAITING, MOST_WAITING_OF_OWN_PAGES);
  for (const name of operationNames) {
    const { http } = operations[name];
    const isWallets = operations[name].actor === 'wallet';
    // With every POST may come a password.
    const answer =
      isWallets || http.method === 'POST'
        ? bytesHandler(wallets, access, name, longInputs, places)
        : operationHandler(link, access, name, places);
    for (const route of routesOf(name)) {
      const path = routerPath(route);
      const isMeant = onlyOf(route);
      if (http.method === 'GET') router.get(path, isMeant, refuseAnyBody, answer);
      else router.post(path, isMeant, refuseOtherTypes, answer);
    }
  }
  for (const path of httpOnlyPaths) {
    const { operationId, reach, ofWallet } = httpOnlyRoutes[path] as HttpOnlyRoute;
    const checked: Middleware = (context, next) => {
      context.state['route'] = routeOf(context, path);
      const wallet = ofWallet === undefined ? null : (wantedWallet(context, ofWallet) ?? DEFAULT_WALLET);
      return access.during(permitOf(context), { name: operationId, reach, wallet }, next);
    };
    router.get(path, refuseAnyBody, checked, others[path]);
    if (path === EVENTS_PATH)
      router.get(routerPath(pathInWallet(path, WALLET_PARAMETER)), refuseAnyBody, checked, others[path]);
  }
  return [router.routes() as unknown as Middleware, refuseUnmatched];
}

/** Requests and answers that carry passwords, phrases and memos pass through as bytes, and are wiped once they are sent. */
const bytesHandler = (
  link: JsonLink,
  access: AccessControl,
  name: OperationName,
  longInputs: LongInputs,
  places: CallerShares,
): Middleware => {
  const call: Call = async (context, query, caller, again) => {
    const { body, done } =
      query === undefined
        ? await readBytes(context.req, inputLimit(name), longInputs)
        : { body: encodeJson(parseInput(name, query)), done: () => undefined };
    const from = query === undefined ? orWipe(body, done, () => withMembers(again(), context, name)) : caller;
    const output = unwrap(await link.dispatchJson(name, body, from).finally(done));
    const file = fileFor(context, name, output);
    if (file === undefined) return () => answerBytes(context, output);
    const isOnePage = query === undefined || 'cursor' in query || 'limit' in query;
    const nextPage = async (cursor: string): Promise<Uint8Array> =>
      unwrap(await link.dispatchJson(name, encodeJson(parseInput(name, { ...query, cursor })), caller));
    return () => answerFile(context, file, output, isOnePage ? undefined : nextPage);
  };
  return handler(name, call, access, places);
};

/** For what is no secret: a GET to another actor than the wallet's. */
const operationHandler = (
  link: Link,
  access: AccessControl,
  name: OperationName,
  places: CallerShares,
): Middleware => {
  const call: Call = async (context, query, caller) => {
    const input = parseInput(name, query);
    const output = unwrap(await link.dispatch(name, input, caller));
    return () => {
      context.body = output;
    };
  };
  return handler(name, call, access, places);
};

/** `query`: the input of a GET, with the members from the path; a POST has its own in the body. The result prints the answer. */
type Call = (
  context: Context,
  query: Fields | undefined,
  caller: CallContext,
  /** The caller as it is now. Throws where the call is not open to it any more: a body may be long on its way. */
  again: () => CallContext,
) => Promise<() => void>;

function orWipe<T>(body: Uint8Array, done: () => void, work: () => T): T {
  try {
    return work();
  } catch (error) {
    body.fill(0);
    done();
    throw error;
  }
}

/** The limit of running requests for operations that wait for a server: a silent server must not block all connections. */
const MOST_WAITING = 24;
const MOST_WAITING_OF_OWN_PAGES = 8;

function handler(name: OperationName, call: Call, access: AccessControl, places: CallerShares): Middleware {
  const { http } = operations[name];
  return async (context) => {
    context.state['route'] = routeOf(context, http.path);
    const permit = permitOf(context);
    const caller = callerOf(context, permit);
    const asked = accessRequest(name, caller.wallet);
    const again = (): CallContext => {
      const now = access.renewed(permit);
      requireReach(now, asked);
      return callerOf(context, now);
    };
    const print = await access.during(permit, asked, async () => {
      const query = queryInput(context, name);
      if (http.method === 'POST') refuseQuery(query);
      const input = http.method === 'GET' ? withPathMembers(query, membersOf(context, name)) : undefined;
      const giveBack = waitsForServer(name) ? placeIn(places, context) : undefined;
      try {
        return await call(context, input as Fields | undefined, caller, again);
      } finally {
        giveBack?.();
      }
    });
    // Caches must not store a wallet's answers.
    context.set('cache-control', 'no-store');
    print();
    if (http.status !== undefined) context.status = http.status;
  };
}

function placeIn(places: CallerShares, context: Context): () => void {
  const giveBack = places.take(context);
  if (giveBack !== undefined) return giveBack;
  const detail = 'Many requests of yours wait for servers already; try again when one of them is answered.';
  throw new CompanionError('BUSY', detail, { retryAfterSeconds: 1 });
}

function callerOf(context: Context, permit: Permit): CallContext {
  const { req, state } = context;
  const { origin } = req.headers;
  const wallet = walletIn(context);
  const grant = callingGrant(permit);
  return {
    requestId: String(state['requestId']),
    ...(origin === undefined ? {} : { origin }),
    ...(grant === undefined ? {} : { grant }),
    ...(wallet === undefined ? {} : { wallet }),
  };
}

/** The input members in the path; undefined where the route has none. */
function membersOf(context: Context, name: OperationName): Fields | undefined {
  const { path } = operations[name].http;
  if (pathMembers(path).length === 0) return undefined;
  const inWallet = splitWalletPath(context.path)?.path ?? context.path;
  return inputFromText(name, Object.entries(membersIn(path, inWallet) ?? {}));
}

function withMembers(caller: CallContext, context: Context, name: OperationName): CallContext {
  const inPath = membersOf(context, name);
  return inPath === undefined ? caller : { ...caller, inPath };
}

/** The route's label for counters: unknown callers choose names in paths, and must not create labels. */
const routeOf = ({ path }: Context, route: string): string =>
  splitWalletPath(path) === undefined ? route : pathInWallet(route, WALLET_PARAMETER);

function queryInput(context: Context, name: OperationName): Fields {
  const parameters = new URLSearchParams(context.querystring);
  const twice = [...parameters.keys()].find((key) => parameters.getAll(key).length > 1);
  if (twice !== undefined) {
    throw badField(twice, 'is given more than once', 'A query parameter was given more than once.');
  }
  return inputFromText(name, parameters);
}

function refuseQuery(query: Fields): void {
  const paths = Object.keys(query);
  if (paths.length === 0) return;
  throw new CompanionError('INVALID_REQUEST', 'Give the fields in the JSON body, not as query parameters.', {
    errors: paths.map((path) => ({ path, message: 'is not a known query parameter' })),
  });
}

const routesOf = (name: OperationName): readonly string[] => {
  const { path } = operations[name].http;
  return isOfWallet(name) ? [path, pathInWallet(path, WALLET_PARAMETER)] : [path];
};

function methodsByRoute(): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>(httpOnlyPaths.map((path) => [path, ['GET']]));
  for (const name of operationNames) {
    const { method } = operations[name].http;
    for (const route of routesOf(name)) methods.set(route, [...(methods.get(route) ?? []), method]);
  }
  methods.set(pathInWallet(EVENTS_PATH, WALLET_PARAMETER), ['GET']);
  const withImplied = (known: readonly string[]) => [
    ...known,
    ...(known.includes('GET') ? ['HEAD'] : []),
    'OPTIONS',
  ];
  return new Map([...methods].map(([path, known]) => [path, withImplied(known)]));
}

const KNOWN_ROUTES = methodsByRoute();
/** Wallet names are no members: they are read separately. */
const ROUTES_WITH_MEMBERS = [...KNOWN_ROUTES.keys()].filter(
  (route) => pathMembers(route.replace(WALLET_PARAMETER, '')).length > 0,
);

/** The route of a path: an exact one takes precedence over one with members. */
function knownRoute(context: Context): string | undefined {
  const literal = routeOf(context, splitWalletPath(context.path)?.path ?? context.path);
  if (KNOWN_ROUTES.has(literal)) return literal;
  return ROUTES_WITH_MEMBERS.find((route) => membersIn(route, context.path) !== undefined);
}

/** The router takes the first route that matches path and method, even if the path belongs to another route. */
const onlyOf =
  (route: string): Middleware =>
  (context, next) =>
    knownRoute(context) === route ? next() : refuseUnmatched(context, next);

const refuseUnmatched: Middleware = (context) => {
  const route = knownRoute(context);
  const allowed = route === undefined ? undefined : KNOWN_ROUTES.get(route);
  if (route === undefined || allowed === undefined)
    throw new CompanionError('NOT_FOUND', 'There is nothing at this path.');
  walletIn(context);
  context.state['route'] = route;
  context.set('allow', allowed.join(', '));
  if (context.method !== 'OPTIONS') {
    throw new CompanionError('METHOD_NOT_ALLOWED', `Use one of ${allowed.join(', ')} here.`);
  }
  context.status = 204;
};
