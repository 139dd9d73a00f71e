// What `prover` and `signer` may hold: a program by its absolute path, and bounds; set in the file alone.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import type { z } from 'zod';
import { operationNames, operations } from '../../../src/protocol/operations.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import { CONFIG_SCHEMAS } from '../../../src/storage/config/configValues.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';

const ROLES = ['prover', 'signer'] as const;
const accepts = (setting: unknown): boolean =>
  ROLES.every((role) => CONFIG_SCHEMAS[role].safeParse(setting).success);

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

test('a prover may also be the reference crates’ module', (t) => {
  t.true(CONFIG_SCHEMAS.prover.safeParse('module').success);
  t.false(CONFIG_SCHEMAS.signer.safeParse('module').success);
});

for (const role of ROLES)
  test(`what is left out takes its default, and an edited file is taken while it runs: ${role}`, async (t) => {
    const configDir = temporaryFolder(t);
    const file = path.join(configDir, 'config.json');
    t.is(openConfigFile({ configDir, overrides: {} }).get()[role], null);
    fs.writeFileSync(file, JSON.stringify({ [role]: { command: ['/p'] } }));
    const config = openConfigFile({ configDir, overrides: {} });
    t.deepEqual(config.get()[role], { command: ['/p'], timeout_seconds: 600, max_memory_mb: 4096 });
    fs.writeFileSync(file, JSON.stringify({ [role]: { command: ['/q'], timeout_seconds: 5 } }));
    const { [role]: edited } = await config.reload();
    t.deepEqual(edited, { command: ['/q'], timeout_seconds: 5, max_memory_mb: 4096 });
    fs.writeFileSync(file, JSON.stringify({ [role]: { command: ['q'] } }));
    await t.throwsAsync(config.reload());
    t.deepEqual(config.get()[role], edited);
  });

test('no operation takes one', (t) => {
  for (const name of operationNames)
    for (const role of ROLES) {
      const field = (operations[name].input.shape as Record<string, z.ZodType>)[role];
      t.not(field?.safeParse({ command: ['/p'] }).success, true, name);
    }
});
