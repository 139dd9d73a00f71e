// The operations for a browser extension, a web view or another program, over HTTP with
// nothing but fetch. Types come from the table; failures are `CompanionError` with the table's codes.
//
//     const companion = createClient({ baseUrl: 'http://127.0.0.1:3000' });
//     await companion.wallet.unlock({ password });
//     for await (const step of companion.syncToTip()) show(step);
//     for await (const { event, data } of companion.events()) show(event, data);
//     const { total_zatoshi, as_of_height } = await companion.balance.get();
//     show(as_of_height === null ? 'unknown' : total_zatoshi);
//     await companion.inWallet('savings').wallet.unlock({ password: another });

import { DEFAULT_URL, tryCompanionUrl } from '../contract/companionAddress.ts';
import { badField, CompanionError } from '../contract/errors.ts';
import { ROUTES, type WalletOperation } from '../contract/generated/routes.ts';
import { requestTo } from '../contract/httpRequest.ts';
import type { Arguments, OperationName, Output } from '../contract/operationTypes.ts';
import { tryProblem } from '../contract/problem.ts';
import { checkedWallet, pathInWallet } from '../contract/walletNames.ts';
import { type EventsOptions, events, type OpenStream, type ReceivedEvent } from './events.ts';
import { type SyncOptions, type SyncStep, syncToTip } from './syncToTip.ts';

/** What the client reads of a `Response`. */
export interface FetchedResponse extends Pick<Response, 'ok' | 'body' | 'text'> {
  readonly headers: Pick<Headers, 'get'>;
}

export interface ClientOptions {
  /** Default: the companion's default, http://127.0.0.1:3000. */
  readonly baseUrl?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<FetchedResponse>;
  /** The failure where `fetch` rejects or an answer breaks off. Default: one with words for a page. */
  readonly unreachable?: (cause: unknown) => CompanionError;
  /** Ends every call, which then rejects with the signal's reason. The companion still finishes the calls. */
  readonly signal?: AbortSignal;
  /**
   * A grant's token: sent with each call and each stream of events, for companions that refuse callers without one. A function
   * is asked each time.
   */
  readonly token?: string | (() => string | undefined);
}

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type GroupOf<N extends OperationName> = N extends `${infer Group}.${string}` ? Group : never;

type GroupsOf<Names extends OperationName> = {
  readonly [G in GroupOf<Names>]: {
    readonly [N in Names as N extends `${G}.${infer Verb}` ? CamelCase<Verb> : never]: (
      ...args: Arguments<N>
    ) => Promise<Output<N>>;
  };
};

/** `wallet.change_password` of the table is `client.wallet.changePassword`. */
export type Groups = GroupsOf<OperationName>;

/** Calls and events of one wallet: all that a page with a size limit has to load. */
export interface Connection<Names extends OperationName = OperationName> {
  /** Any operation by its name in the table. Rejects with `CompanionError`. */
  call<N extends Names>(name: N, ...args: Arguments<N>): Promise<Output<N>>;
  /**
   * The companion's events, across broken connections: resumed after the last event, with `events.missed` where events
   * were lost. Rejects when the first connection fails.
   */
  events(options?: EventsOptions): AsyncGenerator<ReceivedEvent, void, void>;
}

/** What a client offers for each wallet. */
interface InOneWallet<Names extends OperationName> extends Connection<Names> {
  /** Repeats the 1,000-block request until the chain tip is reached; see `SyncStep`. */
  syncToTip(options?: SyncOptions): AsyncGenerator<SyncStep, void, void>;
}

/** One wallet of several: its operations and its events. */
export type WalletClient = GroupsOf<WalletOperation> & InOneWallet<WalletOperation>;

/** The default wallet, and the operations of the whole companion. */
export interface Client extends Groups, InOneWallet<OperationName> {
  /** Another wallet of the same companion, by its name. Throws `INVALID_REQUEST` for an invalid name. */
  inWallet(name: string): WalletClient;
}

const either = (first: AbortSignal | undefined, second: AbortSignal | undefined): { signal?: AbortSignal } =>
  first && second
    ? { signal: AbortSignal.any([first, second]) }
    : (first ?? second)
      ? { signal: first ?? second! }
      : {};

const EVENTS_PATH = '/api/events';

/** Throws `INVALID_URL`. */
export function createClient(options: ClientOptions = {}): Client {
  return { ...clientOf(options, undefined), inWallet: (name) => clientOf(options, checkedWallet(name)) };
}

function clientOf(options: ClientOptions, name: string | undefined): Groups & InOneWallet<OperationName> {
  const connection = connect(options, name);
  const { call } = connection;
  return { ...groups(call), ...connection, syncToTip: (wanted = {}) => syncToTip(call, wanted) };
}

/** `wallet`: the name of another one than the default; operations of the whole companion have no route there. Throws `INVALID_URL`. */
export function connect(options: ClientOptions, wallet?: string): Connection {
  const { baseUrl = DEFAULT_URL, signal, unreachable = refusesPage } = options;
  // Browsers refuse a `fetch` that is detached from its window.
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const url = checkedBase(baseUrl);
  const base = url.href.replace(/\/$/, '');
  const notACompanion = (): CompanionError =>
    new CompanionError('COMPANION_UNREACHABLE', `What answers at ${url.origin} is not a companion.`);
  /** Rejects with the signal's reason, or with what a failure of the connection means. */
  const reached = <T>(answer: Promise<T>, ending: AbortSignal | undefined): Promise<T> =>
    answer.catch((cause: unknown) => {
      ending?.throwIfAborted();
      throw unreachable(cause);
    });
  const bodyOf = async (response: FetchedResponse, ending: AbortSignal | undefined): Promise<unknown> => {
    const body = tryJson(await reached(response.text(), ending));
    if (response.ok && body !== undefined) return body;
    const retryAfter = response.headers.get('retry-after');
    throw tryProblem(body, retryAfter === null ? undefined : Number(retryAfter)) ?? notACompanion();
  };
  const authorized = () => {
    const token = typeof options.token === 'function' ? options.token() : options.token;
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };
  const call = async <N extends OperationName>(name: N, ...[input]: Arguments<N>): Promise<Output<N>> => {
    const { method, path } = ROUTES[name];
    const { target, body } = requestTo(method, pathInWallet(path, wallet), input ?? {});
    const typed = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...JSON_WANTED, ...typed, ...authorized() };
    const init = { method, headers, signal: signal ?? null, ...(body === undefined ? {} : { body }) };
    return (await bodyOf(await reached(send(base + target, init), signal), signal)) as Output<N>;
  };
  const open: OpenStream = async (lastEventId, streamSignal) => {
    const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const headers = { ...resumed, ...authorized() };
    const init = { method: 'GET', headers, signal: streamSignal } as const;
    const response = await reached(send(base + pathInWallet(EVENTS_PATH, wallet), init), streamSignal);
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && response.body !== null && type.startsWith('text/event-stream')) return response.body;
    if (response.ok) throw notACompanion();
    throw await bodyOf(response, streamSignal);
  };
  return {
    call,
    events: (wanted = {}) => events(open, { ...wanted, ...either(signal, wanted.signal) }),
  };
}

function checkedBase(text: string): URL {
  const url = tryCompanionUrl(text);
  if (url !== undefined) return url;
  throw badField(
    'baseUrl',
    'must be an http or https URL',
    'Give the companion as http://127.0.0.1:PORT.',
    'INVALID_URL',
  );
}

/** Without this header some operations answer with a file. */
const JSON_WANTED = { accept: 'application/json' };

const refusesPage = (cause: unknown): CompanionError =>
  new CompanionError(
    'COMPANION_UNREACHABLE',
    'No companion answers, or it refuses this page: its origin must be on allowed_origins.',
    { cause },
  );

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function groups(call: (name: OperationName, ...args: [object?]) => Promise<unknown>): Groups {
  const made: Record<string, Record<string, (input?: object) => Promise<unknown>>> = {};
  for (const name of Object.keys(ROUTES) as OperationName[]) {
    const [group = '', verb = ''] = name.split('.');
    made[group] ??= {};
    made[group][camelCase(verb)] = (input) => call(name, input);
  }
  return made as unknown as Groups;
}
