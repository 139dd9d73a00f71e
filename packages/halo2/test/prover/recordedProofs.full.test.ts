// Every recorded proof made again: all edges of actions, and bundles of two and four; and on two threads.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { loadKernel, loadVesta } from '@wallet-companion/kernel/kernelLoad';
import test from 'ava';
import { loadCircuit, loadPoints } from '../../src/halo2/circuit/circuitFiles.ts';
import { ThreadedHelper } from '../../src/halo2/prover/threadedHelper.ts';
import { RECORDED_PROOFS } from '../support.ts';
import { createTestKey, proofWithStream } from './recordedProofs.ts';

for (const build of ['auto', 'portable'] as const)
  test(`${build}: recorded proofs have the crates’ bytes under their stream of draws`, async (t) => {
    t.timeout(600_000);
    const key = await createTestKey(build);
    // The slower build makes those of several actions.
    const some = RECORDED_PROOFS.filter(({ cases }) => build === 'auto' || cases.length > 1);
    for (const recorded of some) {
      const { proof, blocks } = await proofWithStream(key, recorded);
      t.is(bytesToHex(proof), recorded.proof, recorded.name);
      t.is(blocks, recorded.draws, recorded.name);
    }
  });

test('two threads make the same proof, and a helper that has ended makes none', async (t) => {
  const recorded = RECORDED_PROOFS.find(({ name }) => name === '1')!;
  const helper = new ThreadedHelper({
    module: await loadVesta(await loadKernel()),
    circuit: await loadCircuit('post-nu6-3'),
    points: await loadPoints(),
  });
  const key = await createTestKey('auto', helper);
  const { proof } = await proofWithStream(key, recorded, helper);
  t.is(bytesToHex(proof), recorded.proof);
  await helper.close();
  await t.throwsAsync(proofWithStream(key, recorded, helper), { message: /ended/ });
});
