import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { testsIn } from '../dashboard/support/browserTest.ts';
import { CHROMIUM } from '../helpers/chromium.ts';
import { bundledWorker, shieldedWorkerSuite, wasm } from './shieldedWorker.ts';

shieldedWorkerSuite.runIn(testsIn(CHROMIUM));

test('the README says how much a page that scans has to load', async (t) => {
  const size = (bytes: Uint8Array): number => gzipSync(bytes, { level: 9 }).length / 1000;
  const binaries = ['pallas-fma-reload', 'pallas-scalar', 'jubjub-fma-reload', 'jubjub-scalar', 'symmetric'];
  const files = [...binaries.map((name) => `${name}.wasm`), 'sinsemilla.points'];
  const measured = {
    script: size(await bundledWorker()),
    kernel: files.reduce((sum, name) => sum + size(wasm(name)), 0),
  };
  const readme = readFileSync('packages/kernel/README.md', 'utf8');
  const [, script, kernel] = /(\d+) kB of script and (\d+) kB of\s+kernel/.exec(readme) ?? [];
  const isSaid = (output: string | undefined, figure: number) => Math.abs(Number(output) / figure - 1) < 0.1;
  t.true(isSaid(script, measured.script) && isSaid(kernel, measured.kernel), JSON.stringify(measured));
});
