// The companion's side of one channel, over any transport.

import { walletField } from '@wallet-companion/client/contract';
import { badField, CompanionError, toErrorRecord } from '../protocol/errors.ts';
import type { EventLog } from '../protocol/eventLog.ts';
import type { EventLogs } from '../protocol/eventLogs.ts';
import { type CompanionEvent, type EventsMissed, heardBy } from '../protocol/events.ts';
import { eventWithTexts } from '../protocol/eventTexts.ts';
import {
  type AccessControl,
  type Asked,
  type CallingGrant,
  callingGrant,
  mayUseWallet,
  notItsWallet,
  type Permit,
} from '../protocol/grants.ts';
import { jsonLink, parseJsonBody } from '../protocol/jsonCalls.ts';
import type { Dispatcher, HealthSource, JsonLink } from '../protocol/link.ts';
import { accessRequest } from '../protocol/operations.ts';
import { failure, ok, type Result, unwrap } from '../protocol/result.ts';
import { contextOf, dispatchCommand, operationOf } from './commands.ts';
import {
  failureMessage,
  HEALTH_COMMAND,
  idOf,
  MAX_RUNNING,
  type Message,
  type MessageId,
  PRESENT_COMMAND,
  parseRequest,
  type Request,
  resultMessage,
  SUBSCRIBE_COMMAND,
  UNSUBSCRIBE_COMMAND,
} from './messages.ts';

/** `wallet` is set unless it is the default wallet. */
export type EventMessage = (CompanionEvent | EventsMissed) & {
  readonly event_id: string;
  readonly wallet?: string;
};

export interface PeerOptions {
  readonly link: Dispatcher & HealthSource & Partial<JsonLink>;
  readonly events: EventLogs;
  readonly requestId: () => string;
  /** Without it no grant can be presented. */
  readonly access?: AccessControl;
  /** Why the channel may not begin to listen to events. Default: it may. */
  whyNotListen?(): CompanionError | undefined;
  send(message: Message): void;
  /** Sends a result as the bytes of a JSON text, and wipes them. Without it, results are never requested as bytes. */
  sendJson?(id: MessageId, result: Uint8Array): void;
  /** Sends an event with its texts, if any, or drops it when the channel is full. Default: `send`, with the texts as strings. */
  sendEvent?(event: EventMessage, texts?: Uint8Array): void;
}

export class Peer {
  readonly #options: PeerOptions;
  #running = 0;
  /** Subscriptions by wallet; undefined is the default wallet. */
  readonly #subscriptions = new Map<string | undefined, () => void>();
  #closed = false;
  /** Undefined: the owner's channel. */
  #permit: Permit | undefined;

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
      try {
        this.#listen(request, requestName, json);
      } catch (thrown) {
        send(failureMessage(request.id, toErrorRecord(thrown), requestName));
      }
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

  /** Answered synchronously and first, so that every event comes after the answer and none before. */
  #listen({ id, command, args, wallet }: Request, requestName: string, json?: Uint8Array): void {
    const { events, send } = this.#options;
    const answer = (result: object): void => send(resultMessage(id, ok(result), requestName));
    if (command === UNSUBSCRIBE_COMMAND) {
      answer({ subscribed: false });
      this.#endSubscription(wallet);
      return;
    }
    const after = lastEventId(json === undefined ? args : parseJsonBody(json));
    const refused = this.#whyNotHear(wallet);
    if (refused !== undefined) throw refused;
    const log = events.use(wallet);
    answer({ subscribed: true, last_event_id: log.lastId });
    if (!this.#subscriptions.has(wallet)) this.#subscribe(log, wallet, after);
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
      if (command === PRESENT_COMMAND)
        return ok(this.#present(json === undefined ? args : parseJsonBody(json)));
      const name = operationOf(command);
      return await this.#permitted(accessRequest(name, wallet), async (grant) => {
        // Calls that carry passwords, phrases and memos pass through unread.
        if (json !== undefined && sendJson !== undefined)
          return jsonLink(link).dispatchJson(name, json, contextOf(requestId, wallet, grant));
        return dispatchCommand(link, command, args, requestId, wallet, grant);
      });
    } catch (thrown) {
      return failure(thrown);
    } finally {
      // Bytes that were moved to another thread are no longer here.
      if (json !== undefined && json.byteLength > 0) json.fill(0);
    }
  }

  /** The one check, for a channel that is a grant's. The results of calls are values: one that failed is thrown for the log. */
  async #permitted(
    asked: Asked,
    call: (grant: CallingGrant | undefined) => Promise<Result<unknown>>,
  ): Promise<Result<unknown>> {
    const { access } = this.#options;
    const permit = this.#renewed();
    if (permit === undefined || access === undefined) return call(undefined);
    return access
      .during(permit, asked, async () => unwrap(await call(callingGrant(permit))))
      .then(ok, (thrown: unknown) => failure(thrown));
  }

  /** From now on the channel is the grant's. Throws `GRANT_REQUIRED`, `GRANT_EXPIRED`. */
  #present(args: unknown): { readonly grant: string } {
    const { access } = this.#options;
    const token = (args as { readonly token?: unknown }).token;
    if (access === undefined || typeof token !== 'string')
      throw new CompanionError('INVALID_REQUEST', 'Give the token of a grant.');
    const permit = access.grantOf(token);
    // Whatever it is: a channel whose token holds no more must not stay the owner's.
    this.#permit = permit;
    for (const wallet of [...this.#subscriptions.keys()]) this.#endSubscription(wallet);
    if (permit.refusal !== undefined) throw permit.refusal;
    return { grant: permit.name };
  }

  get isListening(): boolean {
    return this.#subscriptions.size > 0;
  }

  #whyNotHear(wallet: string | undefined): CompanionError | undefined {
    const full = this.isListening ? undefined : this.#options.whyNotListen?.();
    if (full !== undefined) return full;
    const permit = this.#renewed();
    if (permit === undefined || mayUseWallet(permit, wallet)) return undefined;
    return permit.refusal ?? notItsWallet();
  }

  /** As the grant is now; undefined for the owner. */
  #renewed(): Permit | undefined {
    return this.#permit && this.#options.access?.renewed(this.#permit);
  }

  #heard(
    event: CompanionEvent | EventsMissed,
    wallet: string | undefined,
  ): CompanionEvent | EventsMissed | undefined {
    const permit = this.#renewed();
    return permit === undefined ? event : heardBy(permit, event, wallet);
  }

  #subscribe(log: EventLog, wallet: string | undefined, after: string | undefined): void {
    const { send, sendEvent = (event, texts) => send(eventWithTexts(event, texts)) } = this.#options;
    const unfollow = log.follow(({ id, event }, texts) => {
      const heard = this.#heard(event, wallet);
      // `data` must be last: the texts are appended to the end of the message.
      if (heard !== undefined) sendEvent({ event_id: id, ...walletField(wallet), ...heard }, texts);
    }, after);
    this.#subscriptions.set(wallet, unfollow);
  }

  #endSubscription(wallet: string | undefined): void {
    this.#subscriptions.get(wallet)?.();
    this.#subscriptions.delete(wallet);
  }
}

function lastEventId(args: unknown): string | undefined {
  const { last_event_id: id } = (args ?? {}) as { readonly last_event_id?: unknown };
  if (id === undefined || id === null) return undefined;
  if (typeof id === 'string') return id;
  throw badField('last_event_id', 'must be a string');
}
