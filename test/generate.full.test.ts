// scripts/generate.mjs in a copy of the sources that has nothing generated, as a fresh clone.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from './helpers/temporaryFolder.ts';

const ROUTES = 'packages/client/src/contract/generated/routes.ts';
const COMMANDS = 'src/protocol/generated/commands.ts';

const MADE = [
  'docs/openapi.json',
  ROUTES,
  'packages/client/src/contract/generated/types.ts',
  'src/ffi/generated/companion_tables.c',
  'src/ffi/generated/companion_tables.h',
  COMMANDS,
];

interface Clone {
  at(file: string): string;
  /** The files that were written. */
  generate(...options: readonly string[]): readonly string[];
}

function clone(t: ExecutionContext): Clone {
  const folder = temporaryFolder(t);
  const at = (file: string): string => path.join(folder, file);
  const filter = (file: string): boolean => !MADE.includes(file.replaceAll(path.sep, '/'));
  for (const root of [
    '.',
    ...['base', 'zcash', 'pczt', 'kernel', 'client'].map((name) => `packages/${name}`),
  ]) {
    cpSync(path.join(root, 'src'), at(path.join(root, 'src')), { recursive: true, filter });
    cpSync(path.join(root, 'package.json'), at(path.join(root, 'package.json')));
  }
  for (const file of [
    'scripts/generate.mjs',
    'scripts/generate',
    'scripts/packages.mjs',
    'package-lock.json',
  ])
    cpSync(file, at(file), { recursive: true });
  symlinkSync(path.resolve('node_modules'), at('node_modules'), 'junction');
  return {
    at,
    generate(...options) {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/generate.mjs', ...options], {
        cwd: folder,
        encoding: 'utf8',
      });
      t.is(status, 0, stderr);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .sort();
    },
  };
}

function edit(file: string, find: string, replacement: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(find)) throw new Error(`${file} has no ${find}`);
  writeFileSync(file, text.replace(find, replacement));
}

test('a build makes what is missing, changed or edited, and nothing else', (t) => {
  const { at, generate } = clone(t);
  t.deepEqual(generate('--if-changed'), MADE);
  for (const file of MADE) t.is(readFileSync(at(file), 'utf8'), readFileSync(file, 'utf8'), file);
  t.deepEqual(generate('--if-changed'), []);
  t.false(existsSync(at('docs/api.md')), 'a build leaves alone what is in git');

  rmSync(at(ROUTES));
  writeFileSync(at('docs/openapi.json'), '{}');
  t.deepEqual(generate('--if-changed'), ['docs/openapi.json', ROUTES]);

  // A tree that does not compile, and a row that has changed.
  edit(at('scripts/generate/openapi.ts'), 'const API_VERSION =', 'const API_VERSION: number =');
  edit(at('src/protocol/operations/lwd.ts'), "path: '/api/lwd/info'", "path: '/api/lwd/about'");
  t.deepEqual(generate('--if-changed'), ['docs/openapi.json', ROUTES, COMMANDS]);
  t.true(readFileSync(at(ROUTES), 'utf8').includes('/api/lwd/about'));
});

test('npm run generate writes the reference, and removes the page of a feature that is no more', (t) => {
  const { at, generate } = clone(t);
  mkdirSync(at('docs/api'), { recursive: true });
  writeFileSync(path.join(at('docs/api'), 'gone.md'), '# Gone\n');
  const written = generate();
  t.true(written.includes('docs/api.md') && written.includes('docs/api/lwd.md'));
  t.deepEqual(readdirSync(at('docs/api')).sort(), readdirSync('docs/api').sort());
});
