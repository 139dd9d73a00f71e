// The long self test: its expected results are the reference's, every build has them, and a broken one has not.

import { leBytesToBigint } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { SCHEMES } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { instantiateKernel } from '../src/kernel/batch/kernelInstance.ts';
import { findLaneFault, laneResults, TEST_BATCHES } from '../src/kernel/laneSelfTest.ts';
import { breaksOf, readBinary } from './support/brokenKernel.ts';
import { KERNELS } from './support/kernels.ts';

const BUILDS = ['wide', 'fma', 'portable'] as const;

for (const build of BUILDS) {
  test(`${build} passes`, async (t) => {
    t.is(findLaneFault(await KERNELS[build]()), undefined);
  });
}

for (const protocol of ['orchard', 'sapling'] as const) {
  test(`${protocol}: the results are those of the reference, and many inputs are points`, async (t) => {
    const scheme = SCHEMES[protocol] as unknown as typeof SCHEMES.orchard;
    const sample = runs(150, 2_000);
    let [seen, points] = [0, 0];
    for (const { scalar, ephemeralKeys, coordinates } of laneResults(
      instantiateKernel(await KERNELS.portable()),
      protocol,
    )) {
      for (let lane = 0; lane < coordinates.length / 32 && seen < sample; lane++) {
        seen++;
        const at = lane * 32;
        const point = scheme.decodeEphemeralKey(ephemeralKeys.slice(at, at + 32));
        const isSpoilt = coordinates.subarray(at, at + 32).every((byte) => byte === 0);
        if (point === undefined || isSpoilt) continue;
        points++;
        const [expected] = scheme.sharedSecrets([point], [scheme.prepareScalar(scalar)]);
        expected![31]! &= 0x7f;
        t.is(leBytesToBigint(coordinates.subarray(at, at + 32)), leBytesToBigint(expected!), `lane ${lane}`);
      }
    }
    // A quarter of all values on Pallas: half are below the modulus, and half of these have a root.
    t.true(points > sample / 8, `${points} of ${sample}`);
  });
}

test('it tries more than 4,096 outputs with each of two keys', (t) => {
  const full = TEST_BATCHES.filter((blocks) => blocks >= 250);
  t.true(4 * full.reduce((sum, blocks) => sum + blocks, 0) >= 4_096);
});

test('a break that the short self test may miss is found', async (t) => {
  const fma = await KERNELS.fma();
  const wide = await KERNELS.wide();
  const binary = readBinary('pallas-fma-wide');
  const breaks = breaksOf(binary);
  const tried = runs(4, 40);
  let found = 0;
  for (let i = 0; i < tried; i++) {
    const bytes = binary.slice();
    breaks[Math.floor((i * breaks.length) / tried)]!.apply(bytes);
    const modules = { ...wide.modules, pallas: new WebAssembly.Module(bytes) };
    if (findLaneFault({ ...fma, modules }) !== undefined) found++;
  }
  t.true(found >= tried / 2, `${found} of ${tried}`);
});
