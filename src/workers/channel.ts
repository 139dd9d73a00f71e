// A typed channel between two threads, over one port. Each side offers the other a table of methods: calls, which are
// answered, and events, which are not. Comlink carries the calls; only the forms in channelForms.ts come in.
//
// Comlink itself waits for ever for a thread that is gone or stuck: the calling side keeps the set of open calls and answers
// them itself when the thread ends or a deadline passes.

import { MessagePort, type Transferable } from 'node:worker_threads';
import { type After, systemAfter } from '@wallet-companion/base/async';
import { systemReason, systemWords } from '@wallet-companion/client/contract';
import * as Comlink from 'comlink';
import { CompanionError } from '../protocol/errors.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import { rawValue, replyForm, replyId, requestForm, requestOf, wipeReply } from './channelForms.ts';

/** What one side offers. Each method takes one argument of plain data, or none. */
export interface Methods {
  /** Their answers reach the caller as tagged results, whether they return a value or throw. */
  readonly calls?: object;
  readonly events?: object;
}

type Method = (argument: unknown) => unknown;
type RemoteCalls = Readonly<Record<string, (argument: unknown) => Promise<Result<unknown>>>>;
/** One side of a table; a side that a table does not have is empty. */
type Side<M extends Methods, S extends keyof Methods> = NonNullable<M[S]>;
type Arguments<F> = F extends (...given: infer A extends unknown[]) => unknown ? A : never;
type Answer<F> = F extends (...given: never[]) => infer A ? Awaited<A> : never;

/** A message port, or a thread as its starter sees it. */
export interface Port {
  postMessage(message: unknown, moved?: readonly Transferable[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(end: 'close' | 'exit' | 'error', listener: (fault?: unknown) => void): unknown;
}

export interface ChannelOptions<Local extends Methods> {
  readonly port: Port;
  /** For the other side. */
  readonly methods: Local;
  readonly after?: After;
  /** Called when a call ends with anything but a `CompanionError`, whose cause the caller does not learn. */
  readonly logFault?: (method: string, fault: unknown) => void;
}

const moves = new WeakMap<object, readonly Transferable[]>();

/**
 * An argument or answer whose buffers or ports go to the other side, and are not here any more, once it is sent. For a
 * port alone it is not needed.
 */
export function move<T extends object>(value: T, moved: readonly Transferable[]): T {
  moves.set(value, moved);
  return value;
}

/** The same, moved with the buffer that it is, or has under that name. */
export function withBuffer<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  const buffer = value instanceof ArrayBuffer ? value : (value as { buffer?: unknown }).buffer;
  return buffer instanceof ArrayBuffer ? move(value, [buffer]) : value;
}

const movedWith = (value: unknown): Transferable[] =>
  value instanceof MessagePort ? [value] : [...(moves.get(value as object) ?? [])];

/** `Remote`: the table of the other side. */
export class Channel<Remote extends Methods, Local extends Methods = Methods> {
  readonly #port: Port;
  readonly #after: After;
  readonly #calls: OpenCalls;
  readonly #remote: RemoteCalls;

  constructor({
    port,
    methods: { calls: served = {}, events = {} },
    after = systemAfter,
    logFault,
  }: ChannelOptions<Local>) {
    this.#port = port;
    this.#after = after;
    const calls = new OpenCalls(port);
    const server = comlinkEnd((message, moved) => port.postMessage(message, moved as Transferable[]));
    this.#calls = calls;
    Comlink.expose(answering(served, logFault), server);
    this.#remote = Comlink.wrap(calls.end) as unknown as RemoteCalls;
    // Neither this nor `OpenCalls` leads to the channel: comlink holds its end until the proxy, which the channel has, is collected.
    port.on('message', (message) => {
      const request = requestOf(message);
      if (request === undefined) return calls.settle(message);
      const { id, method, argument } = request;
      if (!Object.hasOwn(id === undefined ? events : served, method)) return;
      if (id === undefined) (events as Readonly<Record<string, Method>>)[method]!(argument);
      else server.deliver(requestForm(request));
    });
    let fault: unknown;
    port.once('error', (error) => {
      fault = error;
    });
    // A port closes with the thread at its other end.
    for (const end of ['close', 'exit'] as const) port.once(end, () => calls.lose(threadLost(fault)));
  }

  /** Never rejects. `deadlineMs` is for calls that must be quick. */
  call<M extends keyof Side<Remote, 'calls'> & string>(
    method: M,
    argument: Arguments<Side<Remote, 'calls'>[M]>[0],
    deadlineMs?: number,
  ): Promise<Result<Answer<Side<Remote, 'calls'>[M]>>> {
    const moved = movedWith(argument);
    const sent = moved.length === 0 ? argument : Comlink.transfer(argument as object, moved);
    const answer = this.#remote[method]!(sent).catch(failure) as Promise<Result<never>>;
    if (deadlineMs === undefined) return answer;
    const id = this.#calls.lastId;
    return answer.finally(this.#after(deadlineMs, () => this.#calls.answer(id, busy())));
  }

  emit<M extends keyof Side<Remote, 'events'> & string>(
    event: M,
    ...[argument]: Arguments<Side<Remote, 'events'>[M]>
  ): void {
    const message = requestForm({ id: undefined, method: event, argument });
    this.#port.postMessage(message, movedWith(argument));
  }

  /** Resolves when every call that is open now has been answered. */
  answered(): Promise<void> {
    return this.#calls.answered();
  }

  /** Calls without an answer yet. */
  get openCalls(): number {
    return this.#calls.size;
  }
}

/** Never race each call with one promise that lives as long as the thread: that promise keeps all results in memory. */
class OpenCalls {
  readonly end: ComlinkEnd;
  readonly #port: Port;
  readonly #open = new Set<string>();
  /** Groups of calls for which `answered` waits. */
  #waiting: { readonly calls: Set<string>; readonly resolve: () => void }[] = [];
  #lost: Result<never> | undefined;
  lastId = '';

  constructor(port: Port) {
    this.#port = port;
    this.end = comlinkEnd((message, moved) => this.#post(message, moved as Transferable[]));
  }

  get size(): number {
    return this.#open.size;
  }

  answered(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ calls: new Set(this.#open), resolve }));
  }

  /** Replies to calls that are no longer open are dropped, and their bytes wiped: they may be secret. */
  settle(reply: unknown): void {
    const id = replyId(reply);
    if (id === undefined) return;
    if (!this.#open.delete(id)) {
      wipeReply(reply);
      return;
    }
    this.end.deliver(replyForm(id, reply));
    this.#waiting = this.#waiting.filter(({ calls, resolve }) => {
      calls.delete(id);
      if (calls.size === 0) resolve();
      return calls.size > 0;
    });
  }

  answer(id: string, value: Result<never>): void {
    this.settle({ id, ...rawValue(value) });
  }

  /** Fails every open call and every later one. */
  lose(answer: Result<never>): void {
    this.#lost = answer;
    for (const id of this.#open) this.answer(id, answer);
  }

  #post(message: { readonly id: string }, moved: Transferable[]): void {
    this.lastId = message.id;
    this.#open.add(message.id);
    try {
      if (this.#lost === undefined) this.#port.postMessage(message, moved);
      else this.answer(message.id, this.#lost);
    } catch (thrown) {
      this.answer(message.id, failure(thrown));
    }
  }
}

/**
 * The answer for a thread that ended, by this fault, or is not there at the moment. Another try helps only where it was not the
 * machine that ended it.
 */
export function threadLost(fault?: unknown): Result<never> {
  const why = systemReason(fault) === undefined ? '; it is being restarted. Try again.' : systemWords(fault);
  return failure(new CompanionError('THREAD_LOST', `A worker thread of the companion ended${why}`));
}

const busy = (): Result<never> =>
  failure(new CompanionError('BUSY', 'The companion did not answer in time. Try again in a moment.'));

/** What comlink calls: the methods with tagged results. */
function answering(calls: object, logFault: ChannelOptions<Methods>['logFault']): object {
  const answer = async (name: string, method: Method, argument: unknown): Promise<Result<unknown>> => {
    try {
      const value = await method(argument);
      return Comlink.transfer(ok(value), movedWith(value));
    } catch (thrown) {
      if (!(thrown instanceof CompanionError)) logFault?.(name, thrown);
      return failure(thrown);
    }
  };
  return Object.fromEntries(
    Object.entries(calls as Readonly<Record<string, Method>>).map(([name, method]) => [
      name,
      (argument: unknown) => answer(name, method, argument),
    ]),
  );
}

type ComlinkEnd = Comlink.Endpoint & { deliver(message: object): void };

/** One of comlink's two ends on the port: it sees only what is delivered to it. */
function comlinkEnd(postMessage: Comlink.Endpoint['postMessage']): ComlinkEnd {
  let deliver: (event: MessageEvent) => void = () => undefined;
  return {
    postMessage,
    addEventListener: (_type, listener) => {
      deliver = listener as typeof deliver;
    },
    // Comlink listens as long as the port is open.
    removeEventListener: () => undefined,
    deliver: (message) => deliver({ data: message } as MessageEvent),
  };
}
