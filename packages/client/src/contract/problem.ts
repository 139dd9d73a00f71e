// The one error shape of every surface: RFC 9457 "problem details" with the companion's stable code.

import {
  CompanionError,
  ERRORS,
  type ErrorCode,
  type ErrorRecord,
  type FieldError,
  isStoppedAt,
  type StoppedAt,
} from './errors.ts';

export const PROBLEM_TYPE = 'application/problem+json';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly request_id: string;
  /** Each with a `code`. */
  readonly errors?: readonly Required<FieldError>[];
  readonly consents?: readonly string[];
  readonly stopped_at?: StoppedAt;
  readonly last_scan_height?: number;
}

export function toProblem(record: ErrorRecord, requestId: string): Problem {
  const { status, title, retryable } = ERRORS[record.code];
  return {
    type: `urn:wallet-companion:problem:${record.code}`,
    title,
    status,
    detail: record.detail,
    code: record.code,
    retryable,
    request_id: requestId,
    ...(record.errors === undefined
      ? {}
      : {
          errors: record.errors.map(({ path, message, code = record.code }) => ({ path, message, code })),
        }),
    ...(record.consents === undefined ? {} : { consents: record.consents }),
    ...(record.stoppedAt === undefined ? {} : { stopped_at: record.stoppedAt }),
    ...(record.lastScanHeight === undefined ? {} : { last_scan_height: record.lastScanHeight }),
  };
}

/** Reads a problem from another process; undefined when a companion did not write it. */
export function tryProblem(body: unknown, retryAfterSeconds?: number): CompanionError | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const {
    code,
    detail,
    errors,
    consents,
    stopped_at: stoppedAt,
    last_scan_height: lastScanHeight,
  } = body as Record<string, unknown>;
  if (typeof code !== 'string' || !Object.hasOwn(ERRORS, code) || typeof detail !== 'string')
    return undefined;
  return new CompanionError(code as ErrorCode, detail, {
    ...(Array.isArray(errors) ? { errors: errors.filter(isFieldError) } : {}),
    ...(isTexts(consents) ? { consents } : {}),
    ...(isStoppedAt(stoppedAt) ? { stoppedAt } : {}),
    ...(typeof lastScanHeight === 'number' ? { lastScanHeight } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function isFieldError(value: unknown): value is FieldError {
  if (typeof value !== 'object' || value === null) return false;
  const { path, message, code } = value as Record<string, unknown>;
  return (
    typeof path === 'string' && typeof message === 'string' && ['string', 'undefined'].includes(typeof code)
  );
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
