// The circuits and points of this package, as files. Needs Node.

import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { isUnderUpgrade } from '@wallet-companion/zcash/network';
import { type Circuit, checkDigest, readCircuit } from './circuit.ts';

/** BLAKE2b-256 of circuit.json, by the circuit's name. */
const CIRCUITS = {
  /** For Orchard from NU6.2 until then. */
  'fixed-post-nu6-2': '5e680ca6e9213c13b68a1f738f5573c554324e6146ce2d0db9a91ab1714f09ae',
  /** What the network accepts for Orchard from NU6.3 on, and for Ironwood. */
  'post-nu6-3': 'b3f68cf778e297a5ff4ef01d076f63f74bc94c2fceadb2d061cd95b529fc216f',
} as const;
export type CircuitName = keyof typeof CIRCUITS;

/** The circuit of Orchard and Ironwood under a consensus branch; undefined for those that the network no longer takes. */
export function circuitOfBranch(branchId: number): CircuitName | undefined {
  if (isUnderUpgrade(branchId, 'nu6_3')) return 'post-nu6-3';
  return isUnderUpgrade(branchId, 'nu6_2') ? 'fixed-post-nu6-2' : undefined;
}

const POINTS = '66887052c6c7d8e0babc2be078dd30bf6f2510ee5910f839d8eeeaa3466c0eb7';

const read = (name: string): Promise<Uint8Array> =>
  readFile(new URL(`../../../../data/${name}`, import.meta.url));

export async function loadCircuit(name: CircuitName): Promise<Circuit> {
  return readCircuit(gunzipSync(await read(`${name}/circuit.json.gz`)), CIRCUITS[name]);
}

/** A file that belongs to the circuit: `fixed.bin`, `sigma.bin` or `layout.json`. */
export async function loadTable({ name, files }: Circuit, file: string): Promise<Uint8Array> {
  const bytes = gunzipSync(await read(`${name}/${file}.gz`));
  checkDigest(bytes, files[file]!.blake2b_256, file);
  return bytes;
}

/** The encoded points of commitments: for coefficients, for values in rows, for blinds (W), and U. */
export interface CommitmentPoints {
  readonly coefficients: Uint8Array;
  readonly values: Uint8Array;
  readonly blind: Uint8Array;
  readonly product: Uint8Array;
}

export async function loadPoints(): Promise<CommitmentPoints> {
  const bytes = new Uint8Array(await read('bases.bin'));
  checkDigest(bytes, POINTS, 'bases.bin');
  const rows = (bytes.length / 32 - 2) / 2;
  const part = (from: number, count: number) => bytes.subarray(from * 32, (from + count) * 32);
  return {
    coefficients: part(0, rows),
    values: part(rows, rows),
    blind: part(2 * rows, 1),
    product: part(2 * rows + 1, 1),
  };
}
