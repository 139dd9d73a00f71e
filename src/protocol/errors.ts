// The taxonomy of failures, which the package of the client has: what installs without the companion throws them too.

export type { ErrorCode, ErrorRecord, FieldError, StoppedAt } from '@wallet-companion/client/contract';
export {
  badField,
  CompanionError,
  ERRORS,
  isStoppedAt,
  toErrorRecord,
} from '@wallet-companion/client/contract';
