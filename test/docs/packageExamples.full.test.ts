// The READMEs of the protocol's packages: their examples run as they stand and print what is shown.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stageBytes } from '@wallet-companion/pczt/test/pcztVectors';
import { readDelimited } from '@wallet-companion/zcash/test/fixtures';
import test, { type ExecutionContext } from 'ava';

/** 3428121: a note of account 0, and one of another account. */
const BLOCK = 4;

/** In the package, so that its dependencies are known there. */
function folderOfExample(t: ExecutionContext, root: string): string {
  const folder = mkdtempSync(path.resolve(root, 'dist/readme-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    path.join(folder, 'block.bin'),
    readDelimited('known-seed', 'main', 'compact-main.bin')[BLOCK]!,
  );
  writeFileSync(path.join(folder, 'payment.pczt'), stageBytes('v6-ironwood-ironwood', 'ready'));
  return folder;
}

for (const name of ['zcash', 'pczt', 'kernel']) {
  const root = `packages/${name}`;
  test(`the example of ${name} prints what is shown`, (t) => {
    const [, code, shown] =
      /```js\n(.*?)```\n\n```text\n(.*?)```/s.exec(readFileSync(`${root}/README.md`, 'utf8')) ?? [];
    const cwd = folderOfExample(t, root);
    writeFileSync(path.join(cwd, 'example.mjs'), code!);
    const { stdout, stderr } = spawnSync(process.execPath, ['example.mjs'], { cwd, encoding: 'utf8' });
    t.is(stdout, shown!, stderr);
  });
}
