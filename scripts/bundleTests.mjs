// Bundles the compiled tests, and the threads and programs that they start, into files that share their parts: each test file runs in a
// thread of its own, which would otherwise find and read hundreds of modules, and so would each of the threads that it
// starts. Modules keep the URL that they have unbundled. Coverage and watching run the compiled files themselves.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { LEFT_OUT, NAMED_MODULE, REQUIRE, THREAD_FILE } from './bundling.mjs';
import { allTests, BUNDLED, compiled, out } from './testFiles.mjs';

const sources = [path.resolve(out), path.resolve('packages')];
const bundled = path.resolve(BUNDLED);

const tests = allTests().map((test) => [test, compiled(test)]);
const threads = readdirSync(`${out}/src/workers`)
  .filter((file) => THREAD_FILE.test(file))
  .map((file) => [`threads/${file}`, `${out}/src/workers/${file}`]);
/** Programs of our own that tests start. */
const children = readdirSync(`${out}/test`, { recursive: true, encoding: 'utf8' })
  .filter((file) => /[\\/]children[\\/]\w+\.js$|[\\/]memoryCompanion\.js$/.test(file))
  .map((file) => [`children/${path.basename(file)}`, `${out}/test/${file}`]);
const started = [...threads, ...children];
const startedNamed = new Map(started.map(([name, file]) => [path.resolve(file), path.join(bundled, name)]));

const urlOf = (file) => JSON.stringify(pathToFileURL(file).href);

const oldPlaces = {
  name: 'old places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      if (!sources.some((folder) => file.startsWith(folder + path.sep))) return undefined;
      const text = readFileSync(file, 'utf8');
      if (!text.includes('import.meta')) return undefined;
      const contents = text
        .replaceAll(NAMED_MODULE, (whole, named) => {
          const entry = startedNamed.get(path.resolve(path.dirname(file), named));
          return entry === undefined ? whole : `new URL(${urlOf(entry)})`;
        })
        .replaceAll('import.meta.url', urlOf(file))
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)));
      return { contents };
    }),
};

/** A file of a group registers its tests with the group. */
const shim = path.resolve('scripts/groupedAva.mjs');
const groups = {
  name: 'groups',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^ava$/ }, ({ importer }) =>
      importer === shim ? { path: 'ava', external: true } : { path: shim },
    ),
};

rmSync(bundled, { recursive: true, force: true });
const bundle = (entries, options) =>
  build({
    entryPoints: Object.fromEntries(entries.map(([name, file]) => [name.replace(/\.[jt]s$/, ''), file])),
    outdir: bundled,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Some packages of others have parts that are no JavaScript, one is the runner, and some make code themselves. The prover
    // has a thread's file of its own.
    external: [
      'assemblyscript',
      'axe-core',
      'esbuild',
      'typescript',
      '@wallet-companion/prover',
      ...LEFT_OUT,
    ],
    plugins: [groups, oldPlaces],
    banner: { js: REQUIRE },
    logLevel: 'warning',
    ...options,
  });
const marks = ['beginFile', 'endGroup'].map((name) => [`${name}.js`, path.resolve(`scripts/${name}.mjs`)]);
await bundle([...tests, ...marks], {
  chunkNames: 'parts/[name]-[hash]',
  sourcemap: 'linked',
  sourcesContent: false,
});
// Each of these reads its modules anew, and a test starts many: fewer files, shorter ones, and no maps halve what that takes.
await bundle(started, {
  chunkNames: 'threads/parts/[name]-[hash]',
  minifyWhitespace: true,
  minifySyntax: true,
});
