// Proofs against those of the crates, byte for byte under their stream of draws; what a prover must draw; and what has no proof.

import { randomBytes } from 'node:crypto';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { mayCrossAddresses } from '@wallet-companion/pczt/pcztRoles';
import { cases, stageOf } from '@wallet-companion/pczt/test/pcztVectors';
import { ACTION_POOLS } from '@wallet-companion/zcash/pools';
import test from 'ava';
import { loadPoints } from '../../src/halo2/circuit/circuitFiles.ts';
import { createActionProver } from '../../src/halo2/prover/actionProver.ts';
import { type ProvableAction, Proving } from '../../src/halo2/prover/prover.ts';
import { statementOf } from '../../src/halo2/verifier/statement.ts';
import { preparedVerifier } from '../../src/halo2/verifier/verifier.ts';
import { UnprovableError } from '../../src/halo2/witness/unprovable.ts';
import { createKernel, createTestVerifier, PROOFS, RECORDED_PROOFS } from '../support.ts';
import { witnessCircuit } from '../witness/recordedWitnesses.ts';
import { createTestKey, proofWithStream, recordedActions, tables } from './recordedProofs.ts';

const key = await createTestKey();
const verifier = preparedVerifier(key.prepared, () => randomBytes(64));
const [action] = await recordedActions([0]);
const { statement } = PROOFS.get('0')!;

/** All of them are in `recordedProofs.full.test.ts`. */
test.serial('with the crates’ stream of draws a proof has the crates’ bytes', async (t) => {
  for (const recorded of RECORDED_PROOFS.filter(({ name }) => ['0', 'two'].includes(name))) {
    const { proof, blocks } = await proofWithStream(key, recorded);
    t.is(bytesToHex(proof), recorded.proof, recorded.name);
    t.is(blocks, recorded.draws, recorded.name);
  }
});

test.serial(
  'a proof takes 148 draws for each action and 4,129, no two of them alike, and leaves no secret in the kernel’s memory',
  async (t) => {
    const blocks: string[] = [];
    const random = (length: number): Uint8Array => {
      t.true(length <= 65_536);
      const bytes = randomBytes(length);
      for (let at = 0; at < length; at += 64) blocks.push(bytesToHex(bytes.subarray(at, at + 64)));
      return bytes;
    };
    const proof = await new Proving(key, [action!], random).prove();
    t.is(blocks.length, 148 + 4129);
    t.is(new Set(blocks).size, blocks.length);
    const { memory } = key.domain.kernel;
    t.true(memory.bytes.subarray(memory.mark()).every((byte) => byte === 0));
    t.is(verifier.verify({ statement, proof }).kind, 'valid');
  },
);

/** The action with 1 added in a cell. */
function tampered({ advice, instance }: ProvableAction, column: number, row: number): ProvableAction {
  const changed = advice.slice();
  changed[(column * 2048 + row) * 32]! ^= 1;
  return { advice: changed, instance };
}

test.serial('a broken copy or lookup has no proof, and that of a wrong cell is refused', async (t) => {
  const random = (length: number): Uint8Array => randomBytes(length);
  const prove = (one: ProvableAction) => new Proving(key, [one], random).prove();
  const unprovable = (one: ProvableAction, message: RegExp) =>
    t.throwsAsync(() => prove(one), { instanceOf: UnprovableError, message });
  const instance = action!.instance.map((input, row) => (row === 0 ? input + 1n : input));
  await unprovable({ ...action!, instance }, /copied/);
  await unprovable(tampered(action!, 2, 1000), /table/);
  for (const [column, row] of [
    [0, 5],
    [4, 300],
    [9, 20],
  ] as const) {
    const proof = await prove(tampered(action!, column, row));
    t.deepEqual(verifier.verify({ statement, proof }), { kind: 'refused', reason: 'EQUATION' });
  }

  t.is(verifier.verify({ statement, proof: await prove(action!) }).kind, 'valid');
});

test.serial(
  'the actions of PCZTs that are ready to prove get proofs that the verifier of their transactions takes',
  async (t) => {
    const kernel = await createKernel();
    const prover = createActionProver({
      kernel,
      circuit: key.prepared.circuit,
      points: await loadPoints(),
      tables: await tables(key.prepared.circuit),
      witnesses: await witnessCircuit(),
      random: (length) => randomBytes(length),
    });
    const ready = stageOf(cases.find(({ name }) => name === 'v6-ironwood-ironwood')!, 'ready')!;
    const proved = await prover.prove(ready);
    const independent = await createTestVerifier();
    for (const pool of ACTION_POOLS) {
      const { actions, flags, anchor, zkproof } = proved[pool];
      if (actions.length === 0) continue;
      const proven = statementOf(kernel, {
        actions: actions.map(({ cvNet, spend, output }) => ({
          cv: cvNet!,
          nullifier: spend.nullifier,
          rk: spend.rk,
          cmx: output.cmx!,
        })),
        flags,
        anchor: anchor!,
        allowsCrossAddress: mayCrossAddresses(proved, pool),
      });
      t.is(independent.verify({ statement: proven!, proof: zkproof! }).kind, 'valid');
    }
    t.deepEqual(await prover.prove(proved), proved);
    const other = { ...ready, global: { ...ready.global, consensusBranchId: 1 } };
    await t.throwsAsync(prover.prove(other), { instanceOf: UnprovableError, message: /upgrade/ });
  },
);
