// `npm run test:cpu`: the tests (all, or those named as for `npm test`) with the CPU seconds of each file, child processes
// included, in .cache/test-cpu.tsv, and a table by folder at the end. Each file has a process of its own for it, which costs
// some 0.1 s more than the thread that it usually has.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildTests, closingLine, runAva } from './runAva.mjs';
import { testFiles } from './testFiles.mjs';

const TABLE = path.resolve('.cache', 'test-cpu.tsv');
/** The folder below `test`, or the two below it that are rooms with rooms of their own. */
const FOLDER = /^.*dist\/tests\/(.*\/)?test\/((?:actors|service|storage|shielded)\/[^/]+|[^/]+)\//;

mkdirSync(path.dirname(TABLE), { recursive: true });
rmSync(TABLE, { force: true });
process.env.WALLET_COMPANION_TEST_CPU = TABLE;
buildTests();
const result = await runAva(testFiles(process.argv.slice(2)));

const folders = new Map();
for (const line of readFileSync(TABLE, 'utf8').trimEnd().split('\n')) {
  const [own, children, file] = line.split('\t');
  const [, root = '', folder = '.'] = FOLDER.exec(file) ?? [];
  const name = `${root}test/${folder}`;
  const { files, seconds } = folders.get(name) ?? { files: 0, seconds: 0 };
  folders.set(name, { files: files + 1, seconds: seconds + Number(own) + Number(children) });
}
console.table(
  [...folders]
    .sort(([, a], [, b]) => b.seconds - a.seconds)
    .map(([folder, { files, seconds }]) => ({ folder, files, seconds: Math.round(seconds) })),
);
console.log(closingLine(result));
process.exit(result.status);
