// Every recorded proof made again: all edges of actions, and bundles of two and four.

import { bytesToHex } from '@wallet-companion/base/bytes';
import test from 'ava';
import { RECORDED_PROOFS } from '../support.ts';
import { createTestKey, proofWithStream } from './recordedProofs.ts';

for (const build of ['auto', 'portable'] as const)
  test(`${build}: all recorded proofs have the crates’ bytes under their stream of draws`, async (t) => {
    t.timeout(600_000);
    const key = await createTestKey(build);
    const some = RECORDED_PROOFS.filter(({ cases }) => build === 'auto' || cases.length > 1);
    for (const recorded of some) {
      const { proof, blocks } = await proofWithStream(key, recorded);
      t.is(bytesToHex(proof), recorded.proof, recorded.name);
      t.is(blocks, recorded.draws, recorded.name);
    }
  });
