// Why a program of config.json, or a built-in prover in the place of one, added nothing, in sentences for the caller. What it wrote
// itself is in the log.

import { CompanionError, type ErrorCode } from '../../protocol/errors.ts';
import { NO_SAPLING_PROOFS, type PcztRole } from '../../protocol/pcztPrograms.ts';

interface Texts {
  readonly none: string;
  readonly busy: string;
  readonly stopped: string;
}

function errorsOf(role: PcztRole, noneCode: ErrorCode, failedCode: ErrorCode, texts: Texts) {
  const failed = (sentence: string): CompanionError => new CompanionError(failedCode, sentence);
  return {
    none: () => new CompanionError(noneCode, texts.none),
    busy: () => new CompanionError('BUSY', texts.busy),
    stopped: () => failed(texts.stopped),
    tookTooLong: (seconds: number) => failed(`The ${role} took longer than ${seconds} s and was ended.`),
    failed,
  };
}

export type ProgramErrors = ReturnType<typeof errorsOf>;

export const PROGRAM_ERRORS: Readonly<Record<PcztRole, ProgramErrors>> = {
  prover: errorsOf('prover', 'NO_PROVER', 'PROVER_FAILED', {
    none: 'The module that "prover" in config.json asks for was not built: run "npm run build:prover", or remove the setting, and the built-in prover makes the proofs.',
    busy: 'Other proofs are being made; try again in a while.',
    stopped: 'The proof was given up before it was made.',
  }),
  signer: errorsOf('signer', 'NO_SIGNER', 'SIGNER_FAILED', {
    none: 'No program that signs is configured: name one as "signer" in config.json, or sign the PCZT elsewhere and combine it.',
    busy: 'Other payments are being signed; try again in a while.',
    stopped: 'The payment was given up before it was signed.',
  }),
};

export const noKernelForProofs = (): CompanionError =>
  new CompanionError(
    'NO_PROVER',
    'The built-in prover does not run on this machine: name a program as "prover" in config.json, or "module" where it was built.',
  );

export const noSaplingProver = (): CompanionError => new CompanionError('NO_PROVER', NO_SAPLING_PROOFS);

export const wrongSaplingParameters = (): CompanionError =>
  new CompanionError(
    'NO_PROVER',
    "A file of Sapling's parameters cannot be read, or is not the one that was published; the log names it. Get both again.",
  );
