// Whether anything here can prove a proposed payment, found out before its notes are reserved: Sapling's proofs need parameters
// that are no part of the program.

import type { OwnNote, Proposal } from '@wallet-companion/pczt/spending';
import { CompanionError } from '../../../protocol/errors.ts';
import { NO_SAPLING_PROOFS } from '../../../protocol/pcztPrograms.ts';
import type { Prover } from '../ports/prover.ts';

/** Sentences about proofs that have to be made elsewhere. Throws `NO_PROVER` unless the caller wants the payment all the same. */
export async function checkProver(
  { valueBalances }: Pick<Proposal<OwnNote>, 'valueBalances'>,
  prover: Prover,
  tryAnyway: boolean,
): Promise<string[]> {
  if (valueBalances.sapling === undefined || (await prover.provesSapling())) return [];
  if (tryAnyway) return [NO_SAPLING_PROOFS];
  throw new CompanionError(
    'NO_PROVER',
    `The payment needs Sapling proofs. ${NO_SAPLING_PROOFS} To have it proved elsewhere, set try_anyway.`,
  );
}
