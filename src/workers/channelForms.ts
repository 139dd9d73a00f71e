// The forms of message that a channel accepts, in comlink's protocol. A request may only apply a method of the table to one
// plain-data argument: else the other side could walk from an exposed object to a constructor and run code here, or
// replace a method. A reply may only be a tagged result as plain data: else it could plant a proxy that each use calls
// back, or throw anything. All are built again from the checked parts.

import { ERRORS, type ErrorRecord, type FieldError, isStoppedAt } from '../protocol/errors.ts';
import { failure, ok, type Result } from '../protocol/result.ts';

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface ChannelRequest {
  /** Undefined: an event, which is not answered. */
  readonly id: string | undefined;
  readonly method: string;
  readonly argument: unknown;
}

export function requestOf(data: unknown): ChannelRequest | undefined {
  if (!isRecord(data)) return undefined;
  const { id, type, path, argumentList } = data;
  if (type !== 'APPLY' || (id !== undefined && typeof id !== 'string')) return undefined;
  if (!Array.isArray(path) || path.length !== 1 || typeof path[0] !== 'string') return undefined;
  if (!Array.isArray(argumentList) || argumentList.length !== 1) return undefined;
  const argument: unknown = argumentList[0];
  if (!isRecord(argument) || argument['type'] !== 'RAW') return undefined;
  return { id, method: path[0], argument: argument['value'] };
}

export const requestForm = ({ id, method, argument }: ChannelRequest): object => ({
  ...(id === undefined ? {} : { id }),
  type: 'APPLY',
  path: [method],
  argumentList: [rawValue(argument)],
});

/** The id that a reply names, if it is one. */
export const replyId = (data: unknown): string | undefined =>
  isRecord(data) && typeof data['id'] === 'string' ? data['id'] : undefined;

/** A reply to an open call. The caller always gets an answer: `INTERNAL` for data that is no result. */
export const replyForm = (id: string, data: unknown): object => ({
  id,
  ...rawValue(resultOf(data) ?? failure(undefined)),
});

/** The bytes of a reply that nobody waits for any more. */
export function wipeReply(data: unknown): void {
  const result = resultOf(data);
  if (result?.ok && result.value instanceof Uint8Array) result.value.fill(0);
}

export const rawValue = (value: unknown): object => ({ type: 'RAW', value });

function resultOf(data: unknown): Result<unknown> | undefined {
  const given = isRecord(data) && data['type'] === 'RAW' ? data['value'] : undefined;
  if (!isRecord(given)) return undefined;
  if (given['ok'] === true) return ok(given['value']);
  const error = given['ok'] === false ? checkedError(given['error']) : undefined;
  return error === undefined ? undefined : { ok: false, error };
}

function checkedError(given: unknown): ErrorRecord | undefined {
  if (!isRecord(given)) return undefined;
  const { code, detail, errors, retryAfterSeconds, lastScanHeight, consents, stoppedAt } = given;
  if (typeof code !== 'string' || !Object.hasOwn(ERRORS, code) || typeof detail !== 'string')
    return undefined;
  return {
    code: code as ErrorRecord['code'],
    detail,
    ...(Array.isArray(errors) ? { errors: errors.flatMap(checkedField) } : {}),
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
    ...(typeof lastScanHeight === 'number' ? { lastScanHeight } : {}),
    ...(Array.isArray(consents) ? { consents: consents.filter((one) => typeof one === 'string') } : {}),
    ...(isStoppedAt(stoppedAt) ? { stoppedAt } : {}),
  };
}

function checkedField(given: unknown): FieldError[] {
  if (!isRecord(given)) return [];
  const { path, message, code } = given;
  if (typeof path !== 'string' || typeof message !== 'string') return [];
  return [{ path, message, ...(typeof code === 'string' ? { code } : {}) }];
}
