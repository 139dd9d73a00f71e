// The advice table and the public inputs of one action. The regions are filled in the circuit's order; the copies follow from
// them. Like all of this folder it takes a time that depends on its secrets, and its big integers cannot be wiped: it belongs
// on a thread of its own, where no one measures it.
import { concatBytes, wipe } from '@wallet-companion/base/bytes';
import { encodeInteger32, type PallasPoint } from '@wallet-companion/zcash/curves';
import { AdviceTable, CELL_BYTES } from './adviceTable.ts';
import { addCompletely, assignAddition } from './completeAddition.ts';
import { assignFullScalar, multiplyFixedBase } from './fixedBase.ts';
import { assignIncomingKey, commitIncomingKey } from './incomingKey.ts';
import { type Region, Regions } from './layout.ts';
import { assignMerklePath, type MerklePath } from './merklePath.ts';
import { assignNoteCommitment, commitNote, type WitnessNote } from './noteCommitment.ts';
import { assignNullifier } from './nullifier.ts';
import { UnprovableError } from './unprovable.ts';
import { assignValueCommitment } from './valueCommitment.ts';
import { assignVariableBase } from './variableBase.ts';
import type { WitnessCircuit } from './witnessCircuit.ts';

export interface ActionInputs {
  readonly spent: WitnessNote;
  /** The spend validating key. */
  readonly ak: PallasPoint;
  readonly nk: bigint;
  /** Key of the scope that the spent note's address has. */
  readonly rivk: bigint;
  readonly path: MerklePath;
  readonly alpha: bigint;
  /** Its rho is the spent note's nullifier. */
  readonly created: Omit<WitnessNote, 'rho'>;
  readonly rcv: bigint;
  readonly anchor: bigint;
  readonly enablesSpends: boolean;
  readonly enablesOutputs: boolean;
  readonly disablesCrossAddress: boolean;
}

/** Anchor, x and y of cv_net, nullifier, x and y of rk, cmx, and the three flags. */
export type PublicInputs = readonly [
  anchor: bigint,
  cvX: bigint,
  cvY: bigint,
  nullifier: bigint,
  rkX: bigint,
  rkY: bigint,
  cmx: bigint,
  enablesSpends: bigint,
  enablesOutputs: bigint,
  disablesCrossAddress: bigint,
];

export interface ActionWitness {
  /** The ten columns, whose blinding rows are still 0. Secret. */
  readonly advice: Uint8Array;
  readonly instance: PublicInputs;
}

/** UnprovableError where the circuit accepts no such action: otherwise the proof would be made, and be wrong. */
export function createActionWitness(circuit: WitnessCircuit, inputs: ActionInputs): ActionWitness {
  const table = new AdviceTable();
  try {
    const instance = fill(circuit, inputs, table);
    copyCells(circuit, table.bytes, instance);
    return { advice: table.bytes, instance };
  } catch (error) {
    wipe(table.bytes);
    throw error;
  }
}

function fill(circuit: WitnessCircuit, inputs: ActionInputs, table: AdviceTable): PublicInputs {
  const { spent, ak, nk, rivk, alpha, rcv, anchor } = inputs;
  const { words } = circuit;
  const regions = new Regions(circuit.layout, table);
  const spentCommitment = commitNote(circuit.note, spent, words);
  const commitment = spentCommitment.addition.sum;

  assignCell(regions, spent.psi);
  assignCell(regions, spent.rho);
  assignPoint(regions.next('witness point'), commitment);
  assignPublicPoint(regions, spent.gd);
  assignPublicPoint(regions, ak);
  assignCell(regions, nk);
  assignCell(regions, spent.value);
  assignCell(regions, inputs.created.value);

  const root = assignMerklePath(regions, inputs.path, commitment.x, circuit.merkleStart, words);
  const net = spent.value - inputs.created.value;
  const cv = assignValueCommitment(regions, circuit.valueBases, net, rcv);
  const nullifier = assignNullifier(regions, circuit.nullifierBase, {
    nk,
    rho: spent.rho,
    psi: spent.psi,
    commitment,
  });

  const randomizer = multiplyFixedBase(circuit.spendAuthBase, alpha);
  assignFullScalar(regions, randomizer);
  const rk = addCompletely(randomizer.addition.sum, ak);
  assignAddition(regions.next('complete point addition'), 0, rk);

  const keyParts = { ak: ak.x, nk, rivk };
  const key = commitIncomingKey(circuit.incomingKey, keyParts, words);
  assignIncomingKey(regions, keyParts, key);
  const pkd = assignVariableBase(regions, spent.gd, key.addition.sum.x);
  assignPublicPoint(regions, spent.pkd);
  assignNoteCommitment(regions, spent, spentCommitment);

  const created = { ...inputs.created, rho: nullifier };
  assignPublicPoint(regions, created.gd);
  assignPublicPoint(regions, created.pkd);
  assignCell(regions, created.psi);
  const createdCommitment = commitNote(circuit.note, created, words);
  assignNoteCommitment(regions, created, createdCommitment);
  regions.end();

  checkStatement(inputs, { root, pkd });
  return [
    anchor,
    cv.x,
    cv.y,
    nullifier,
    rk.sum.x,
    rk.sum.y,
    createdCommitment.addition.sum.x,
    inputs.enablesSpends ? 1n : 0n,
    inputs.enablesOutputs ? 1n : 0n,
    inputs.disablesCrossAddress ? 1n : 0n,
  ];
}

function assignCell(regions: Regions, value: bigint): void {
  regions.next('load private').set(0, 0, value);
}

function assignPoint(region: Region, { x, y }: PallasPoint): void {
  region.set(0, 0, x);
  region.set(1, 0, y);
}

const assignPublicPoint = (regions: Regions, point: PallasPoint): void =>
  assignPoint(regions.next('witness non-identity point'), point);

/** What the circuit's last gates state. */
function checkStatement(inputs: ActionInputs, { root, pkd }: { root: bigint; pkd: PallasPoint }): void {
  const { spent, created, anchor } = inputs;
  const refuse = (isWrong: boolean, text: string): void => {
    if (isWrong) throw new UnprovableError(text);
  };
  refuse(!isEqual(pkd, spent.pkd), 'the spent note is at another key’s address');
  refuse(spent.value !== 0n && root !== anchor, 'the spent note’s path leads to another anchor');
  refuse(spent.value !== 0n && !inputs.enablesSpends, 'the bundle’s flags allow no spend');
  refuse(created.value !== 0n && !inputs.enablesOutputs, 'the bundle’s flags allow no output');
  const isSameAddress = isEqual(spent.gd, created.gd) && isEqual(spent.pkd, created.pkd);
  refuse(inputs.disablesCrossAddress && !isSameAddress, 'the bundle’s flags allow no other address');
}

const isEqual = (a: PallasPoint, b: PallasPoint): boolean => a.x === b.x && a.y === b.y;

function copyCells({ layout, constants }: WitnessCircuit, advice: Uint8Array, instance: PublicInputs): void {
  const tables = { advice, constants, instance: concatBytes(...instance.map(encodeInteger32)) };
  for (const { to, from } of layout.copies) {
    const at = from.cell * CELL_BYTES;
    advice.set(tables[from.table].subarray(at, at + CELL_BYTES), to * CELL_BYTES);
  }
}
