// `npm run generate`: everything that is generated from the operation table. The build makes the files that are not in git
// (`--if-changed`: nothing happens while inputs and outputs are those of the last run); `npm run generate` also writes
// docs/api.md and docs/api/, which are in git because users read them there.
//
// The generators are bundled from the sources without type checks, so that this works on a clone without generated files
// and on a tree that does not compile. They must not import generated files, except types.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLIENT, PROTOCOL } from './packages.mjs';

const CACHE = '.cache/generate';
const BUNDLE = `${CACHE}/generators.mjs`;
/** The inputs and outputs of the last run, with their digests. */
const STAMP = `${CACHE}/stamp.json`;
const REFERENCE = 'docs/api';

/** Entry modules of the packages that the generators use, as sources. */
const doors = () => Object.fromEntries([...PROTOCOL, CLIENT].flatMap(doorsOf));

function doorsOf(root) {
  const { name, exports } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  return Object.entries(exports)
    .filter(([door, entry]) => door !== '.' && entry.default !== undefined)
    .map(([door, entry]) => [
      path.posix.join(name, door),
      path.resolve(root, entry.default.replace('/dist/', '/').replace(/js$/, 'ts')),
    ]);
}

const GENERATORS = `
  export { COMMANDS_FILE, commandsSource } from './scripts/generate/commandTable.ts';
  export { PLAIN_TYPES_FILE, plainTypesSource } from './scripts/generate/plainTypes.ts';
  export { openApiDocument } from './scripts/generate/openapi.ts';
  export { referencePages } from './scripts/generate/apiReference.ts';
  export { ROUTES_FILE, routesSource } from './scripts/generate/routeTable.ts';
  export { bindingFiles } from './scripts/generate/bindings.ts';
`;

const digest = (file) =>
  existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'missing';

function isCurrent() {
  try {
    const known = Object.entries(JSON.parse(readFileSync(STAMP, 'utf8')));
    return known.every(([file, before]) => digest(file) === before);
  } catch {
    return false;
  }
}

/** Writes the bundle, and resolves with the sources that it contains. */
async function bundleGenerators() {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    stdin: { contents: GENERATORS, resolveDir: '.', loader: 'ts' },
    outfile: BUNDLE,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    alias: doors(),
    metafile: true,
    logLevel: 'warning',
  });
  const sources = Object.keys(metafile.inputs).filter((file) => existsSync(file));
  // Where they are there already, nothing else fails.
  const generated = sources.find((file) => file.includes('/generated/'));
  if (generated !== undefined) throw new Error(`the generators import ${generated}, which they make`);
  return sources;
}

/** An unchanged file keeps its modification time, so that nothing is compiled again. */
function write(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(file);
}

/** The page of a removed feature is deleted. */
function writeReference(pages) {
  for (const [file, text] of pages) write(file, text);
  for (const name of readdirSync(REFERENCE))
    if (!pages.has(`${REFERENCE}/${name}`)) rmSync(path.join(REFERENCE, name));
}

async function generate(withReference) {
  const sources = await bundleGenerators();
  const made = await import(pathToFileURL(BUNDLE).href);
  const files = new Map([
    ...made.bindingFiles(),
    [made.ROUTES_FILE, made.routesSource()],
    [made.COMMANDS_FILE, made.commandsSource()],
    [made.PLAIN_TYPES_FILE, made.plainTypesSource()],
    ['docs/openapi.json', `${JSON.stringify(made.openApiDocument(), undefined, 2)}\n`],
  ]);
  for (const [file, text] of files) write(file, text);
  if (withReference) writeReference(made.referencePages());
  // The lock file represents the packages that the generators use.
  const all = ['scripts/generate.mjs', 'package-lock.json', ...sources, ...files.keys()];
  const digests = Object.fromEntries(all.map((file) => [file, digest(file)]));
  writeFileSync(STAMP, JSON.stringify(digests, undefined, 1));
}

const onlyIfChanged = process.argv.includes('--if-changed');
if (!onlyIfChanged || !isCurrent()) await generate(!onlyIfChanged);
