// `npm run test:cpu`: the tests of `npm test` (or those named as for it) with the CPU seconds of each file, child processes
// included, in .cache/test-cpu.tsv, and a table by folder at the end. Each file has a process of its own for it, which costs
// some 0.1 s more than the thread that it usually has. It fails where a file takes long or starts something, and is not named
// `*.full.test.ts`.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildTests, closingLine, runAva } from './runAva.mjs';
import { bundled, quickTests, SIGNS, testFiles } from './testFiles.mjs';

const TABLE = path.resolve('.cache', 'test-cpu.tsv');
const MOST_SECONDS = 5;
/** The folder below `test`, or the two below it that are rooms with rooms of their own. */
const FOLDER = /^.*dist\/tests\/(.*\/)?test\/((?:actors|service|storage)\/[^/]+|[^/]+)\//;

mkdirSync(path.dirname(TABLE), { recursive: true });
rmSync(TABLE, { force: true });
process.env.WALLET_COMPANION_TEST_CPU = TABLE;
buildTests();
const named = testFiles(process.argv.slice(2));
const result = await runAva(named.length > 0 ? named : quickTests().map(bundled));
const signs = SIGNS.map(bundled);

const folders = new Map();
const misnamed = [];
for (const line of readFileSync(TABLE, 'utf8').trimEnd().split('\n')) {
  const [own, children, started, file] = line.split('\t');
  const [, root = '', folder = '.'] = FOLDER.exec(file) ?? [];
  const name = `${root}test/${folder}`;
  const { files, seconds } = folders.get(name) ?? { files: 0, seconds: 0 };
  const taken = Number(own) + Number(children);
  folders.set(name, { files: files + 1, seconds: seconds + taken });
  if (file.endsWith('.full.test.js') || signs.includes(file)) continue;
  if (taken > MOST_SECONDS) misnamed.push(`${file} took ${taken.toFixed(1)} s`);
  else if (Number(started) > 0) misnamed.push(`${file} started ${started} processes or threads`);
}
console.table(
  [...folders]
    .sort(([, a], [, b]) => b.seconds - a.seconds)
    .map(([folder, { files, seconds }]) => ({ folder, files, seconds: Math.round(seconds) })),
);
for (const what of misnamed) console.log(`${what}: name it *.full.test.ts (CONTRIBUTING.md).`);
console.log(closingLine(result));
process.exit(misnamed.length > 0 ? 1 : result.status);
