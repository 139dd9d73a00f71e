// The README: its examples run as they stand and print what it shows, and its list of doors is that of package.json.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { packagePath, readDelimited } from './helpers/fixtures.ts';
import { stageBytes } from './helpers/pcztVectors.ts';

const page = readFileSync(packagePath('README.md'), 'utf8');
const examples = [...page.matchAll(/```js\n(.*?)```\n\n```text\n(.*?)```/gs)];

/** 3428121: a note of account 0, and one of another account. */
const BLOCK = 4;

/** In the package, so that its name is known there. */
function folderOfExample(t: ExecutionContext): string {
  const folder = mkdtempSync(packagePath('dist/readme-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    path.join(folder, 'block.bin'),
    readDelimited('known-seed', 'main', 'compact-main.bin')[BLOCK]!,
  );
  writeFileSync(path.join(folder, 'payment.pczt'), stageBytes('v6-ironwood-ironwood', 'ready'));
  return folder;
}

for (const [index, [, code = '', shown = '']] of examples.entries()) {
  test(`example ${index + 1} prints what is shown`, (t) => {
    const cwd = folderOfExample(t);
    writeFileSync(path.join(cwd, 'example.mjs'), code);
    const { stdout, stderr } = spawnSync(process.execPath, ['example.mjs'], { cwd, encoding: 'utf8' });
    t.is(stdout, shown, stderr);
  });
}

test('there are three examples, and every door is in the list', (t) => {
  t.is(examples.length, 3);
  const { exports } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { exports: object };
  const doors = Object.keys(exports)
    .filter((door) => door !== './package.json')
    .map((door) => door.slice(2));
  const listed = [...page.matchAll(/^\| \[?`([\w/*]+)`(?:\]\(docs\/api\/\w+\.md\))? \|/gm)].map(
    ([, door]) => door,
  );
  t.deepEqual(listed.sort(), doors.sort());
});
