// Witnesses of actions that the tool halo2work makes up: of each it has the digests of the reference crates' columns.
// Where the machine has no cargo, or not the tool's sources, there is nothing to compare with.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { createActionWitness } from '../../src/halo2/witness/actionWitness.ts';
import {
  expectedForm,
  inputsOf,
  recordedForm,
  type WitnessCase,
  witnessCircuit,
} from './recordedWitnesses.ts';

const TOOL = 'halo2work';
const SEED = '47';
const CASES = '1000';

// Tests run from the project's root.
const { canInstallTool, installSharedTool, sharedTool } = (await import(
  pathToFileURL('scripts/sharedTool.mjs').href
)) as {
  canInstallTool: (name: string) => boolean;
  installSharedTool: (name: string) => void;
  sharedTool: (name: string) => string;
};

(canInstallTool(TOOL) ? test : test.skip)('1,000 witnesses are those of the reference crates', async (t) => {
  t.timeout(3_600_000);
  installSharedTool(TOOL);
  const folder = mkdtempSync(path.join(tmpdir(), 'halo2-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const { status } = spawnSync(sharedTool(TOOL), ['vectors', '--seed', SEED, '--count', CASES, '-o', folder]);
  t.is(status, 0);
  const circuit = await witnessCircuit();
  const cases = JSON.parse(readFileSync(path.join(folder, 'cases.json'), 'utf8')) as readonly WitnessCase[];
  t.is(cases.length, Number(CASES));
  for (const recorded of cases)
    t.deepEqual(
      recordedForm(createActionWitness(circuit, inputsOf(recorded))),
      expectedForm(recorded),
      recorded.name,
    );
});
