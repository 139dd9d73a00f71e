// The binaries are built from sources alone, and only when those have changed.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { leBytesToBigint, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { hashToPallas } from '@wallet-companion/zcash/curves';
import test from 'ava';
import { buildKernel } from '../../src/kernel/generator/build.ts';
import { SINSEMILLA_FILE } from '../../src/kernel/generator/sinsemillaPoints.ts';

const ASSEMBLY = path.resolve('packages/kernel/src/kernel/assembly');

test('an unchanged kernel is not built again', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shielded-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const built = await buildKernel(ASSEMBLY, folder);
  t.true(built.includes('pallas-portable'));
  const files = readdirSync(folder).sort();
  const named = built.map((name) => (name === SINSEMILLA_FILE ? name : `${name}.wasm`));
  t.deepEqual(files, ['manifest.json', ...named].sort());
  t.deepEqual(await buildKernel(ASSEMBLY, folder), []);
  const points = new Uint8Array(readFileSync(path.join(folder, SINSEMILLA_FILE)));
  t.is(points.length, 1024 * 64);
  for (const piece of [0, 1, 777, 1023]) {
    const { x, y } = hashToPallas('z.cash:SinsemillaS', u32ToLeBytes(piece))!;
    const at = (offset: number) => leBytesToBigint(points.subarray(piece * 64 + offset).subarray(0, 32));
    t.deepEqual([at(0), at(32)], [x, y]);
  }
});
