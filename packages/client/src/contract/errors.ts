// The one taxonomy of failures (listed in docs/api.md). HTTP status, exit code and retry advice follow from the code
// alone, so that all surfaces report a failure in the same way.

import { systemReason, systemWords } from './systemReasons.ts';

interface ErrorClass {
  readonly status: number;
  readonly exit: number;
  readonly title: string;
  readonly retryable: boolean;
}

const EXIT = {
  input: 2,
  locked: 3,
  notFound: 4,
  conflict: 5,
  upstream: 6,
  storage: 7,
  internal: 70,
} as const;

const entry = (status: number, exit: number, title: string, retryable = false): ErrorClass => ({
  status,
  exit,
  title,
  retryable,
});

export const ERRORS = {
  INVALID_REQUEST: entry(400, EXIT.input, 'The request is not valid'),
  INVALID_MNEMONIC: entry(400, EXIT.input, 'The recovery phrase is not valid'),
  INVALID_PASSWORD_FORMAT: entry(400, EXIT.input, 'The password has the wrong format'),
  INVALID_URL: entry(400, EXIT.input, 'The URL is not valid'),
  INVALID_THEME: entry(400, EXIT.input, 'The theme is not known'),
  INVALID_RANGE: entry(400, EXIT.input, 'The block range is not valid'),
  INVALID_DB_PATH: entry(400, EXIT.input, 'The database path is not allowed'),
  INVALID_VIEWING_KEY: entry(400, EXIT.input, 'The viewing key is not valid'),
  INVALID_PCZT: entry(400, EXIT.input, 'The PCZT is not valid'),
  INSUFFICIENT_FUNDS: entry(409, EXIT.conflict, 'There is not enough that can be spent now'),
  CONSENT_NEEDED: entry(409, EXIT.conflict, 'The payment would make something public'),
  DEVICE_LIMIT: entry(409, EXIT.conflict, 'The device that signs does not sign such a payment'),
  PCZT_CHANGED: entry(409, EXIT.conflict, 'The PCZT is not what was prepared'),
  PAYMENT_INCOMPLETE: entry(409, EXIT.conflict, 'The payment lacks signatures or proofs'),
  PAYMENT_STATE: entry(409, EXIT.conflict, 'The payment is past that'),
  IDEMPOTENCY_KEY_IN_USE: entry(409, EXIT.conflict, 'Another payment has this idempotency key'),
  REFERENCE_IN_USE: entry(409, EXIT.conflict, 'Another invoice has this reference'),
  INVOICE_STATE: entry(409, EXIT.conflict, 'The invoice is past that'),
  DAY_STATE: entry(409, EXIT.conflict, 'No day is open, or none can be opened'),
  PRICE_UNAVAILABLE: entry(409, EXIT.conflict, 'There is no price in this currency', true),
  PRICE_STALE: entry(409, EXIT.conflict, 'The price is too old to be used without consent', true),
  ALREADY_REFUNDED: entry(409, EXIT.conflict, 'The invoice is refunded, or will be'),
  NO_PROVER: entry(409, EXIT.conflict, 'Nothing here makes these proofs'),
  NO_SIGNER: entry(409, EXIT.conflict, 'Nobody signs this payment here'),
  WRONG_PASSWORD: entry(401, EXIT.locked, 'The password is wrong'),
  GRANT_REQUIRED: entry(401, EXIT.locked, 'A grant is needed'),
  GRANT_EXPIRED: entry(401, EXIT.locked, 'The grant has expired'),
  GRANT_SCOPE: entry(403, EXIT.locked, 'The grant does not reach so far'),
  GRANT_LIMIT: entry(403, EXIT.locked, 'The payment is beyond what the grant allows'),
  ALLOWANCE_LIMIT: entry(403, EXIT.locked, 'The payment is beyond what the signer may sign'),
  ORIGIN_FORBIDDEN: entry(403, EXIT.input, 'This origin may not use the companion'),
  HOST_FORBIDDEN: entry(403, EXIT.input, 'The Host header is not a loopback name'),
  NOT_FOUND: entry(404, EXIT.notFound, 'There is no such resource'),
  NO_WALLET: entry(404, EXIT.notFound, 'There is no wallet yet'),
  METHOD_NOT_ALLOWED: entry(405, EXIT.input, 'The method is not allowed here'),
  WALLET_EXISTS: entry(409, EXIT.conflict, 'A wallet already exists'),
  SYNC_IN_PROGRESS: entry(409, EXIT.conflict, 'A sync is already running', true),
  NETWORK_MISMATCH: entry(409, EXIT.conflict, 'The other side belongs to another network'),
  CURSOR_UNKNOWN: entry(409, EXIT.conflict, 'The cursor does not belong to these records'),
  REORG_TOO_DEEP: entry(409, EXIT.conflict, 'The chain changed deeper than is followed without a rescan'),
  BODY_TOO_LARGE: entry(413, EXIT.input, 'The request body is too large'),
  UNSUPPORTED_MEDIA_TYPE: entry(415, EXIT.input, 'The request body must be JSON'),
  WALLET_LOCKED: entry(423, EXIT.locked, 'The wallet is locked'),
  TOO_MANY_ATTEMPTS: entry(429, EXIT.locked, 'Too many password attempts', true),
  RATE_LIMITED: entry(429, EXIT.upstream, 'Too many requests', true),
  INTERNAL: entry(500, EXIT.internal, 'Something went wrong inside the companion'),
  WALLET_CORRUPT: entry(500, EXIT.storage, 'The wallet file is damaged'),
  STORAGE_FAILED: entry(500, EXIT.storage, 'A file could not be read or written'),
  NODE_UNREACHABLE: entry(502, EXIT.upstream, 'The chain node cannot be reached', true),
  NODE_UNAUTHORIZED: entry(502, EXIT.upstream, 'The chain node refused our credentials'),
  NODE_BAD_RESPONSE: entry(502, EXIT.upstream, 'The chain node gave an unusable answer', true),
  COMPACT_SERVER_UNREACHABLE: entry(502, EXIT.upstream, 'The compact-block server cannot be reached', true),
  COMPACT_SERVER_BAD_RESPONSE: entry(
    502,
    EXIT.upstream,
    'The compact-block server gave an unusable answer',
    true,
  ),
  PEERS_UNREACHABLE: entry(502, EXIT.upstream, 'No peer of the network gives what is needed', true),
  PEERS_BAD_RESPONSE: entry(502, EXIT.upstream, 'The peers of the network cannot answer this', true),
  TRANSACTION_REFUSED: entry(502, EXIT.upstream, 'The other side refuses the transaction'),
  WITNESS_MISMATCH: entry(502, EXIT.upstream, 'Blocks and trees do not fit each other', true),
  PROVER_FAILED: entry(502, EXIT.upstream, 'The prover failed', true),
  SIGNER_FAILED: entry(502, EXIT.upstream, 'The signer failed', true),
  /** Command line only: the companion given with `--url` does not answer. */
  COMPANION_UNREACHABLE: entry(502, EXIT.upstream, 'The companion cannot be reached', true),
  BUSY: entry(503, EXIT.upstream, 'Busy at the moment', true),
  NODE_BEHIND: entry(503, EXIT.upstream, 'The chain node is behind this wallet', true),
  /** What a server shows is not on the chain of most work. */
  CHAIN_OF_LESS_WORK: entry(503, EXIT.upstream, 'The server follows a chain with less work', true),
  BLOCK_AHEAD_OF_CLOCK: entry(503, EXIT.upstream, "A block is ahead of this computer's clock", true),
  /** Only `/readyz` and the bridge to a shop report it. */
  NOT_READY: entry(503, EXIT.upstream, 'The companion is not ready in the sense that was asked for', true),
  THREAD_LOST: entry(503, EXIT.internal, 'A worker thread ended and was restarted', true),
  UPSTREAM_TIMEOUT: entry(504, EXIT.upstream, 'The other side did not answer in time', true),
} as const satisfies Record<string, ErrorClass>;

export type ErrorCode = keyof typeof ERRORS;

export interface FieldError {
  /** The field's path in the input, for example `password` or `activation_heights.nu5`. */
  readonly path: string;
  readonly message: string;
  /** What is wrong, for programs; absent where the failure's own code is all there is. */
  readonly code?: string;
}

const STEPS = ['sign', 'prove', 'send'] as const;

/** A payment that is kept, and the step that failed: the same call again goes on with it. */
export interface StoppedAt {
  readonly payment_id: string;
  readonly step: (typeof STEPS)[number];
}

/** For what another process or thread sent. */
export function isStoppedAt(value: unknown): value is StoppedAt {
  if (typeof value !== 'object' || value === null) return false;
  const { payment_id, step } = value as Record<string, unknown>;
  return typeof payment_id === 'string' && STEPS.some((known) => known === step);
}

/** A failure as plain data, which crosses threads, sockets and the C boundary. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  /** One clear sentence for the user that contains what to do. Never a path, key or stack. */
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** Seconds until a retry makes sense (`Retry-After`). */
  readonly retryAfterSeconds?: number;
  /** With `CONSENT_NEEDED`: the members of `privacy` that are missing. */
  readonly consents?: readonly string[];
  /** Set when a call that pays had prepared the payment. */
  readonly stoppedAt?: StoppedAt;
  /** Set when a sync fails half-way: the height up to which it was committed. */
  readonly lastScanHeight?: number;
}

/** The only error class thrown on purpose. Anything else that surfaces becomes `INTERNAL`. */
export class CompanionError extends Error {
  override readonly name = 'CompanionError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly lastScanHeight: number | undefined;
  readonly consents: readonly string[] | undefined;
  readonly stoppedAt: StoppedAt | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    more: Omit<ErrorRecord, 'code' | 'detail'> & { cause?: unknown } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.errors = more.errors;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.lastScanHeight = more.lastScanHeight;
    this.consents = more.consents;
    this.stoppedAt = more.stoppedAt;
  }

  /** The same failure of a call whose payment is kept. */
  stopped(stoppedAt: StoppedAt): CompanionError {
    const { code, detail, ...more } = this.toRecord();
    return new CompanionError(code, detail, { ...more, stoppedAt, cause: this });
  }

  toRecord(): ErrorRecord {
    return {
      code: this.code,
      detail: this.message,
      ...(this.errors === undefined ? {} : { errors: this.errors }),
      ...(this.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: this.retryAfterSeconds }),
      ...(this.lastScanHeight === undefined ? {} : { lastScanHeight: this.lastScanHeight }),
      ...(this.consents === undefined ? {} : { consents: this.consents }),
      ...(this.stoppedAt === undefined ? {} : { stoppedAt: this.stoppedAt }),
    };
  }

  static fromRecord(record: ErrorRecord): CompanionError {
    const { code, detail, ...more } = record;
    return new CompanionError(code, detail, more);
  }
}

/** A failure for one bad field. `detail`: its sentence, where it is not "`path` `message`." */
export const badField = (
  path: string,
  message: string,
  detail = `${path} ${message}.`,
  code: ErrorCode = 'INVALID_REQUEST',
  cause?: unknown,
): CompanionError => new CompanionError(code, detail, { errors: [{ path, message }], cause });

/** Maps anything thrown to a record, without the text of an unknown error: it may contain a path or a key. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  if (thrown instanceof CompanionError) return thrown.toRecord();
  const reason = systemReason(thrown);
  if (reason !== undefined)
    return { code: reason.code, detail: `This cannot be done here${systemWords(thrown)}` };
  return {
    code: 'INTERNAL',
    detail: 'An unexpected fault was logged; please report it if it happens again.',
  };
}

// Which parts of a failure may be logged, for every thread and surface.

/** Codes, class, file, stack and what the machine's code means, but never the message, because it may quote input. */
export function faultFields(fault: unknown): Record<string, unknown> {
  if (!(fault instanceof Error)) return { kind: typeof fault };
  const { code, path } = fault as { code?: unknown; path?: unknown };
  const reason = systemReason(fault)?.what;
  return {
    kind: fault.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(typeof path === 'string' ? { path } : {}),
    stack: fault.stack?.split('\n').filter((line) => line.startsWith('    at ')),
    ...(fault.cause === undefined ? {} : { cause: faultFields(fault.cause) }),
  };
}
