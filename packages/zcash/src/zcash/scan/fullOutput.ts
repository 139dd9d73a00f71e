// One output of a full transaction, with the fields that its compact form lacks, in one shape for all pools.
import { orchardAction } from '../encoding/orchardBundle.ts';
import { saplingOutput } from '../encoding/saplingBundle.ts';
import type { Transaction } from '../encoding/transaction.ts';
import { isActionPool, type Pool } from '../pools.ts';

const NO_RHO = new Uint8Array(0);

/** Views on the transaction's bytes. */
export interface FullOutput {
  readonly cv: Uint8Array;
  /** The action's own nullifier; empty in Sapling. */
  readonly rho: Uint8Array;
  /** cmu or cmx. */
  readonly commitment: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  /** 580 bytes. */
  readonly encCiphertext: Uint8Array;
  /** 80 bytes. */
  readonly outCiphertext: Uint8Array;
}

/**
 * One output with its full ciphertexts, in one form for all pools; views of the transaction. `index`: among the Sapling
 * outputs, or among the actions of the pool's bundle.
 */
export function fullOutput(transaction: Transaction, pool: Pool, index: number): FullOutput {
  if (isActionPool(pool)) {
    const { cmx, nullifier, ...action } = orchardAction(transaction[pool], index);
    return { ...action, commitment: cmx, rho: nullifier };
  }
  const { cmu, ...output } = saplingOutput(transaction[pool], index);
  return { ...output, commitment: cmu, rho: NO_RHO };
}
