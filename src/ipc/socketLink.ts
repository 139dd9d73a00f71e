// The link through a running companion's private socket. It connects on first use. After a loss it connects again at the
// next call, and by itself while there are listeners. It keeps the process alive only while a call is open or a listener
// is there.

import { connect, type Socket } from 'node:net';
import { type After, systemAfter } from '@wallet-companion/base/async';
import { ERRORS, inKib } from '@wallet-companion/client/contract';
import { CompanionError } from '../protocol/errors.ts';
import type { EventListener } from '../protocol/events.ts';
import { commandInputLimit } from '../protocol/inputLimits.ts';
import type { HealthReport } from '../protocol/link.ts';
import { type CallContext, type OperationName, type Output, operations } from '../protocol/operations.ts';
import { failure, type Result, unwrap } from '../protocol/result.ts';
import { Caller } from './caller.ts';
import { encodeLine, LineReader, MAX_ANSWER_BYTES, parseLine } from './lines.ts';
import { Listeners } from './listeners.ts';
import type { ClosableLink } from './messagePort.ts';
import {
  HEALTH_COMMAND,
  type Message,
  PRESENT_COMMAND,
  SUBSCRIBE_COMMAND,
  UNSUBSCRIBE_COMMAND,
} from './messages.ts';
import { isOwnSocket } from './socketPath.ts';

/** How often a lost companion is looked for while there are listeners: a local socket costs nothing. */
const RETRY_MS = 1_000;

export interface SocketLinkOptions {
  /** An open connection has ended; its open calls have failed. */
  readonly onLost?: () => void;
  /** A connection is there again after a loss. Listeners get what came meanwhile, or `events.missed`. */
  readonly onBack?: () => void;
  /** Of a grant, which the link then is limited to. */
  readonly token?: string | undefined;
  /** Default: system timers. */
  readonly after?: After;
}

/** `path` is from `socketPath`. Failures to reach the companion are `COMPANION_UNREACHABLE`. */
export function createSocketLink(path: string, options: SocketLinkOptions = {}): ClosableLink {
  return new SocketLink(path, options);
}

interface Connection {
  readonly socket: Socket;
  readonly caller: Caller;
}

class SocketLink implements ClosableLink {
  readonly #path: string;
  readonly #options: SocketLinkOptions;
  readonly #listeners = new Listeners(
    (wallet) => void this.#listen(wallet),
    (wallet) => void this.#call(UNSUBSCRIBE_COMMAND, {}, undefined, wallet),
  );
  #connection: Promise<Connection> | undefined;
  #isLost = false;
  #cancelRetry: (() => void) | undefined;
  #closed = false;

  constructor(path: string, options: SocketLinkOptions) {
    this.#path = path;
    this.#options = options;
  }

  async dispatch<N extends OperationName>(
    name: N,
    input: unknown,
    { requestId, wallet }: CallContext,
  ): Promise<Result<Output<N>>> {
    return (await this.#call(operations[name].ipc, input, requestId, wallet)) as Result<Output<N>>;
  }

  async health(): Promise<HealthReport> {
    return unwrap(await this.#call(HEALTH_COMMAND, {})) as HealthReport;
  }

  subscribe(listener: EventListener, wallet?: string): () => void {
    return this.#listeners.add(listener, wallet);
  }

  close(): void {
    this.#closed = true;
    this.#cancelRetry?.();
    void this.#connection?.then(
      ({ socket }) => socket.destroy(),
      () => undefined,
    );
  }

  async #call(command: string, args: unknown, requestId?: string, wallet?: string): Promise<Result<unknown>> {
    try {
      if (this.#closed) throw unreachable();
      this.#connection ??= this.#connect();
      const { socket, caller } = await this.#connection;
      socket.ref();
      const result = await caller.call(command, args, requestId, wallet);
      if (caller.openCalls === 0 && this.#listeners.wallets.length === 0) socket.unref();
      return result;
    } catch (thrown) {
      return failure(thrown);
    }
  }

  /** A new connection subscribes for all wallets with listeners. */
  async #listen(wallet: string | undefined): Promise<void> {
    if (this.#connection === undefined) await this.#call(HEALTH_COMMAND, {});
    else this.#begun(wallet, await this.#call(SUBSCRIBE_COMMAND, {}, undefined, wallet));
  }

  /** Returns whether the companion passes on what came since the last event. */
  #begun(wallet: string | undefined, result: Result<unknown>): boolean {
    if (!result.ok) return false;
    const { last_event_id: id } = result.value as { readonly last_event_id?: string };
    this.#listeners.begun(wallet, id);
    return id !== undefined;
  }

  async #connect(): Promise<Connection> {
    try {
      const socket = await openSocket(this.#path);
      const caller = new Caller((message) => socket.write(checkedLine(message)), this.#listeners.emit);
      this.#receive(socket, caller);
      const { token } = this.#options;
      // Before everything else: where it holds no more, the channel is closed to all that follows.
      if (token !== undefined) void caller.call(PRESENT_COMMAND, { token });
      void this.#resume(socket, caller);
      return { socket, caller };
    } catch (thrown) {
      this.#connection = undefined;
      this.#lose();
      throw thrown;
    }
  }

  async #resume(socket: Socket, caller: Caller): Promise<void> {
    const subscribed = await Promise.all(
      this.#listeners.wallets.map(async (wallet) => {
        const after = this.#listeners.lastId(wallet);
        const args = after === undefined ? {} : { last_event_id: after };
        const result = await caller.call(SUBSCRIBE_COMMAND, args, undefined, wallet);
        return { wallet, result, isResumed: this.#begun(wallet, result) && after !== undefined };
      }),
    );
    if (subscribed.some(({ result }) => !result.ok && ERRORS[result.error.code].retryable)) {
      socket.destroy();
      return;
    }
    if (!this.#isLost) return;
    this.#isLost = false;
    for (const { wallet, isResumed } of subscribed) if (!isResumed) this.#listeners.announceMissed(wallet);
    this.#options.onBack?.();
  }

  #lose(): void {
    if (this.#closed) return;
    this.#isLost = true;
    if (this.#listeners.wallets.length === 0) return;
    this.#cancelRetry ??= (this.#options.after ?? systemAfter)(RETRY_MS, () => {
      this.#cancelRetry = undefined;
      if (this.#listeners.wallets.length > 0) void this.#call(HEALTH_COMMAND, {});
    });
  }

  #receive(socket: Socket, caller: Caller): void {
    const lines = new LineReader(MAX_ANSWER_BYTES);
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const line of lines.push(chunk)) caller.receive(parseLine(line));
      } catch {
        socket.destroy();
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#connection = undefined;
      caller.lose(
        new CompanionError(
          'COMPANION_UNREACHABLE',
          'The companion ended or cut the connection before it answered.',
        ),
      );
      this.#lose();
      this.#options.onLost?.();
    });
  }
}

/** Refused before sending, because the companion would cut the connection and with it other calls. */
function checkedLine(message: Message & { readonly command?: unknown }): Buffer {
  const line = encodeLine(message);
  const limit = commandInputLimit(message.command);
  if (line.length <= limit) return line;
  throw new CompanionError('BODY_TOO_LARGE', `The input must be at most ${inKib(limit)}.`);
}

function openSocket(path: string): Promise<Socket> {
  if (!path.startsWith('\\\\') && !isOwnSocket(path)) return Promise.reject(unreachable());
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (cause) => reject(unreachable(cause)));
  });
}

const unreachable = (cause?: unknown): CompanionError =>
  new CompanionError(
    'COMPANION_UNREACHABLE',
    'No companion answers on the private socket of this data directory. Start one with "wallet-companion serve".',
    cause === undefined ? {} : { cause },
  );
