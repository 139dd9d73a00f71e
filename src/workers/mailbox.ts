// A mailbox between two threads, over comlink. Each side accepts only one message form of comlink's protocol
// (mailboxForms.ts). Comlink itself waits for ever for a thread that is gone or stuck: the calling side keeps the set
// of open calls and answers them itself when the thread ends or a deadline passes.

import type { MessagePort, Transferable } from 'node:worker_threads';
import { systemReason, systemWords } from '@wallet-companion/client/contract';
import { type After, systemAfter } from '@wallet-companion/shielded/async';
import * as Comlink from 'comlink';
import { CompanionError } from '../protocol/errors.ts';
import { failure, type Result } from '../protocol/result.ts';
import { dispatchReply, dispatchRequest, rawValue, replyId, wipeReply } from './mailboxForms.ts';

/** Handles one message; never throws, failures are values. */
export type Dispatch = (message: unknown) => Promise<Result<unknown>>;

interface MessageEventLike {
  readonly data: unknown;
}

type Listener = (event: MessageEventLike) => void;
type PortListener = Parameters<MessagePort['addEventListener']>[1];

/** Serves `dispatch` on the port until it closes. `transferOf` returns the buffers of an answer that may be moved. */
export function serveMailbox(
  port: MessagePort,
  dispatch: Dispatch,
  transferOf: (answer: Result<unknown>) => ArrayBuffer[] = () => [],
): void {
  const actor = {
    async dispatch(message: unknown): Promise<Result<unknown>> {
      const answer = await dispatch(message).catch(failure);
      return Comlink.transfer(answer, transferOf(answer));
    },
  };
  Comlink.expose(actor, dispatchOnly(port));
}

/** The same port, which accepts only `dispatch(plain data)`. */
function dispatchOnly(port: MessagePort): Comlink.Endpoint {
  const filters = new Map<object, Listener>();
  return {
    start: () => port.start(),
    postMessage: (message, transfer) => port.postMessage(message, transfer as Transferable[] | undefined),
    addEventListener: (type, listener) => {
      const deliver = typeof listener === 'function' ? listener : listener.handleEvent.bind(listener);
      const filter: Listener = (event) => {
        const request = dispatchRequest(event.data);
        if (request !== undefined) deliver({ data: request } as MessageEvent);
      };
      filters.set(listener, filter);
      port.addEventListener(type, filter as unknown as PortListener);
    },
    removeEventListener: (type, listener) => {
      const filter = filters.get(listener);
      if (filter !== undefined) port.removeEventListener(type, filter as unknown as PortListener);
    },
  };
}

/** The calling side of a mailbox. */
export class Mailbox {
  readonly #calls: OpenCalls;
  readonly #dispatch: Dispatch;
  readonly #after: After;

  /** `lost` settles, with what ended it, when the thread behind the port has ended; every open and later call then fails. */
  constructor(port: MessagePort, lost: Promise<unknown>, after: After = systemAfter) {
    this.#calls = new OpenCalls(port);
    this.#dispatch = Comlink.wrap<{ dispatch: Dispatch }>(this.#calls).dispatch;
    this.#after = after;
    void lost.then((fault) => this.#calls.lose(threadLost(fault)));
  }

  /** Resolves when every call that is open now has been answered. */
  answered(): Promise<void> {
    return this.#calls.answered();
  }

  /** Calls without an answer yet. */
  get openCalls(): number {
    return this.#calls.size;
  }

  /**
   * Sends plain data and resolves with the tagged answer; never rejects. `deadlineMs` is for calls that must be quick.
   * The buffers in `moved` belong to the other side from now on.
   */
  send(message: unknown, deadlineMs?: number, moved: ArrayBuffer[] = []): Promise<Result<unknown>> {
    const answer = this.#dispatch(
      moved.length === 0 ? message : Comlink.transfer(message as object, moved),
    ).catch(failure);
    if (deadlineMs === undefined) return answer;
    const cancel = this.#after(deadlineMs, this.#calls.lastEnding(busy));
    return answer.finally(cancel);
  }
}

/** As `send` of the thread's mailbox; `THREAD_LOST` while there is no thread. */
export async function sendTo(
  mailbox: Mailbox | undefined,
  message: object,
  deadlineMs: number | undefined,
  moved?: ArrayBuffer[],
): Promise<Result<unknown>> {
  if (mailbox !== undefined) return mailbox.send(message, deadlineMs, moved);
  return failure(
    new CompanionError('THREAD_LOST', 'A worker thread of the companion is being restarted. Try again.'),
  );
}

/**
 * Comlink's end of the port. Messages for calls that are no longer open are wiped and dropped, and an open call can be answered
 * from here. Never race each call with one promise that lives as long as the thread: that promise keeps all results in
 * memory, blocks and recovery phrases included.
 */
class OpenCalls implements Comlink.Endpoint {
  readonly #port: MessagePort;
  readonly #open = new Set<string>();
  /** Groups of calls for which `answered` waits. */
  #waiting: { readonly calls: Set<string>; readonly resolve: () => void }[] = [];
  #deliver: Listener = () => undefined;
  #lastId = '';
  #lost: Result<never> | undefined;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  answered(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ calls: new Set(this.#open), resolve }));
  }

  get size(): number {
    return this.#open.size;
  }

  start(): void {
    this.#port.start();
  }

  postMessage(message: { readonly id: string }, transfer?: Transferable[]): void {
    this.#lastId = message.id;
    this.#open.add(message.id);
    if (this.#lost !== undefined) {
      this.#answer(message.id, this.#lost);
      return;
    }
    try {
      this.#port.postMessage(message, transfer);
    } catch (thrown) {
      this.#answer(message.id, failure(thrown));
    }
  }

  addEventListener(type: string, listener: Parameters<Comlink.Endpoint['addEventListener']>[1]): void {
    const deliver = typeof listener === 'function' ? listener : listener.handleEvent.bind(listener);
    this.#deliver = (event) => deliver(event as MessageEvent);
    const receive: Listener = (event) => this.#receive(event.data);
    this.#port.addEventListener(type, receive as unknown as PortListener);
  }

  /** Comlink listens as long as the port is open. */
  removeEventListener(): void {}

  /** Fails every open call and every later one. */
  lose(answer: Result<never>): void {
    this.#lost = answer;
    for (const id of this.#open) this.#answer(id, answer);
  }

  /** Returns a function that fails the last posted call, unless it was answered. */
  lastEnding(reason: () => Result<never>): () => void {
    const id = this.#lastId;
    return () => this.#answer(id, reason());
  }

  #answer(id: string, value: Result<never>): void {
    this.#receive({ id, ...rawValue(value) });
  }

  #receive(data: unknown): void {
    const id = replyId(data);
    if (id === undefined) return;
    if (!this.#open.delete(id)) {
      wipeReply(data);
      return;
    }
    this.#deliver({ data: dispatchReply(id, data) });
    this.#waiting = this.#waiting.filter(({ calls, resolve }) => {
      calls.delete(id);
      if (calls.size === 0) resolve();
      return calls.size > 0;
    });
  }
}

/** Another try helps only where it was not the machine that ended the thread. */
function threadLost(fault: unknown): Result<never> {
  const why = systemReason(fault) === undefined ? '; it is being restarted. Try again.' : systemWords(fault);
  return failure(new CompanionError('THREAD_LOST', `A worker thread of the companion ended${why}`));
}

const busy = (): Result<never> =>
  failure(new CompanionError('BUSY', 'The companion did not answer in time. Try again in a moment.'));
