// Refuses what starts a process, a thread or a browser in the tests that `npm test` runs, but for a sign of each surface. It
// reads what a test and its helpers import; what their sources start only `npm run test:cpu` sees.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { quickTests, SIGNS, testSources } from './testFiles.mjs';

/** The compiler takes types away: a test that only names a thread starts none. */
const IMPORT =
  /^(?:import|export)\s+(?!type\b)(?:([\w*{][^;'"]*?)\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)(?!\.[A-Z])/gm;
const PROCESSES = /^(?:node:child_process|node:cluster|esbuild)$/;
const THREADS = /^(?:node:worker_threads|piscina)$/;
const THREAD = /(?<!type )\b(?:Worker|Piscina)\b/;

const known = new Set(testSources());
const { imports: aliases } = JSON.parse(readFileSync('package.json', 'utf8'));

function sourceOf(from, name) {
  if (name.startsWith('.')) return path.posix.join(path.posix.dirname(from), name);
  const [, root, helper] = /^@wallet-companion\/(\w+)\/test\/(.*)$/.exec(name) ?? [];
  if (helper !== undefined) return `packages/${root}/test/helpers/${helper}.ts`;
  const [alias, folder] = Object.entries(aliases).find(([key]) => name.startsWith(key.slice(0, -1))) ?? [];
  return folder
    ?.replace('./', '')
    .replace('/dist/', '/')
    .replace('*.js', `${name.slice(alias.length - 1)}.ts`);
}

const importsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, names = '', from, lazy]) => ({
    name: from ?? lazy,
    names,
  }));
const startsThread = ({ name, names }) => THREADS.test(name) && THREAD.test(names);

/** Sources that start threads themselves; of those that start processes a test may use another part. */
const isThreads = (source) => existsSync(source ?? '') && importsOf(source).some(startsThread);

const seen = new Map();
/** The way from a file to what starts something, or undefined. */
function startOf(file) {
  if (seen.has(file)) return seen.get(file);
  seen.set(file, undefined);
  for (const found of importsOf(file)) {
    const source = sourceOf(file, found.name);
    const starts =
      PROCESSES.test(found.name) || startsThread(found) || (!known.has(source) && isThreads(source));
    const way = starts ? [source ?? found.name] : known.has(source) ? startOf(source) : undefined;
    if (way === undefined) continue;
    seen.set(file, [file, ...way]);
    break;
  }
  return seen.get(file);
}

const refused = quickTests()
  .filter((test) => !SIGNS.includes(test))
  .map(startOf)
  .filter((way) => way !== undefined);
for (const way of refused) console.error(`${way.join(' -> ')}: name it *.full.test.ts (CONTRIBUTING.md).`);
if (refused.length > 0) process.exit(1);
