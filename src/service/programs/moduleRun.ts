// One call of the prover's WebAssembly module, with the time limit and the refusals of a program's run: to make proofs, or to
// verify those of a program, which only a node would do otherwise.

import { type ModuleProver, ProverError, type ProverErrorCode } from '@wallet-companion/prover';
import type { ProgramContext } from '../../programs/programRun.ts';
import type { CompanionError } from '../../protocol/errors.ts';
import { DEFAULT_PROGRAM_SECONDS } from '../../protocol/pcztPrograms.ts';
import { noSaplingProver, PROGRAM_ERRORS } from './programErrors.ts';

const { none, busy, stopped, failed, tookTooLong } = PROGRAM_ERRORS.prover;

type Refusals = Readonly<Record<ProverErrorCode | 'TOO_SLOW', () => CompanionError>>;

const NOT_PROVED: Refusals = {
  NOT_BUILT: none,
  SAPLING: noSaplingProver,
  BUSY: busy,
  STOPPED: stopped,
  TOO_SLOW: () => tookTooLong(DEFAULT_PROGRAM_SECONDS),
  INVALID_PCZT: () => failed('The prover does not take this PCZT; the log says why.'),
  UNPROVABLE: () => failed('The prover cannot prove this payment; the log says why.'),
  WRONG_PROOF: () => failed('A proof that the payment already has is wrong.'),
  CRASHED: () => failed('The prover stopped before it had a proof; the payment may need too much memory.'),
};

const unverified = (): CompanionError =>
  failed("The proofs of the prover's program could not be verified, so none was taken; the log says why.");

const NOT_VERIFIED: Refusals = {
  NOT_BUILT: unverified,
  SAPLING: unverified,
  BUSY: busy,
  STOPPED: stopped,
  TOO_SLOW: () =>
    failed(
      `To verify the proofs of the prover's program took longer than ${DEFAULT_PROGRAM_SECONDS} s, so none was taken.`,
    ),
  INVALID_PCZT: () =>
    failed(
      "The prover's program wrote no PCZT whose proofs can be verified. Nothing of it was taken; the log says why.",
    ),
  UNPROVABLE: unverified,
  WRONG_PROOF: () =>
    failed(
      "A proof that the prover's program wrote is wrong, or of another transaction. Nothing of it was taken, and the payment can be proved again.",
    ),
  CRASHED: unverified,
};

interface ModuleContext extends Pick<ProgramContext, 'after'> {
  readonly log: { warn(fields: object, message: string): void };
}

/** Rejects with `NO_PROVER`, `BUSY` and `PROVER_FAILED`. */
export function runModule(
  module: ModuleProver,
  pczt: Uint8Array,
  stop: AbortSignal,
  context: ModuleContext,
): Promise<Uint8Array<ArrayBuffer>> {
  return inTime((signal) => module.prove(pczt, { signal }), stop, NOT_PROVED, 'the prover failed', context);
}

/**
 * Rejects with `BUSY` and `PROVER_FAILED`, and then wipes the answer. A PCZT that lacks what its proofs are for is refused: what it
 * has besides is compared with the payment later, so a proof that passes here is one of the payment. Sapling proofs pass.
 */
export async function verifyAnswer(
  module: ModuleProver,
  answer: Uint8Array,
  stop: AbortSignal,
  context: ModuleContext,
): Promise<void> {
  const verify = (signal: AbortSignal): Promise<void> => module.verify(answer, { signal });
  try {
    await inTime(verify, stop, NOT_VERIFIED, "the proofs of the prover's program were refused", context);
  } catch (error) {
    answer.fill(0);
    throw error;
  }
}

async function inTime<T>(
  call: (signal: AbortSignal) => Promise<T>,
  stop: AbortSignal,
  refusals: Refusals,
  problem: string,
  { after, log }: ModuleContext,
): Promise<T> {
  const slow = new AbortController();
  const cancel = after(DEFAULT_PROGRAM_SECONDS * 1000, () => slow.abort());
  try {
    return await call(AbortSignal.any([stop, slow.signal]));
  } catch (error) {
    if (!(error instanceof ProverError)) throw error;
    if (slow.signal.aborted) throw refusals.TOO_SLOW();
    if (!stop.aborted) log.warn({ failure: error.code, detail: error.message }, problem);
    throw refusals[error.code]();
  } finally {
    cancel();
  }
}
