// Why there is no proof. The text is for a log: what is wrong, without amounts, keys or memos.

/** The statuses of threads: the first four are also `Kind` in rust/src/failure.rs. */
export const STATUS = {
  INVALID_PCZT: 1,
  /** Sapling proofs are missing, which this prover does not make. */
  SAPLING: 2,
  UNPROVABLE: 3,
  WRONG_PROOF: 4,
  /** No build of the kernel works on this machine. */
  NO_KERNEL: 5,
} as const;

export type ProverErrorCode =
  | keyof typeof STATUS
  /** The module is not there: `npm run build:prover` makes it. */
  | 'NOT_BUILT'
  /** A file of Sapling's parameters is not there, or is another one. */
  | 'PARAMETERS'
  /** A call is running. */
  | 'BUSY'
  /** The caller has given it up, or the prover was closed. */
  | 'STOPPED'
  /** The prover stopped: a PCZT that it cannot take, or no more memory. */
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

export function failureOf(status: number, detail: string): ProverError {
  const [code = 'CRASHED'] = Object.entries(STATUS).find(([, known]) => known === status) ?? [];
  return new ProverError(code as ProverErrorCode, detail);
}
