// The companion's side of one channel, whatever carries it.

import { CompanionError, toErrorRecord } from '../protocol/errors.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import type { Link } from '../protocol/link.ts';
import { ok, type Result } from '../protocol/result.ts';
import { dispatchCommand } from './commands.ts';
import {
  failureMessage,
  HEALTH_COMMAND,
  idOf,
  type Message,
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

export interface PeerOptions {
  readonly link: Link;
  readonly requestId: () => string;
  send(message: Message): void;
  /** Sends an event, or drops it when the channel is full. Default: `send`. */
  sendEvent?(event: CompanionEvent): void;
}

export class Peer {
  readonly #options: PeerOptions;
  #running = 0;
  #unsubscribe: (() => void) | undefined;
  #closed = false;

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  /** Takes one message; its answer goes out through `send`. Never rejects. */
  async receive(message: unknown): Promise<void> {
    const { requestId, send } = this.#options;
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
      if (subscribed) this.#unsubscribe ??= this.#options.link.subscribe((event) => this.#tell(event));
      else this.#endSubscription();
      return;
    }
    if (this.#running >= MAX_RUNNING) {
      const busy = new CompanionError('BUSY', 'Too many calls at once on this channel; wait for an answer.');
      send(failureMessage(request.id, busy.toRecord(), requestName));
      return;
    }
    this.#running += 1;
    const result = await this.#answer(request, requestName);
    this.#running -= 1;
    // A caller that has gone does not cancel its call; there is just nobody left to answer.
    if (!this.#closed) send(resultMessage(request.id, result, requestName));
  }

  refuse(error: CompanionError): void {
    this.#options.send(failureMessage(null, error.toRecord(), this.#options.requestId()));
  }

  close(): void {
    this.#closed = true;
    this.#endSubscription();
  }

  async #answer({ command, args }: Request, requestId: string): Promise<Result<unknown>> {
    const { link } = this.#options;
    if (command === HEALTH_COMMAND) return ok(await link.health());
    return dispatchCommand(link, command, args, requestId);
  }

  #endSubscription(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #tell(event: CompanionEvent): void {
    const { send, sendEvent = send } = this.#options;
    sendEvent(event);
  }
}
