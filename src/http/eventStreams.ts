// GET /api/events, and the same for each other wallet: server-sent events (WHATWG HTML, section 9.2). Their number is limited,
// and so is the buffer for a client that does not read; such a client is disconnected and can resume where it was.

import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { CompanionError } from '../protocol/errors.ts';
import type { EventLogs } from '../protocol/eventLogs.ts';
import { heardBy } from '../protocol/events.ts';
import { withTexts } from '../protocol/eventTexts.ts';
import { type AccessControl, mayUseWallet, type Permit } from '../protocol/grants.ts';
import { CallerShares } from './callerShares.ts';
import type { Sender } from './routes.ts';

const MAX_STREAMS = 48;
const MAX_STREAMS_OF_OWN_PAGES = 16;
/** Several thousand unread events: the client has stopped reading. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** Proxies and sleeping browsers drop connections that are silent for longer. */
const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2_000;

/** Calls back repeatedly until the returned function is called. */
export type Every = (intervalMs: number, callback: () => void) => () => void;

export class EventStreams {
  readonly #logs: EventLogs;
  readonly #every: Every;
  readonly #access: AccessControl;
  readonly #shares = new CallerShares(MAX_STREAMS, MAX_STREAMS_OF_OWN_PAGES);
  /** How each stops. */
  readonly #open = new Map<ServerResponse, () => void>();
  #ended = false;

  constructor(logs: EventLogs, every: Every, access: AccessControl) {
    this.#logs = logs;
    this.#every = every;
    this.#access = access;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Ends every stream; no new one can be opened. */
  end(): void {
    this.#ended = true;
    for (const [response, close] of this.#open) {
      close();
      response.end();
    }
  }

  readonly answer = (context: Context, sender: Sender): void => {
    if (this.#ended) throw new CompanionError('BUSY', 'The companion is stopping.');
    const giveBack = this.#shares.take(context, sender.permit);
    if (giveBack === undefined)
      throw new CompanionError('BUSY', 'Too many event streams are open; close one first.');
    context.set('content-type', 'text/event-stream; charset=utf-8');
    context.set('cache-control', 'no-store');
    // Nothing follows on this connection, so a stop does not have to wait until the client closes it.
    context.set('connection', 'close');
    // Prevents reverse proxies from buffering, which would delay events.
    context.set('x-accel-buffering', 'no');
    if (context.method !== 'HEAD') {
      this.#stream(context, sender, giveBack);
      return;
    }
    giveBack();
    context.body = '';
  };

  /** Written directly to the socket, since nothing else reports when a message is written and can be wiped. */
  #stream(context: Context, { permit: first, wallet }: Sender, giveBack: () => void): void {
    const { req, res } = context;
    context.status = 200;
    context.respond = false;
    const log = this.#logs.use(wallet);
    /** As it is now: the owner may have narrowed it since, or its time may be over. Then the stream ends. */
    const reader = (): Permit | undefined => {
      const permit = this.#access.renewed(first);
      if (mayUseWallet(permit, wallet)) return permit;
      res.destroy();
      return undefined;
    };
    let isCut = false;
    const send = (text: string | Uint8Array, written?: () => void): void => {
      if (!isCut && res.writableLength > MAX_UNREAD_BYTES) {
        isCut = true;
        // What was written leaves at the end of this turn: else a client that resumes would get no further, each time.
        setImmediate(() => res.destroy());
      }
      if (isCut) written?.();
      // The callback is also called when the message can no longer be written.
      else res.write(text, written);
    };
    const { 'last-event-id': lastSeen } = req.headers;
    const after = typeof lastSeen === 'string' ? lastSeen : undefined;
    // With an id at once, a client resumes also where the stream broke before the first event.
    send(`retry: ${RECONNECT_MS}\n${after === undefined ? `id: ${log.lastId}\n` : ''}\n`);
    const unfollow = log.follow(({ id, event }, texts) => {
      const permit = reader();
      const heard = permit && heardBy(permit, event, wallet);
      if (heard === undefined) return;
      const text = message(id, heard.event, heard.data);
      const bytes = texts && withTexts(text, MESSAGE_END, texts);
      send(bytes ?? text, () => bytes?.fill(0));
    }, after);
    const stopHeartbeat = this.#every(HEARTBEAT_MS, () => {
      if (reader() !== undefined) send(':\n\n');
    });
    const close = (): void => {
      stopHeartbeat();
      unfollow();
      if (this.#open.delete(res)) giveBack();
    };
    this.#open.set(res, close);
    res.once('close', close);
  }
}

const MESSAGE_END = '\n\n';

/** JSON has no raw line breaks, so the data is one line. */
const message = (id: string, name: string, data: object): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}${MESSAGE_END}`;
