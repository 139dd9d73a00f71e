// One inversion for an array, for every size of the tree, and what happens to a zero.

import test from 'ava';
import { BatchInversion } from '../../src/kernel/batch/batchInversion.ts';
import { instantiateKernel } from '../../src/kernel/batch/kernelInstance.ts';
import { DeterministicRandom } from '../support/deterministicRandom.ts';
import { KERNELS } from '../support/kernels.ts';
import { readValues, writeValues } from '../support/lanes.ts';

for (const [choice, load] of Object.entries(KERNELS)) {
  for (const name of ['pallas', 'jubjub'] as const) {
    test(`${name}, ${choice}: arrays of 1 to 9 and 33 blocks`, async (t) => {
      const { [name]: field } = instantiateKernel(await load());
      const random = new DeterministicRandom(name);
      for (const blocks of [1, 2, 3, 4, 5, 6, 7, 8, 9, 33]) {
        const count = blocks * 4;
        const values = Array.from({ length: count }, (_, i) =>
          i === 0 ? 1n : i === 1 ? field.modulus - 1n : random.below(field.modulus - 1n) + 1n,
        );
        const array = field.array(blocks);
        writeValues(field, array, values);
        const inversion = new BatchInversion(field, blocks);
        const inverses = inversion.invert(array);
        t.not(inverses, undefined);
        readValues(field, inverses!, count).forEach((inverse, i) => {
          t.is((inverse * values[i]!) % field.modulus, 1n);
        });
        t.deepEqual(readValues(field, array, count), values);
        // A zero anywhere is reported, found, and replaced.
        const at = random.integer(count);
        writeValues(
          field,
          array,
          values.map((value, i) => (i === at ? 0n : value)),
        );
        t.is(inversion.invert(array), undefined);
        const replaced = new Set<number>();
        field.replaceZeros(array, blocks, replaced);
        t.deepEqual([...replaced], [at]);
        t.not(inversion.invert(array), undefined);
        const repaired = readValues(field, array, count);
        t.deepEqual(
          repaired.filter((_, i) => i !== at),
          values.filter((_, i) => i !== at),
        );
      }
    });
  }
}
