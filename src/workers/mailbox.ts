// A mailbox between two threads: comlink carries it, but of comlink's protocol one message form alone is let in: apply
// `dispatch` to one plain-data argument. Without that filter the other side could walk from an exposed object to a
// constructor and run code in this thread, or replace the handler. Calls are raced with the peer's death and a deadline,
// because comlink's promises never settle when the other thread is gone.

import type { MessagePort, Transferable } from 'node:worker_threads';
import * as Comlink from 'comlink';
import { CompanionError } from '../protocol/errors.ts';
import { failure, type Result } from '../protocol/result.ts';

/** Handles one message; never throws, failures are values. */
export type Dispatch = (message: unknown) => Promise<Result<unknown>>;

interface MessageEventLike {
  readonly data: unknown;
}

type Listener = (event: MessageEventLike) => void;
type PortListener = Parameters<MessagePort['addEventListener']>[1];

/** Serves `dispatch` on the port until it closes. `transferOf` names the buffers of an answer that may be moved. */
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

/** The same port, deaf to everything but `dispatch(plain data)`. */
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

/** A fresh comlink request made of the checked parts only, or undefined. */
function dispatchRequest(data: unknown): object | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { id, type, path, argumentList } = data as Record<string, unknown>;
  if (typeof id !== 'string' || type !== 'APPLY') return undefined;
  if (!Array.isArray(path) || path.length !== 1 || path[0] !== 'dispatch') return undefined;
  if (!Array.isArray(argumentList) || argumentList.length !== 1) return undefined;
  const argument: unknown = argumentList[0];
  if (typeof argument !== 'object' || argument === null || (argument as { type?: unknown }).type !== 'RAW')
    return undefined;
  return {
    id,
    type,
    path: ['dispatch'],
    argumentList: [{ type: 'RAW', value: (argument as { value?: unknown }).value }],
  };
}

/** The calling side of a mailbox. */
export class Mailbox {
  readonly #remote: Comlink.Remote<{ dispatch: Dispatch }>;
  readonly #lost: Promise<Result<never>>;

  /** `lost` settles when the thread behind the port has ended; every open and later call then fails. */
  constructor(port: MessagePort, lost: Promise<unknown>) {
    this.#remote = Comlink.wrap<{ dispatch: Dispatch }>(port as unknown as Comlink.Endpoint);
    this.#lost = lost.then(() =>
      failure(
        new CompanionError(
          'THREAD_LOST',
          'A worker thread of the companion ended; it is being restarted. Try again.',
        ),
      ),
    );
  }

  /** Sends plain data and resolves with the tagged answer; never rejects. `deadlineMs` is for calls that must be quick. */
  async send(message: unknown, deadlineMs?: number): Promise<Result<unknown>> {
    const answer = this.#remote.dispatch(message).catch(failure);
    if (deadlineMs === undefined) return Promise.race([answer, this.#lost]);
    const { promise: late, cancel } = after(deadlineMs);
    try {
      return await Promise.race([answer, this.#lost, late]);
    } finally {
      cancel();
    }
  }
}

function after(ms: number): { promise: Promise<Result<never>>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<Result<never>>((resolve) => {
    const busy = new CompanionError('BUSY', 'The companion did not answer in time. Try again in a moment.');
    timer = setTimeout(() => resolve(failure(busy)), ms);
  });
  return { promise, cancel: () => clearTimeout(timer) };
}
