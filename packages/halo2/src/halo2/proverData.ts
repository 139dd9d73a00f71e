// What a prover of the network's circuit is made of, from the files of the `data` folder.

import {
  fetchCircuit,
  fetchPoints,
  fetchTable,
  PROVABLE_CIRCUIT,
  type ReadData,
} from './circuit/circuitData.ts';
import type { ActionProverParts } from './prover/actionProver.ts';
import { readLayout } from './witness/layout.ts';
import { createWitnessCircuit } from './witness/witnessCircuit.ts';

export type ProverData = Pick<ActionProverParts, 'circuit' | 'points' | 'tables' | 'witnesses'>;

/** An Error where a file is damaged. */
export async function fetchProverData(read: ReadData): Promise<ProverData> {
  const circuit = await fetchCircuit(PROVABLE_CIRCUIT, read);
  const [points, fixed, sigma, layout] = await Promise.all([
    fetchPoints(read),
    fetchTable(circuit, 'fixed.bin', read),
    fetchTable(circuit, 'sigma.bin', read),
    fetchTable(circuit, 'layout.json', read),
  ]);
  const witnesses = createWitnessCircuit(readLayout(layout), fixed);
  return { circuit, points, tables: { fixed, sigma }, witnesses };
}
