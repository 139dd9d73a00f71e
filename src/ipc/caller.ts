// The calling side of one channel: tracks open calls by id, and listeners. Calls beyond those that the companion runs at
// a time wait here in turn.

import { walletField } from '@wallet-companion/client/contract';
import type { CompanionError } from '../protocol/errors.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import { failure, type Result } from '../protocol/result.ts';
import {
  MAX_RUNNING,
  type Message,
  SUBSCRIBE_COMMAND,
  tryFromCompanion,
  UNSUBSCRIBE_COMMAND,
} from './messages.ts';

/** `wallet` is undefined for the default wallet, `id` where the companion is older than ids. */
export type WalletEventListener = (
  event: CompanionEvent,
  wallet: string | undefined,
  id: string | undefined,
) => void;

interface Call {
  readonly message: Message & { readonly id: number };
  settle(result: Result<unknown>): void;
}

export class Caller {
  readonly #send: (message: Message) => void;
  readonly #sent = new Map<unknown, Call>();
  readonly #waiting: Call[] = [];
  readonly #emit: WalletEventListener;
  #lastId = 0;
  #lost: CompanionError | undefined;

  constructor(send: (message: Message) => void, emit: WalletEventListener) {
    this.#send = send;
    this.#emit = emit;
  }

  get openCalls(): number {
    return this.#sent.size + this.#waiting.length;
  }

  /** Never rejects; when the channel ends, all open and later calls are settled with a failure. */
  call(command: string, args: unknown, requestId?: string, wallet?: string): Promise<Result<unknown>> {
    if (this.#lost !== undefined) return Promise.resolve(failure(this.#lost));
    this.#lastId += 1;
    const id = this.#lastId;
    const message = {
      id,
      command,
      args,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...walletField(wallet),
    };
    return new Promise((settle) => {
      const call = { message, settle };
      // Subscriptions are answered at once, whatever runs.
      if (command === SUBSCRIBE_COMMAND || command === UNSUBSCRIBE_COMMAND) this.#start(call);
      else {
        this.#waiting.push(call);
        this.#startWaiting();
      }
    });
  }

  receive(message: unknown): void {
    const received = tryFromCompanion(message);
    if (received === undefined) return;
    if (received.kind === 'event') {
      this.#emit(received.event, received.wallet, received.id);
      return;
    }
    const { id, result } = received;
    if (id === null) {
      // The companion could not read a message and cannot identify it, so no call that was sent can be expected to be answered.
      if (!result.ok) this.#settleSent(result);
      this.#startWaiting();
      return;
    }
    const call = this.#sent.get(id);
    this.#sent.delete(id);
    this.#startWaiting();
    call?.settle(result);
  }

  lose(error: CompanionError): void {
    this.#lost = error;
    for (const { settle } of this.#waiting.splice(0)) settle(failure(error));
    this.#settleSent(failure(error));
  }

  #startWaiting(): void {
    while (this.#sent.size < MAX_RUNNING) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#start(next);
    }
  }

  #start(call: Call): void {
    this.#sent.set(call.message.id, call);
    try {
      this.#send(call.message);
    } catch (thrown) {
      this.#sent.delete(call.message.id);
      call.settle(failure(thrown));
    }
  }

  #settleSent(result: Result<never>): void {
    const calls = [...this.#sent.values()];
    this.#sent.clear();
    for (const { settle } of calls) settle(result);
  }
}
