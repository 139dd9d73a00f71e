// Adds the proofs that a PCZT lacks, of Orchard's and Ironwood's actions.

import { wipe } from '@wallet-companion/base/bytes';
import type { VestaKernel } from '@wallet-companion/kernel/vesta';
import type { Pczt } from '@wallet-companion/pczt/pczt';
import { effectsOfPczt } from '@wallet-companion/pczt/pcztRoles';
import { circuitOfBranch } from '@wallet-companion/zcash/network';
import { ACTION_POOLS, type ActionPool } from '@wallet-companion/zcash/pools';
import type { Circuit } from '../circuit/circuit.ts';
import type { CommitmentPoints } from '../circuit/circuitData.ts';
import { prepare, preparedVerifier } from '../verifier/verifier.ts';
import { wrongProofs } from '../verifier/wrongProofs.ts';
import type { ActionWitness } from '../witness/actionWitness.ts';
import { witnessesOf } from '../witness/pcztWitness.ts';
import { UnprovableError } from '../witness/unprovable.ts';
import type { WitnessCircuit } from '../witness/witnessCircuit.ts';
import type { RandomBytes } from './draws.ts';
import type { ProofHelper } from './proofWork.ts';
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
  /** A second thread. */
  readonly helper?: ProofHelper;
}

export interface ActionProver {
  /**
   * Each proof is verified before it is given.
   *
   * @throws UnprovableError where the circuit has no proof for an action.
   */
  prove(pczt: Pczt): Promise<Pczt>;
  /** The pools of actions whose proof is there and is not one of this transaction. */
  findWrongProofs(pczt: Pczt): readonly ActionPool[];
}

/** Takes some 0.6 s of processor and 60 MB of the kernel's memory, which it keeps. */
export function createActionProver(parts: ActionProverParts): ActionProver {
  const { kernel, circuit, points, tables, witnesses: witnessCircuit, random, helper } = parts;
  const prepared = prepare(kernel, circuit, points);
  // A helper computes the other pass.
  const key = createProvingKey(prepared, tables, helper);
  const verifier = preparedVerifier(prepared, () => random(64));
  const prove = async (witnesses: readonly ActionWitness[]): Promise<Uint8Array> => {
    const proof = await new Proving(key, witnesses, random, helper).prove();
    const statement = witnesses.map(({ instance }) => instance);
    if (verifier.verify({ statement, proof }).kind !== 'valid')
      throw new UnprovableError('the witness breaks a constraint');
    return proof;
  };
  const check = ({ global }: Pczt): void => {
    if (circuitOfBranch(global.consensusBranchId) !== circuit.name)
      throw new UnprovableError('the transaction is for an upgrade with another circuit');
  };
  return {
    findWrongProofs(pczt) {
      if (ACTION_POOLS.every((pool) => pczt[pool].zkproof === undefined)) return [];
      check(pczt);
      return wrongProofs(kernel, verifier, effectsOfPczt(pczt), (pool) => pczt[pool].zkproof);
    },
    async prove(pczt) {
      check(pczt);
      let proved = pczt;
      for (const pool of ACTION_POOLS) {
        if (pczt[pool].actions.length === 0 || pczt[pool].zkproof !== undefined) continue;
        const witnesses: ActionWitness[] = [];
        try {
          for (const witness of witnessesOf(witnessCircuit, pczt, pool)) witnesses.push(witness);
          proved = { ...proved, [pool]: { ...pczt[pool], zkproof: await prove(witnesses) } };
        } finally {
          wipe(...witnesses.map(({ advice }) => advice));
        }
      }
      return proved;
    },
  };
}
