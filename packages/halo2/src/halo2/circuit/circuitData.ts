// The circuits and points of this package, from the files of its `data` folder as a caller reads them.

import type { CircuitName } from '@wallet-companion/zcash/network';
import { type Circuit, checkDigest, readCircuit } from './circuit.ts';

/** BLAKE2b-256 of circuit.json, by the circuit's name. */
const CIRCUITS = {
  /** For Orchard from NU6.2 until then. */
  'fixed-post-nu6-2': '5e680ca6e9213c13b68a1f738f5573c554324e6146ce2d0db9a91ab1714f09ae',
  /** What the network accepts for Orchard from NU6.3 on, and for Ironwood. */
  'post-nu6-3': 'b3f68cf778e297a5ff4ef01d076f63f74bc94c2fceadb2d061cd95b529fc216f',
} as const satisfies Record<CircuitName, string>;
/** The one that the network accepts in new blocks. Proofs of others are only verified here. */
export const PROVABLE_CIRCUIT: CircuitName = 'post-nu6-3';

const POINTS = '66887052c6c7d8e0babc2be078dd30bf6f2510ee5910f839d8eeeaa3466c0eb7';

/** The unpacked content of a file: `bases.bin`, or `post-nu6-3/circuit.json`, which lies there as `post-nu6-3/circuit.json.gz`. */
export type ReadData = (name: string) => Promise<Uint8Array>;

export const fetchCircuit = async (name: CircuitName, read: ReadData): Promise<Circuit> =>
  readCircuit(await read(`${name}/circuit.json`), CIRCUITS[name]);

/** A file that belongs to the circuit: `fixed.bin`, `sigma.bin` or `layout.json`. */
export async function fetchTable(
  { name, files }: Circuit,
  file: string,
  read: ReadData,
): Promise<Uint8Array> {
  const bytes = await read(`${name}/${file}`);
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

export async function fetchPoints(read: ReadData): Promise<CommitmentPoints> {
  const bytes = await read('bases.bin');
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
