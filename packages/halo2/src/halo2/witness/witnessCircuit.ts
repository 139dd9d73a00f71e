// What all witnesses of a circuit share: its layout, constants and the tables of its bases.
import {
  COMMIT_IVK,
  decodeInteger32,
  MERKLE_CRH_ORCHARD,
  NOTE_COMMIT_ORCHARD,
  ORCHARD_NULLIFIER_BASE,
  ORCHARD_SPEND_AUTH_BASE,
  ORCHARD_VALUE_BASE,
  ORCHARD_VALUE_RANDOMNESS_BASE,
  type PallasPoint,
} from '@wallet-companion/zcash/curves';
import { CELL_BYTES, ROWS } from './adviceTable.ts';
import type { CommitmentDomain } from './commitment.ts';
import { SCALAR_WINDOWS, VALUE_WINDOWS, WindowTable } from './fixedBase.ts';
import type { WitnessLayout } from './layout.ts';
import type { ValueBases } from './valueCommitment.ts';

/** Fixed columns: Sinsemilla's points S(j) in row j, the constants, and z of the windows. */
const WORD_X = 1;
const WORD_Y = 2;
const CONSTANTS = 3;
const WINDOW_Z = 11;
const WORDS = 1024;

export interface WitnessCircuit {
  readonly layout: WitnessLayout;
  /** The fixed column that copies of constants come from. */
  readonly constants: Uint8Array;
  /** S(j) */
  readonly words: readonly PallasPoint[];
  readonly merkleStart: PallasPoint;
  readonly valueBases: ValueBases;
  readonly nullifierBase: WindowTable;
  readonly spendAuthBase: WindowTable;
  readonly incomingKey: CommitmentDomain;
  readonly note: CommitmentDomain;
}

/** `fixed`: the columns one after the other, 32 bytes a cell. */
export function createWitnessCircuit(layout: WitnessLayout, fixed: Uint8Array): WitnessCircuit {
  const cell = (column: number, row: number): bigint =>
    decodeInteger32(fixed, (column * ROWS + row) * CELL_BYTES);
  /** The multiplications of a kind are in the circuit's order. */
  const tableOf = (base: PallasPoint, kind: string, index = 0, windows = SCALAR_WINDOWS): WindowTable => {
    const name = `${kind} fixed-base mul (incomplete addition)`;
    const { firstRow } = layout.regions.filter((region) => region.name === name)[index]!;
    return new WindowTable(
      base,
      Array.from({ length: windows }, (_, window) => cell(WINDOW_Z, firstRow + window)),
    );
  };
  const full = (base: PallasPoint, index: number) => tableOf(base, 'Full-width', index);
  return {
    layout,
    constants: fixed.subarray(CONSTANTS * ROWS * CELL_BYTES, (CONSTANTS + 1) * ROWS * CELL_BYTES),
    words: Array.from({ length: WORDS }, (_, j) => ({ x: cell(WORD_X, j), y: cell(WORD_Y, j) })),
    merkleStart: MERKLE_CRH_ORCHARD.start,
    valueBases: {
      value: tableOf(ORCHARD_VALUE_BASE.point, 'Short', 0, VALUE_WINDOWS),
      randomness: full(ORCHARD_VALUE_RANDOMNESS_BASE.point, 0),
    },
    nullifierBase: tableOf(ORCHARD_NULLIFIER_BASE.point, 'Base-field elem'),
    spendAuthBase: full(ORCHARD_SPEND_AUTH_BASE.point, 1),
    incomingKey: { start: COMMIT_IVK.start, randomness: full(COMMIT_IVK.randomnessBase.point, 2) },
    note: {
      start: NOTE_COMMIT_ORCHARD.start,
      randomness: full(NOTE_COMMIT_ORCHARD.randomnessBase.point, 3),
    },
  };
}
