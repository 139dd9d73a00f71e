// Why there is no proof. The text is for a log: the reference crates' name of what is wrong, without amounts, keys or memos.

/** The module's statuses (`Kind` in rust/src/failure.rs). */
const STATUS_CODES = {
  1: 'INVALID_PCZT',
  2: 'SAPLING',
  3: 'UNPROVABLE',
  4: 'WRONG_PROOF',
} as const;

export type ProverErrorCode =
  | (typeof STATUS_CODES)[keyof typeof STATUS_CODES]
  /** The module is not there: `npm run build:prover` makes it. */
  | 'NOT_BUILT'
  /** A call is running. */
  | 'BUSY'
  /** The caller has given it up, or the prover was closed. */
  | 'STOPPED'
  /** The module stopped: a PCZT that it cannot take, or no more memory. */
  | 'CRASHED';

const MAX_DETAIL = 200;

export class ProverError extends Error {
  override readonly name = 'ProverError';
  readonly code: ProverErrorCode;

  constructor(code: ProverErrorCode, detail: string) {
    super(detail.slice(0, MAX_DETAIL));
    this.code = code;
  }
}

export const failureOf = (status: number, detail: string): ProverError =>
  new ProverError(STATUS_CODES[status as keyof typeof STATUS_CODES] ?? 'CRASHED', detail);
