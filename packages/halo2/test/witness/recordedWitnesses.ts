// Recorded actions: their inputs, and the digests of their advice columns.
import { bytesToHex, concatBytes, hexToBytes } from '@wallet-companion/base/bytes';
import {
  blake2b256,
  diversifyHashOrchard,
  encodeInteger32,
  type PallasPoint,
  tryDecodePallas,
} from '@wallet-companion/zcash/curves';
import { loadProverData } from '../../src/halo2/load.ts';
import type { ActionInputs, ActionWitness } from '../../src/halo2/witness/actionWitness.ts';
import { readFixture, scalarOf } from '../support.ts';

interface RecordedNote {
  readonly recipient: string;
  readonly value: string;
  readonly psi: string;
  readonly rcm: string;
}

/** As the tool halo2work writes it; integers in hex are little-endian. */
export interface WitnessCase {
  readonly name: string;
  readonly key: { readonly ak: string; readonly nk: string; readonly rivk_of_scope: string };
  readonly old: RecordedNote & { readonly rho: string };
  readonly new: RecordedNote;
  readonly siblings: readonly string[];
  readonly position: number;
  readonly alpha: string;
  readonly rcv: string;
  readonly instance: readonly string[];
  readonly advice_blake2b_256: readonly string[];
}

/** What halo2work made of the seed 1: 22 edges, 8 random. */
export const WITNESS_CASES = JSON.parse(
  new TextDecoder().decode(readFixture('witnesses')),
) as readonly WitnessCase[];

export const witnessCircuit = async () => (await loadProverData()).witnesses;

function point(bytes: Uint8Array): PallasPoint {
  const decoded = tryDecodePallas(bytes);
  if (decoded === undefined) throw new Error('the case has no point where one is needed');
  return decoded;
}

const noteOf = ({ recipient, value, psi, rcm }: RecordedNote) => ({
  gd: diversifyHashOrchard(hexToBytes(recipient).subarray(0, 11)),
  pkd: point(hexToBytes(recipient).subarray(11)),
  value: BigInt(value),
  psi: scalarOf(psi),
  rcm: scalarOf(rcm),
});

export function inputsOf(recorded: WitnessCase): ActionInputs {
  const flag = (row: number): boolean => scalarOf(recorded.instance[row]!) === 1n;
  return {
    spent: { ...noteOf(recorded.old), rho: scalarOf(recorded.old.rho) },
    ak: point(hexToBytes(recorded.key.ak)),
    nk: scalarOf(recorded.key.nk),
    rivk: scalarOf(recorded.key.rivk_of_scope),
    path: { position: recorded.position, siblings: recorded.siblings.map(scalarOf) },
    alpha: scalarOf(recorded.alpha),
    created: noteOf(recorded.new),
    rcv: scalarOf(recorded.rcv),
    anchor: scalarOf(recorded.instance[0]!),
    enablesSpends: flag(7),
    enablesOutputs: flag(8),
    disablesCrossAddress: flag(9),
  };
}

const NO_PERSONALISATION = new Uint8Array(16);

/** As the case has them: the instance, and a digest of each column. */
export function recordedForm({ advice, instance }: ActionWitness): readonly string[] {
  const column = advice.length / 10;
  return [
    bytesToHex(concatBytes(...instance.map(encodeInteger32))),
    ...Array.from({ length: 10 }, (_, i) =>
      bytesToHex(blake2b256(NO_PERSONALISATION, [advice.subarray(i * column, (i + 1) * column)])),
    ),
  ];
}

export const expectedForm = (recorded: WitnessCase): readonly string[] => [
  recorded.instance.join(''),
  ...recorded.advice_blake2b_256,
];
