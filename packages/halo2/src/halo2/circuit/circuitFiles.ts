// The circuits and points as files of this package. Needs Node.

import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { CircuitName } from '@wallet-companion/zcash/network';
import type { Circuit } from './circuit.ts';
import { type CommitmentPoints, fetchCircuit, fetchPoints, fetchTable } from './circuitData.ts';

export async function readPackaged(name: string): Promise<Uint8Array> {
  const read = (file: string) => readFile(new URL(`../../../../data/${file}`, import.meta.url));
  return new Uint8Array(name === 'bases.bin' ? await read(name) : gunzipSync(await read(`${name}.gz`)));
}

export const loadCircuit = (name: CircuitName): Promise<Circuit> => fetchCircuit(name, readPackaged);

/** A file that belongs to the circuit: `fixed.bin`, `sigma.bin` or `layout.json`. */
export const loadTable = (circuit: Circuit, file: string): Promise<Uint8Array> =>
  fetchTable(circuit, file, readPackaged);

export const loadPoints = (): Promise<CommitmentPoints> => fetchPoints(readPackaged);
