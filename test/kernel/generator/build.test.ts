// The binaries are built from sources alone, and only when those have changed.

import { readdirSync } from 'node:fs';
import test from 'ava';
import { buildKernel } from '../../../src/kernel/generator/build.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';

test('an unchanged kernel is not built again', async (t) => {
  const folder = temporaryFolder(t);
  const built = await buildKernel('src/kernel/assembly', folder);
  t.true(built.includes('pallas-portable'));
  const files = readdirSync(folder).sort();
  t.deepEqual(files, ['manifest.json', ...built.map((name) => `${name}.wasm`)].sort());
  t.deepEqual(await buildKernel('src/kernel/assembly', folder), []);
});
