// Adds the proofs that a PCZT lacks, of Orchard's and Ironwood's actions.

import { wipe } from '@wallet-companion/base/bytes';
import type { VestaKernel } from '@wallet-companion/kernel/vesta';
import type { Pczt } from '@wallet-companion/pczt/pczt';
import { ACTION_POOLS } from '@wallet-companion/zcash/pools';
import type { Circuit } from '../circuit/circuit.ts';
import { type CommitmentPoints, circuitOfBranch } from '../circuit/circuitFiles.ts';
import { prepare, preparedVerifier } from '../verifier/verifier.ts';
import type { ActionWitness } from '../witness/actionWitness.ts';
import { witnessesOf } from '../witness/pcztWitness.ts';
import { UnprovableError } from '../witness/unprovable.ts';
import type { WitnessCircuit } from '../witness/witnessCircuit.ts';
import type { RandomBytes } from './draws.ts';
import { Proving } from './prover.ts';
import { type CircuitTables, createProvingKey } from './provingKey.ts';

export interface ActionProverParts {
  readonly kernel: VestaKernel;
  readonly circuit: Circuit;
  readonly points: CommitmentPoints;
  readonly tables: CircuitTables;
  readonly witnesses: WitnessCircuit;
  /** The system's generator. */
  readonly random: RandomBytes;
}

export interface ActionProver {
  /**
   * Each proof is verified before it is given.
   *
   * @throws UnprovableError where the circuit has no proof for an action.
   */
  prove(pczt: Pczt): Pczt;
}

/** Takes some 0.6 s of processor and 60 MB of the kernel's memory, which it keeps. */
export function createActionProver(parts: ActionProverParts): ActionProver {
  const { kernel, circuit, points, tables, witnesses: witnessCircuit, random } = parts;
  const prepared = prepare(kernel, circuit, points);
  const key = createProvingKey(prepared, tables);
  const verifier = preparedVerifier(prepared, () => random(64));
  const prove = (witnesses: readonly ActionWitness[]): Uint8Array => {
    const proof = new Proving(key, witnesses, random).prove();
    const statement = witnesses.map(({ instance }) => instance);
    if (verifier.verify({ statement, proof }).kind !== 'valid')
      throw new UnprovableError('the witness breaks a constraint');
    return proof;
  };
  return {
    prove(pczt) {
      if (circuitOfBranch(pczt.global.consensusBranchId) !== circuit.name)
        throw new UnprovableError('the transaction is for an upgrade with another circuit');
      let proved = pczt;
      for (const pool of ACTION_POOLS) {
        if (pczt[pool].actions.length === 0 || pczt[pool].zkproof !== undefined) continue;
        const witnesses: ActionWitness[] = [];
        try {
          for (const witness of witnessesOf(witnessCircuit, pczt, pool)) witnesses.push(witness);
          proved = { ...proved, [pool]: { ...pczt[pool], zkproof: prove(witnesses) } };
        } finally {
          wipe(...witnesses.map(({ advice }) => advice));
        }
      }
      return proved;
    },
  };
}
