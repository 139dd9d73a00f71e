// The witness's part of a circuit, from the files of this package. Needs Node.
import type { Circuit } from '../circuit/circuit.ts';
import { loadTable } from '../circuit/circuitFiles.ts';
import { readLayout } from './layout.ts';
import { createWitnessCircuit, type WitnessCircuit } from './witnessCircuit.ts';

export async function loadWitnessCircuit(circuit: Circuit): Promise<WitnessCircuit> {
  const layout = readLayout(await loadTable(circuit, 'layout.json'));
  return createWitnessCircuit(layout, await loadTable(circuit, 'fixed.bin'));
}
