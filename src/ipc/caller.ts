// The calling side of one channel: tracks open calls by id, and listeners.

import type { CompanionError } from '../protocol/errors.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import { failure, type Result } from '../protocol/result.ts';
import { type Message, type MessageId, tryFromCompanion } from './messages.ts';

/** `wallet` is undefined for the default wallet. */
export type WalletEventListener = (event: CompanionEvent, wallet: string | undefined) => void;

export class Caller {
  readonly #send: (message: Message) => void;
  readonly #open = new Map<MessageId, (result: Result<unknown>) => void>();
  readonly #tell: WalletEventListener;
  #lastId = 0;
  #lost: CompanionError | undefined;

  constructor(send: (message: Message) => void, tell: WalletEventListener) {
    this.#send = send;
    this.#tell = tell;
  }

  get openCalls(): number {
    return this.#open.size;
  }

  /** Never rejects; when the channel ends, all open and later calls are settled with a failure. */
  call(command: string, args: unknown, requestId?: string, wallet?: string): Promise<Result<unknown>> {
    if (this.#lost !== undefined) return Promise.resolve(failure(this.#lost));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      try {
        this.#send({
          id,
          command,
          args,
          ...(requestId === undefined ? {} : { request_id: requestId }),
          ...(wallet === undefined ? {} : { wallet }),
        });
      } catch (thrown) {
        this.#open.delete(id);
        resolve(failure(thrown));
      }
    });
  }

  receive(message: unknown): void {
    const received = tryFromCompanion(message);
    if (received === undefined) return;
    if (received.kind === 'event') {
      this.#tell(received.event, received.wallet);
      return;
    }
    const { id, result } = received;
    if (id === null) {
      // The companion could not read a message and cannot identify it, so no open call can be expected to be answered.
      if (!result.ok) this.#settleAll(result);
      return;
    }
    const settle = this.#open.get(id);
    this.#open.delete(id);
    settle?.(result);
  }

  lose(error: CompanionError): void {
    this.#lost = error;
    this.#settleAll(failure(error));
  }

  #settleAll(result: Result<never>): void {
    const settles = [...this.#open.values()];
    this.#open.clear();
    for (const settle of settles) settle(result);
  }
}
