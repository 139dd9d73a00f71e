// The link through a running companion's HTTP front, and its events: the client over node:http, not fetch. Fetch times out
// after five minutes, and a sync may take longer.

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  type ClientOptions,
  connect,
  type FetchedResponse,
  type ReceivedEvent,
  type StreamState,
} from '@wallet-companion/client';
import { checkedWallet, tryCompanionUrl } from '@wallet-companion/client/contract';
import { badField, CompanionError } from '../protocol/errors.ts';
import type { Dispatcher } from '../protocol/link.ts';
import { type CallContext, isOfWallet, type OperationName, parseInput } from '../protocol/operations.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import type { ConnectEvents } from './cliEnvironment.ts';
import { whileItLives } from './signOfLife.ts';

/** `base` is the companion's URL, `token` that of a grant. Failures to reach it are `COMPANION_UNREACHABLE`. */
export function httpLink(base: string, token?: string): Dispatcher {
  const options = clientOptions(base, token);
  return {
    async dispatch(name, input, { requestId, wallet }: CallContext): Promise<Result<never>> {
      const ending = new AbortController();
      try {
        const { signal } = ending;
        const { call } = connect(
          {
            ...options,
            signal,
            fetch: (url, init) =>
              nodeFetch(url, { ...init, headers: { ...init.headers, 'x-request-id': requestId } }),
          },
          checkedWallet(isOfWallet(name) ? wallet : undefined),
        );
        const answer = await whileItLives(
          `The companion at ${new URL(base).origin}`,
          (call as (name: OperationName, input: object) => Promise<unknown>)(name, parseInput(name, input)),
          async () => (await nodeFetch(`${base.replace(/\/$/, '')}/healthz`, { signal })).text(),
        );
        return ok(answer as never);
      } catch (thrown) {
        return failure(thrown);
      } finally {
        ending.abort();
      }
    },
  };
}

/** Each connection resumes after the last event of the one before. */
export function httpEvents(base: string, wallet?: string, token?: string): ConnectEvents {
  const link = httpLink(base, token);
  const { events } = connect(clientOptions(base, token), wallet);
  let lastEventId: string | undefined;
  return (listener, onLost) =>
    new Promise((resolve, reject) => {
      const ending = new AbortController();
      const close = (): void => ending.abort();
      const onState = (state: StreamState): void => {
        if (state.kind === 'open') {
          resolve({ link, close });
          return;
        }
        ({ lastEventId } = state);
        throw state.error;
      };
      const read = async (stream: AsyncIterable<ReceivedEvent>): Promise<void> => {
        for await (const { id: _, ...event } of stream) listener(event);
      };
      const resumed = lastEventId === undefined ? {} : { lastEventId };
      read(events({ ...resumed, signal: ending.signal, onState })).catch((thrown) => {
        reject(thrown);
        if (!ending.signal.aborted) onLost();
      });
    });
}

/** Throws `INVALID_URL`. */
function clientOptions(base: string, token: string | undefined): ClientOptions {
  const companion = tryCompanionUrl(base);
  if (companion === undefined) {
    throw badField(
      'url',
      'must be an http or https URL',
      'Give the companion as --url http://127.0.0.1:PORT.',
      'INVALID_URL',
    );
  }
  return {
    baseUrl: base,
    fetch: nodeFetch,
    unreachable: (cause) =>
      new CompanionError(
        'COMPANION_UNREACHABLE',
        `No companion answers at ${companion.origin}. Start one with "wallet-companion serve", or leave --url out.`,
        { cause },
      ),
    ...(token === undefined ? {} : { token }),
  };
}

function nodeFetch(target: string, { method, headers, body, signal }: RequestInit): Promise<FetchedResponse> {
  const url = new URL(target);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  // One connection for each call: an idle connection would keep the process alive.
  const options = { method: method ?? 'GET', headers, agent: false, ...(signal ? { signal } : {}) };
  return new Promise((resolve, reject) => {
    open(url, options as object, (incoming) => resolve(responseOf(incoming)))
      .on('error', reject)
      .end(body);
  });
}

const responseOf = (incoming: IncomingMessage): FetchedResponse => ({
  ok: Math.floor((incoming.statusCode ?? 0) / 100) === 2,
  headers: { get: (name) => incoming.headers[name]?.toString() ?? null },
  get body() {
    return Readable.toWeb(incoming) as FetchedResponse['body'];
  },
  text: () => text(incoming),
});
