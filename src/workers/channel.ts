// A typed channel between two threads, over one port. Each side offers the other a table of methods: calls, which are
// answered, and events, which are not. Comlink carries the calls; only the forms in channelForms.ts come in.
//
// Comlink itself waits for ever for a thread that is gone or stuck: the calling side keeps the set of open calls and answers
// them itself when the thread ends or a deadline passes.

import type { MessagePort, Transferable } from 'node:worker_threads';
import { type After, systemAfter } from '@wallet-companion/shielded/async';
import * as Comlink from 'comlink';
import { CompanionError } from '../protocol/errors.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import { rawValue, replyForm, replyId, requestForm, requestOf } from './channelForms.ts';

/** What one side offers. Each method takes one argument of plain data, or none. */
export interface Methods {
  /** Their answers reach the caller as tagged results, whether they return a value or throw. */
  readonly calls: object;
  readonly events: object;
}

export interface NoCalls extends Methods {
  readonly calls: Readonly<Record<never, never>>;
}
export interface NoEvents extends Methods {
  readonly events: Readonly<Record<never, never>>;
}
export const NO_METHODS: NoCalls & NoEvents = { calls: {}, events: {} };

type Method = (argument: unknown) => unknown;
type RemoteCalls = Readonly<Record<string, (argument: unknown) => Promise<Result<unknown>>>>;
type Arguments<F> = F extends (...given: infer A extends unknown[]) => unknown ? A : never;
type Answer<F> = F extends (...given: never[]) => infer A ? Awaited<A> : never;

/** A message port, or a thread as its starter sees it. */
export interface Port {
  postMessage(message: unknown, moved?: readonly Transferable[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

export interface ChannelOptions<Local extends Methods> {
  readonly port: Port;
  /** For the other side. */
  readonly methods: Local;
  /** Settles when the thread behind the port has ended; every open and later call then fails. Absent where none is made. */
  readonly lost?: Promise<unknown>;
  readonly after?: After;
  /** Called when a call ends with anything but a `CompanionError`, whose cause the caller does not learn. */
  readonly logFault?: (method: string, fault: unknown) => void;
}

const moves = new WeakMap<object, readonly Transferable[]>();

/** An argument or answer whose buffers or ports go to the other side, and are not here any more, once it is sent. */
export function move<T extends object>(value: T, moved: readonly Transferable[]): T {
  moves.set(value, moved);
  return value;
}

const movedWith = (value: unknown): Transferable[] => [...(moves.get(value as object) ?? [])];

/** `Remote`: the table of the other side. */
export class Channel<Remote extends Methods, Local extends Methods = typeof NO_METHODS> {
  readonly #port: Port;
  readonly #after: After;
  readonly #calls: OpenCalls;
  readonly #remote: RemoteCalls;

  constructor({ port, methods, lost, after = systemAfter, logFault }: ChannelOptions<Local>) {
    this.#port = port;
    this.#after = after;
    const calls = new OpenCalls(port);
    const server = comlinkEnd((message, moved) => port.postMessage(message, moved as Transferable[]));
    this.#calls = calls;
    Comlink.expose(answering(methods.calls, logFault), server);
    this.#remote = Comlink.wrap(calls.end) as unknown as RemoteCalls;
    // Neither this nor `OpenCalls` leads to the channel: comlink holds its end until the proxy, which the channel has, is collected.
    port.on('message', (message) => {
      const request = requestOf(message);
      if (request === undefined) return calls.settle(message);
      const { id, method, argument } = request;
      if (!Object.hasOwn(id === undefined ? methods.events : methods.calls, method)) return;
      if (id === undefined) (methods.events as Readonly<Record<string, Method>>)[method]!(argument);
      else server.deliver(requestForm(request));
    });
    void lost?.then(() => calls.lose());
  }

  /** Never rejects. `deadlineMs` is for calls that must be quick. */
  call<M extends keyof Remote['calls'] & string>(
    method: M,
    argument: Arguments<Remote['calls'][M]>[0],
    deadlineMs?: number,
  ): Promise<Result<Answer<Remote['calls'][M]>>> {
    const moved = movedWith(argument);
    const sent = moved.length === 0 ? argument : Comlink.transfer(argument as object, moved);
    const answer = this.#remote[method]!(sent).catch(failure) as Promise<Result<never>>;
    if (deadlineMs === undefined) return answer;
    const id = this.#calls.lastId;
    return answer.finally(this.#after(deadlineMs, () => this.#calls.answer(id, busy())));
  }

  emit<M extends keyof Remote['events'] & string>(
    event: M,
    ...[argument]: Arguments<Remote['events'][M]>
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
  #isLost = false;
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

  /** Replies to calls that are no longer open are dropped. */
  settle(reply: unknown): void {
    const id = replyId(reply);
    if (id === undefined || !this.#open.delete(id)) return;
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
  lose(): void {
    this.#isLost = true;
    for (const id of this.#open) this.answer(id, threadLost());
  }

  #post(message: { readonly id: string }, moved: Transferable[]): void {
    this.lastId = message.id;
    this.#open.add(message.id);
    try {
      if (!this.#isLost) this.#port.postMessage(message, moved);
      else this.answer(message.id, threadLost());
    } catch (thrown) {
      this.answer(message.id, failure(thrown));
    }
  }
}

/** For a port whose other end closes when its thread ends. */
export const closed = (port: MessagePort): Promise<void> =>
  new Promise((resolve) => {
    port.once('close', () => resolve());
  });

/** The answer for a thread that ended, or is not there at the moment. */
export const threadLost = (): Result<never> =>
  failure(
    new CompanionError(
      'THREAD_LOST',
      'A worker thread of the companion ended; it is being restarted. Try again.',
    ),
  );

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
