// The messages of every channel that is not HTTP: objects over a MessagePort, one line of JSON each over the socket.
//
//   -> {id, command, args?, request_id?, wallet?}
//   <- {id, result}  or  {id, error, retry_after_seconds?}      error: the problem record that HTTP has as body
//   <- {event_id, event, data, wallet?}                         after `events_subscribe`
//
// `events_subscribe` answers with `last_event_id`. With that of the last event that came, a new channel first gets what came
// after it, or `events.missed`, as over HTTP with `Last-Event-ID`.
//
// `grant_present` with a token makes the channel that grant's.
//
// `wallet` names a wallet other than the default one; `events_subscribe` with it subscribes to that wallet's events, each
// of which contains its name.
//
// `id` is chosen by the caller and returned unchanged; answers come in the order in which they are ready. A message
// that cannot be understood is answered with `id: null`.

import { checkedWallet } from '@wallet-companion/client/contract';
import { badField, CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import type { Result } from '../protocol/result.ts';
import { fromCommandFailure, toCommandFailure } from './commands.ts';

export type MessageId = number | string;

export interface Request {
  readonly id: MessageId;
  readonly command: string;
  readonly args: unknown;
  /** Names the call in the companion's log. */
  readonly requestId: string | undefined;
  /** Undefined for the default wallet. */
  readonly wallet: string | undefined;
}

export type Message = object;

/** Commands about the channel itself. They are not operations: HTTP has /healthz and /api/events instead. */
export const HEALTH_COMMAND = 'health';
export const SUBSCRIBE_COMMAND = 'events_subscribe';
export const UNSUBSCRIBE_COMMAND = 'events_unsubscribe';
/** `{token}`: from then on the channel is that grant's, and no more than that, until it is closed. */
export const PRESENT_COMMAND = 'grant_present';

/**
 * Calls of one channel that may run at a time. An answer is at most about 1.5 MB (a page of 1,000 notes with memos), so
 * this bounds the memory that a peer which never reads can occupy.
 */
export const MAX_RUNNING = 16;

const MAX_ID_LENGTH = 64;
const REQUEST_ID = /^[\w.-]{1,64}$/;
const MEMBERS = ['id', 'command', 'args', 'request_id', 'wallet'];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isMessageId = (value: unknown): value is MessageId =>
  typeof value === 'string' ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value);

/** The id for the answer; null when the message has no usable one. */
export function idOf(message: unknown): MessageId | null {
  return isRecord(message) && isMessageId(message['id']) ? message['id'] : null;
}

/** Throws `INVALID_REQUEST` for anything that is not a request. */
export function parseRequest(message: unknown): Request {
  const invalid = (path: string, expected: string) =>
    badField(path, expected, `The message's ${path} ${expected}.`);
  if (!isRecord(message)) throw new CompanionError('INVALID_REQUEST', 'A message must be a JSON object.');
  const unknown = Object.keys(message).find((key) => !MEMBERS.includes(key));
  if (unknown !== undefined) throw invalid(unknown, 'is not a known member');
  const { id, command, args = {}, request_id: requestId = undefined, wallet } = message;
  if (!isMessageId(id)) throw invalid('id', `must be an integer or at most ${MAX_ID_LENGTH} characters`);
  if (typeof command !== 'string') throw invalid('command', 'must be a string');
  if (requestId !== undefined && !(typeof requestId === 'string' && REQUEST_ID.test(requestId))) {
    throw invalid('request_id', 'must be 1 to 64 letters, digits, dots, dashes or underscores');
  }
  return { id, command, args, requestId, wallet: checkedWallet(wallet) };
}

export const resultMessage = (id: MessageId, result: Result<unknown>, requestId: string): Message =>
  result.ok ? { id, result: result.value } : failureMessage(id, result.error, requestId);

export const failureMessage = (id: MessageId | null, error: ErrorRecord, requestId: string): Message => ({
  id,
  ...toCommandFailure(error, requestId),
});

export type FromCompanion =
  | { readonly kind: 'result'; readonly id: MessageId | null; readonly result: Result<unknown> }
  | {
      readonly kind: 'event';
      readonly event: CompanionEvent;
      readonly wallet: string | undefined;
      readonly id: string | undefined;
    };

/** Reads a message from a companion; undefined when it is not one. */
export function tryFromCompanion(message: unknown): FromCompanion | undefined {
  if (!isRecord(message)) return undefined;
  if (typeof message['event'] === 'string') {
    const { event, data, wallet, event_id: id } = message;
    return {
      kind: 'event',
      event: { event, data } as CompanionEvent,
      wallet: typeof wallet === 'string' ? wallet : undefined,
      id: typeof id === 'string' ? id : undefined,
    };
  }
  if (Object.hasOwn(message, 'error')) {
    const error = fromCommandFailure(message['error'], message['retry_after_seconds']).toRecord();
    return { kind: 'result', id: idOf(message), result: { ok: false, error } };
  }
  const id = idOf(message);
  if (id === null || !Object.hasOwn(message, 'result')) return undefined;
  return { kind: 'result', id, result: { ok: true, value: message['result'] } };
}
