// The verifier as a thread has it, and the recorded proofs. Fixtures: figures of the reference crates, made by the tool of
// ../README.md (`circuit`, and `vectors --seed 1 --count 30 --tables 2 --proofs --refused`).

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hexToBytes } from '@wallet-companion/base/bytes';
import { loadKernel, loadVesta } from '@wallet-companion/kernel/kernelLoad';
import { instantiateVesta, type VestaKernel } from '@wallet-companion/kernel/vesta';
import { decodeInteger32 } from '@wallet-companion/zcash/curves';
import type { Circuit } from '../src/halo2/circuit/circuit.ts';
import { loadCircuit, loadPoints } from '../src/halo2/circuit/circuitFiles.ts';
import { createVerifier, type ProvenStatement, type Verifier } from '../src/halo2/verifier/verifier.ts';

export const readFixture = (name: string): Uint8Array =>
  gunzipSync(readFileSync(path.resolve('packages/halo2/test/fixtures', `${name}.json.gz`)));
const fromJson = <T>(name: string): T => JSON.parse(new TextDecoder().decode(readFixture(name))) as T;

export const scalarOf = (hex: string): bigint => decodeInteger32(hexToBytes(hex));

interface Recorded {
  readonly instances: readonly (readonly string[])[];
  readonly proof: string;
}
interface Refused extends Partial<Recorded> {
  readonly what: string;
  /** The recorded proof that was changed. */
  readonly of?: string;
  readonly change?: {
    readonly at?: number;
    readonly xor?: string;
    readonly set?: string;
    readonly truncate?: number;
    readonly append?: string;
    readonly instance?: number;
    readonly row?: number;
    readonly instances?: 'swap' | 'drop last';
  };
}

const provenOf = ({ instances, proof }: Recorded): ProvenStatement => ({
  statement: instances.map((inputs) => inputs.map(scalarOf)),
  proof: hexToBytes(proof),
});

export const RECORDED_PROOFS =
  fromJson<
    readonly (Recorded & {
      readonly name: string;
      readonly cases: readonly number[];
      readonly rng_seed: string;
      readonly draws: number;
    })[]
  >('proofs');
export const PROOFS: ReadonlyMap<string, ProvenStatement> = new Map(
  RECORDED_PROOFS.map((one) => [one.name, provenOf(one)]),
);

export const REFUSED = fromJson<readonly Refused[]>('refused').map((one) => ({
  what: one.what,
  proven: one.of === undefined ? provenOf(one as Recorded) : changed(PROOFS.get(one.of)!, one.change!),
}));

function changed(
  { statement, proof }: ProvenStatement,
  change: NonNullable<Refused['change']>,
): ProvenStatement {
  const inputs = statement.map((values) => [...values]);
  let bytes = proof.slice(0, change.truncate ?? proof.length);
  if (change.append !== undefined) bytes = Uint8Array.of(...bytes, ...hexToBytes(change.append));
  if (change.xor !== undefined) bytes[change.at!]! ^= Number.parseInt(change.xor, 16);
  if (change.row !== undefined) inputs[change.instance!]![change.row] = scalarOf(change.set!);
  else if (change.set !== undefined) bytes.set(hexToBytes(change.set), change.at!);
  if (change.instances === 'swap') inputs.reverse();
  if (change.instances === 'drop last') inputs.pop();
  return { statement: inputs, proof: bytes };
}

export const createKernel = async (choice: 'auto' | 'portable' = 'auto'): Promise<VestaKernel> =>
  instantiateVesta(await loadVesta(await loadKernel({ choice })));

export async function createTestVerifier(circuit?: Circuit, kernel?: VestaKernel): Promise<Verifier> {
  return createVerifier({
    kernel: kernel ?? (await createKernel()),
    circuit: circuit ?? (await loadCircuit('post-nu6-3')),
    points: await loadPoints(),
    random: () => randomBytes(64),
  });
}
