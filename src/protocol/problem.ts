// A failure as the one error shape of every surface; the package of the client reads it.

import type { Problem } from '@wallet-companion/client/contract';
import { ERRORS, type ErrorRecord } from './errors.ts';

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
    ...(record.errors === undefined ? {} : { errors: record.errors }),
    ...(record.lastScanHeight === undefined ? {} : { last_scan_height: record.lastScanHeight }),
  };
}
