// What `prover` may hold: a program by its absolute path, and bounds; set in the file alone.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { operationNames, operations } from '../../../src/protocol/operations.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import { CONFIG_SCHEMAS } from '../../../src/storage/config/configValues.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';

const accepts = (prover: unknown): boolean => CONFIG_SCHEMAS.prover.safeParse(prover).success;

test('a program with its arguments and its bounds, or none', (t) => {
  t.true(accepts(null));
  t.true(accepts({ command: ['/usr/bin/prover', '', '$(x)'] }));
  t.true(accepts({ command: ['/p'], timeout_seconds: 86_400, max_memory_mb: 64 }));
  for (const wrong of [
    {},
    [],
    'prover',
    { command: [] },
    { command: 'prover' },
    { command: ['prover'] },
    { command: ['./prover'] },
    { command: ['~/prover'] },
    { command: ['/p', 'a\0b'] },
    { command: ['/p'], timeout_seconds: 0 },
    { command: ['/p'], timeout_seconds: 86_401 },
    { command: ['/p'], timeout_seconds: 1.5 },
    { command: ['/p'], max_memory_mb: 63 },
    { command: ['/p'], max_memory_mb: '4096' },
    { command: ['/p'], shell: true },
  ])
    t.false(accepts(wrong), JSON.stringify(wrong));
});

test('what is left out takes its default, and an edited file is taken while it runs', async (t) => {
  const configDir = temporaryFolder(t);
  const file = path.join(configDir, 'config.json');
  t.is(openConfigFile({ configDir, overrides: {} }).get().prover, null);
  fs.writeFileSync(file, JSON.stringify({ prover: { command: ['/p'] } }));
  const config = openConfigFile({ configDir, overrides: {} });
  t.deepEqual(config.get().prover, { command: ['/p'], timeout_seconds: 600, max_memory_mb: 4096 });
  fs.writeFileSync(file, JSON.stringify({ prover: { command: ['/q'], timeout_seconds: 5 } }));
  const { prover } = await config.reload();
  t.deepEqual(prover, { command: ['/q'], timeout_seconds: 5, max_memory_mb: 4096 });
  fs.writeFileSync(file, JSON.stringify({ prover: { command: ['q'] } }));
  await t.throwsAsync(config.reload());
  t.deepEqual(config.get().prover, prover);
});

test('no operation takes it', (t) => {
  for (const name of operationNames) t.false(Object.hasOwn(operations[name].input.shape, 'prover'), name);
});
