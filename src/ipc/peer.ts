// The companion's side of one channel, over any transport.

import { CompanionError, toErrorRecord } from '../protocol/errors.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import { parseJsonBody } from '../protocol/jsonCalls.ts';
import type { JsonLink, Link } from '../protocol/link.ts';
import { operations } from '../protocol/operations.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import { contextOf, dispatchCommand, operationOf } from './commands.ts';
import {
  failureMessage,
  HEALTH_COMMAND,
  idOf,
  type Message,
  type MessageId,
  parseRequest,
  type Request,
  resultMessage,
  SUBSCRIBE_COMMAND,
  UNSUBSCRIBE_COMMAND,
} from './messages.ts';

/**
 * Calls of one peer that may run at a time. An answer is at most about 1.5 MB (a page of 1,000 notes with memos), so
 * this bounds the memory that a peer which never reads can occupy.
 */
const MAX_RUNNING = 16;

/** `wallet` is set unless it is the default wallet. */
export type EventMessage = CompanionEvent & { readonly wallet?: string };

export interface PeerOptions {
  readonly link: Link & Partial<JsonLink>;
  readonly requestId: () => string;
  send(message: Message): void;
  /** Sends a result as the bytes of a JSON text, and wipes them. Without it, results are never requested as bytes. */
  sendJson?(id: MessageId, result: Uint8Array): void;
  /** Sends an event with its memo, if any, or drops it when the channel is full. Default: `send`, without the memo. */
  sendEvent?(event: EventMessage, memo?: Uint8Array): void;
}

export class Peer {
  readonly #options: PeerOptions;
  #running = 0;
  /** Subscriptions by wallet; undefined is the default wallet. */
  readonly #subscriptions = new Map<string | undefined, () => void>();
  #closed = false;

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  /**
   * Handles one message; its answer is sent through `send`. `json`: the arguments, if they arrived as the bytes of a
   * JSON text. Never rejects.
   */
  async receive(message: unknown, json?: Uint8Array<ArrayBuffer>): Promise<void> {
    const { requestId, send, sendJson } = this.#options;
    let request: Request;
    try {
      request = parseRequest(message);
    } catch (thrown) {
      send(failureMessage(idOf(message), toErrorRecord(thrown), requestId()));
      return;
    }
    const requestName = request.requestId ?? requestId();
    if (request.command === SUBSCRIBE_COMMAND || request.command === UNSUBSCRIBE_COMMAND) {
      const subscribed = request.command === SUBSCRIBE_COMMAND;
      // Answered synchronously and first, so that every event comes after the answer and none before.
      send(resultMessage(request.id, ok({ subscribed }), requestName));
      if (!subscribed) this.#endSubscription(request.wallet);
      else if (!this.#subscriptions.has(request.wallet)) this.#subscribe(request.wallet);
      return;
    }
    if (this.#running >= MAX_RUNNING) {
      const busy = new CompanionError('BUSY', 'Too many calls at once on this channel; wait for an answer.');
      send(failureMessage(request.id, busy.toRecord(), requestName));
      return;
    }
    this.#running += 1;
    const result = await this.#answer(request, requestName, json);
    this.#running -= 1;
    if (result.ok && result.value instanceof Uint8Array && sendJson !== undefined) {
      if (this.#closed) result.value.fill(0);
      else sendJson(request.id, result.value);
      return;
    }
    // A disconnected caller does not cancel its call; there is just no caller left to answer.
    if (!this.#closed) send(resultMessage(request.id, result, requestName));
  }

  /** `id`: the id of the call, where it is known. */
  refuse(error: CompanionError, id: MessageId | null = null): void {
    this.#options.send(failureMessage(id, error.toRecord(), this.#options.requestId()));
  }

  close(): void {
    this.#closed = true;
    for (const wallet of [...this.#subscriptions.keys()]) this.#endSubscription(wallet);
  }

  async #answer(
    { command, args, wallet }: Request,
    requestId: string,
    json: Uint8Array<ArrayBuffer> | undefined,
  ): Promise<Result<unknown>> {
    const { link, sendJson } = this.#options;
    if (command === HEALTH_COMMAND) return ok(await link.health());
    try {
      const name = operationOf(command);
      if (json !== undefined && link.dispatchJson !== undefined && sendJson !== undefined) {
        // Calls that carry passwords, phrases and memos pass through unread.
        if (operations[name].actor === 'wallet')
          return await link.dispatchJson(name, json, contextOf(requestId, wallet));
      }
      const parsed = json === undefined ? args : parseJsonBody(json);
      return await dispatchCommand(link, command, parsed, requestId, wallet);
    } catch (thrown) {
      return failure(thrown);
    } finally {
      // Bytes that were moved to another thread are no longer here.
      if (json !== undefined && json.byteLength > 0) json.fill(0);
    }
  }

  #subscribe(wallet: string | undefined): void {
    const { link, send, sendEvent = (event: EventMessage) => send(event) } = this.#options;
    const subscription =
      wallet === undefined
        ? link.subscribe(sendEvent)
        : // `data` must be last: the memo is appended to the end of the message.
          link.subscribe(({ event, data }, memo) => {
            sendEvent({ wallet, event, data } as EventMessage, memo);
          }, wallet);
    this.#subscriptions.set(wallet, subscription);
  }

  #endSubscription(wallet: string | undefined): void {
    this.#subscriptions.get(wallet)?.();
    this.#subscriptions.delete(wallet);
  }
}
