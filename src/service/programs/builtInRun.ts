// One call of a prover of packages/prover, with the time limit and the refusals of a program's run.

import { type PcztProver, ProverError, type ProverErrorCode } from '@wallet-companion/prover';
import type { ProgramContext } from '../../programs/programRun.ts';
import type { CompanionError } from '../../protocol/errors.ts';
import { DEFAULT_PROGRAM_SECONDS } from '../../protocol/pcztPrograms.ts';
import {
  noKernelForProofs,
  noSaplingProver,
  PROGRAM_ERRORS,
  wrongSaplingParameters,
} from './programErrors.ts';

const { none, busy, stopped, failed, tookTooLong } = PROGRAM_ERRORS.prover;

const NOT_PROVED: Readonly<Record<ProverErrorCode, () => CompanionError>> = {
  NOT_BUILT: none,
  NO_KERNEL: noKernelForProofs,
  SAPLING: noSaplingProver,
  PARAMETERS: wrongSaplingParameters,
  BUSY: busy,
  STOPPED: stopped,
  INVALID_PCZT: () => failed('The prover does not take this PCZT; the log says why.'),
  UNPROVABLE: () => failed('The prover cannot prove this payment; the log says why.'),
  WRONG_PROOF: () => failed('A proof that the payment already has is wrong.'),
  CRASHED: () => failed('The prover stopped before it had a proof; the payment may need too much memory.'),
};

interface RunContext extends Pick<ProgramContext, 'after'> {
  readonly log: { warn(fields: object, message: string): void };
}

/** Rejects with `NO_PROVER`, `BUSY` and `PROVER_FAILED`. */
export async function runBuiltIn(
  prover: PcztProver,
  pczt: Uint8Array,
  stop: AbortSignal,
  { after, log }: RunContext,
): Promise<Uint8Array<ArrayBuffer>> {
  const slow = new AbortController();
  const cancel = after(DEFAULT_PROGRAM_SECONDS * 1000, () => slow.abort());
  try {
    return await prover.prove(pczt, { signal: AbortSignal.any([stop, slow.signal]) });
  } catch (error) {
    if (!(error instanceof ProverError)) throw error;
    if (slow.signal.aborted) throw tookTooLong(DEFAULT_PROGRAM_SECONDS);
    if (!stop.aborted) log.warn({ failure: error.code, detail: error.message }, 'the prover failed');
    throw NOT_PROVED[error.code]();
  } finally {
    cancel();
  }
}
