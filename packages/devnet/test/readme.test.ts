// The README's example runs as it stands and prints what it shows.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(path.join(ROOT, 'README.md'), 'utf8');

test('the example prints what is shown, in ten lines', (t) => {
  const [, code = '', shown = ''] = /```js\n(.*?)```\n\n```text\n(.*?)```/s.exec(page) ?? [];
  t.true(code.split('\n').filter((line) => line !== '').length <= 10);
  // In the package, so that its name is known there.
  const cwd = mkdtempSync(path.join(ROOT, 'dist/readme-'));
  t.teardown(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(path.join(cwd, 'example.mjs'), code);
  const { stdout, stderr } = spawnSync(process.execPath, ['example.mjs'], { cwd, encoding: 'utf8' });
  t.is(stdout, shown, stderr);
});
