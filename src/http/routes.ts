// The way of a call over HTTP: its route is found once, then it is read, checked, called and written. It contains no decisions.

import Router from '@koa/router';
import { checkedWallet, DEFAULT_WALLET, pathInWallet, pathMembers } from '@wallet-companion/client/contract';
import type { Context, Middleware } from 'koa';
import { badField, CompanionError } from '../protocol/errors.ts';
import { type AccessControl, callingGrant, type Permit } from '../protocol/grants.ts';
import {
  type HttpOnlyPath,
  type HttpOnlyRoute,
  httpOnlyPaths,
  httpOnlyRoutes,
} from '../protocol/httpOnly.ts';
import { inputLimit, LongInputs } from '../protocol/inputLimits.ts';
import { encodeJson, jsonLink, withPathMembers } from '../protocol/jsonCalls.ts';
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
import { unwrap } from '../protocol/result.ts';
import { inputFromText } from '../protocol/textInput.ts';
import { answerBytes, readBytes } from './bytes.ts';
import { CallerShares } from './callerShares.ts';
import { answerFile, fileFor } from './files.ts';
import { refuseAnyBody, refuseOtherTypes } from './server/body.ts';

/** The placeholder for the name of a wallet, as documents have it. */
const WALLET_PARAMETER = '{wallet}';
/** The limit of running requests for operations that wait for a server: a silent server must not block all connections. */
const MOST_WAITING = 24;
const MOST_WAITING_OF_OWN_PAGES = 8;

type Fields = Readonly<Record<string, unknown>>;

/** Who sends a request, and about which wallet; undefined: the default one. */
export interface Sender {
  readonly permit: Permit;
  readonly wallet: string | undefined;
}

/** The answers of the paths besides the operations. */
export type OtherAnswers = Readonly<Record<HttpOnlyPath, (context: Context, sender: Sender) => unknown>>;

interface Front {
  readonly link: Link;
  readonly json: JsonLink;
  readonly access: AccessControl;
  readonly longInputs: LongInputs;
  readonly places: CallerShares;
}

// ---------------------------------------------------------------------------------------------------------------------
// The route

/** What the path names: a wallet other than the default one, and members of the input as they are written. */
interface Match {
  readonly wallet: string | undefined;
  readonly members: readonly (readonly [string, string])[];
}

type Answer = (context: Context, match: Match) => Promise<unknown>;
type Answers = ReadonlyMap<string, Answer>;

export function routes(
  link: Link & Partial<JsonLink>,
  access: AccessControl,
  others: OtherAnswers,
): readonly Middleware[] {
  const places = new CallerShares(MOST_WAITING, MOST_WAITING_OF_OWN_PAGES);
  const front: Front = { link, json: jsonLink(link), access, longInputs: new LongInputs(), places };
  const table = new Map<string, Map<string, Answer>>();
  const add = (route: string, isInWallets: boolean, method: string, answer: Answer): void => {
    for (const path of isInWallets ? [route, pathInWallet(route, WALLET_PARAMETER)] : [route])
      table.set(path, (table.get(path) ?? new Map()).set(method, answer));
  };
  for (const name of operationNames) {
    const { path, method } = operations[name].http;
    add(path, isOfWallet(name), method, operationAnswer(name, front));
  }
  for (const path of httpOnlyPaths) {
    const route: HttpOnlyRoute = httpOnlyRoutes[path];
    add(path, route.ofWallet === 'path', 'GET', otherAnswer(route, others[path], access));
  }
  // Exact paths only, because two spellings of one resource would be two keys for caches and logs.
  const router = new Router({ strict: true, sensitive: true });
  // The first route that matches has the path, whatever its methods: one with members comes after an exact one.
  const inOrder = [...table].sort(([a], [b]) => membersOf(a).length - membersOf(b).length);
  for (const [route, answers] of inOrder)
    router.all(route.replaceAll(/\{(\w+)\}/g, ':$1'), routeAnswer(route, answers));
  return [router.routes() as unknown as Middleware, refuseUnmatched];
}

/** The name of a wallet is no member of the input. */
const membersOf = (route: string): readonly string[] => pathMembers(route.replace(WALLET_PARAMETER, ''));

function routeAnswer(route: string, answers: Answers): Middleware {
  const members = membersOf(route);
  const isInWallet = route.includes(WALLET_PARAMETER);
  const allowed = [...answers.keys(), ...(answers.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return async (context) => {
    // The label for counters: unknown callers choose names in paths, and must not create labels.
    context.state['route'] = route;
    // As they are written: a segment has one spelling.
    const captures: readonly string[] = context['captures'];
    const wallet = isInWallet ? checkedWallet(captures[0]) : undefined;
    const texts = isInWallet ? captures.slice(1) : captures;
    const { method } = context;
    const answer = answers.get(method === 'HEAD' ? 'GET' : method);
    if (answer !== undefined) {
      await answer(context, { wallet, members: members.map((name, i) => [name, texts[i] ?? '']) });
      return;
    }
    context.set('allow', allowed);
    if (method !== 'OPTIONS') throw new CompanionError('METHOD_NOT_ALLOWED', `Use one of ${allowed} here.`);
    context.status = 204;
  };
}

function refuseUnmatched(): never {
  throw new CompanionError('NOT_FOUND', 'There is nothing at this path.');
}

// ---------------------------------------------------------------------------------------------------------------------
// The caller

function permitOf(access: AccessControl, { req }: Context): Permit {
  const { authorization, origin } = req.headers;
  return access.permitOf({ origin, token: tokenIn(authorization) });
}

/** RFC 6750, section 2.1. What is no such token is one that holds nowhere: it must not count as no token at all. */
function tokenIn(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return /^Bearer +([\w.~+/-]{1,512}=*) *$/i.exec(header)?.[1] ?? '';
}

function callerOf({ req, state }: Context, { permit, wallet }: Sender): CallContext {
  const { origin } = req.headers;
  const grant = callingGrant(permit);
  return {
    requestId: String(state['requestId']),
    ...(origin === undefined ? {} : { origin }),
    ...(grant === undefined ? {} : { grant }),
    ...(wallet === undefined ? {} : { wallet }),
  };
}

const otherAnswer =
  (
    { operationId, reach, ofWallet }: HttpOnlyRoute,
    answer: OtherAnswers[HttpOnlyPath],
    access: AccessControl,
  ): Answer =>
  async (context, match) => {
    refuseAnyBody(context);
    const permit = permitOf(access, context);
    const wallet = ofWallet === 'query' ? checkedWallet(context.query['wallet']) : match.wallet;
    const asked = {
      name: operationId,
      reach,
      wallet: ofWallet === undefined ? null : (wallet ?? DEFAULT_WALLET),
    };
    await access.during(permit, asked, async () => answer(context, { permit, wallet }));
  };

// ---------------------------------------------------------------------------------------------------------------------
// Read, check, call, write

/** Writes the answer. */
type Write = () => void;

function operationAnswer(name: OperationName, front: Front): Answer {
  const { actor, http } = operations[name];
  const { access } = front;
  const isGet = http.method === 'GET';
  // Only a wallet's answers hold secrets.
  const get = actor === 'wallet' ? getBytes : getValue;
  return async (context, { wallet, members }) => {
    if (isGet) refuseAnyBody(context);
    else refuseOtherTypes(context);
    const permit = permitOf(access, context);
    const asked = accessRequest(name, wallet);
    const write = await access.during(permit, asked, async () => {
      const query = queryInput(context, name);
      if (!isGet) refuseQuery(query);
      const inPath = members.length === 0 ? undefined : inputFromText(name, members);
      const giveBack = waitsForServer(name) ? placeIn(front, context, permit) : undefined;
      try {
        if (isGet) {
          const input = inPath === undefined ? query : (withPathMembers(query, inPath) as Fields);
          return await get(front, context, name, input, callerOf(context, { permit, wallet }));
        }
        return await post(front, context, name, () => {
          const now = access.renewed(permit, asked);
          return { ...callerOf(context, { permit: now, wallet }), ...(inPath && { inPath }) };
        });
      } finally {
        giveBack?.();
      }
    });
    // Caches must not store a wallet's answers.
    context.set('cache-control', 'no-store');
    write();
    if (http.status !== undefined) context.status = http.status;
  };
}

async function getValue(
  { link }: Front,
  context: Context,
  name: OperationName,
  query: Fields,
  caller: CallContext,
): Promise<Write> {
  const output = unwrap(await link.dispatch(name, parseInput(name, query), caller));
  return () => {
    context.body = output;
  };
}

/** Answers that hold secrets pass through as bytes, and are wiped once they are sent. */
async function getBytes(
  { json }: Front,
  context: Context,
  name: OperationName,
  query: Fields,
  caller: CallContext,
): Promise<Write> {
  const call = async (input: Fields): Promise<Uint8Array> =>
    unwrap(await json.dispatchJson(name, encodeJson(parseInput(name, input)), caller));
  const output = await call(query);
  const file = fileFor(context, name, output);
  if (file === undefined) return () => answerBytes(context, output);
  const isOnePage = 'cursor' in query || 'limit' in query;
  return () =>
    answerFile(context, file, output, isOnePage ? undefined : (cursor) => call({ ...query, cursor }));
}

/**
 * With every POST may come a password: its body passes through as bytes too. `callerNow`: the caller once the body has come, which may
 * be long on its way; throws where the call is not open to it any more.
 */
async function post(
  { json, longInputs }: Front,
  context: Context,
  name: OperationName,
  callerNow: () => CallContext,
): Promise<Write> {
  const { body, done } = await readBytes(context.req, inputLimit(name), longInputs);
  let caller: CallContext;
  try {
    caller = callerNow();
  } catch (error) {
    body.fill(0);
    done();
    throw error;
  }
  const output = unwrap(await json.dispatchJson(name, body, caller).finally(done));
  const file = fileFor(context, name, output);
  return () => (file === undefined ? answerBytes(context, output) : answerFile(context, file, output));
}

function placeIn({ places }: Front, context: Context, permit: Permit): () => void {
  const giveBack = places.take(context, permit);
  if (giveBack !== undefined) return giveBack;
  const detail = 'Many requests of yours wait for servers already; try again when one of them is answered.';
  throw new CompanionError('BUSY', detail, { retryAfterSeconds: 1 });
}

function queryInput(context: Context, name: OperationName): Fields {
  const entries = [...new URLSearchParams(context.querystring)];
  const names = entries.map(([key]) => key);
  const twice = names.find((key, i) => names.indexOf(key) < i);
  if (twice !== undefined) {
    throw badField(twice, 'is given more than once', 'A query parameter was given more than once.');
  }
  return entries.length === 0 ? {} : inputFromText(name, entries);
}

function refuseQuery(query: Fields): void {
  const paths = Object.keys(query);
  if (paths.length === 0) return;
  throw new CompanionError('INVALID_REQUEST', 'Give the fields in the JSON body, not as query parameters.', {
    errors: paths.map((path) => ({ path, message: 'is not a known query parameter' })),
  });
}
