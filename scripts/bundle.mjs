// Bundles the program that users run into few files: Node spends most of a start on finding and reading modules, and each of
// the program's threads loads hundreds of them. What the modules read at run time is copied into the program's folder too, so
// that it needs no package of the workspace. The compiled modules stay where they are, for tests.
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { LEFT_OUT, NAMED_MODULE, REQUIRE, THREAD_FILE } from './bundling.mjs';
import { licencesOf, packagesIn } from './licences.mjs';

const out = path.resolve(process.env.WALLET_COMPANION_OUT ?? 'dist');
const compiled = path.join(out, 'src');
const program = path.join(out, 'program');
const packagesFolder = path.resolve('packages');

/** Files that Node receives by name: the program, and the entries of its threads. */
const threadsIn = (folder) =>
  readdirSync(folder)
    .filter((file) => THREAD_FILE.test(file))
    .map((file) => path.join(folder, file));
const entries = [
  path.join(compiled, 'main.js'),
  ...threadsIn(path.join(compiled, 'workers')),
  ...threadsIn(path.join(packagesFolder, 'prover', 'dist', 'src', 'prover')),
  ...['', 'prover'].flatMap((folder) =>
    threadsIn(path.join(packagesFolder, 'halo2', 'dist', 'src', 'halo2', folder)),
  ),
];

/** Read at run time by their place beside a module. The prover is there where cargo built it. */
const READ = [
  [compiled, 'http/openapi.json'],
  [packagesFolder, 'dashboard/dist/page'],
  [packagesFolder, 'kernel/dist/src/kernel/wasm'],
  [packagesFolder, 'chain/data'],
  [packagesFolder, 'halo2/data'],
  [packagesFolder, 'prover/dist/prover.wasm'],
  [packagesFolder, 'prover/dist/LICENSES.txt'],
];
/** Where the program's folder has what a module reads: the folders from the module to the file stay as they are. */
const placeOf = (file) =>
  file.startsWith(packagesFolder + path.sep)
    ? path.join('files', 'packages', path.relative(packagesFolder, file))
    : path.join('files', 'src', path.relative(compiled, file));

/** A module finds its files in the program's folder, and thread files beside the program. */
const filesBeside = {
  name: 'files beside',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      if (![compiled, packagesFolder].some((folder) => file.startsWith(folder + path.sep))) return undefined;
      const started = (_, named) => {
        const target = path.resolve(path.dirname(file), named);
        if (entries.includes(target)) return `new URL('./${path.basename(target)}', bundle.url)`;
        throw new Error(`${file} starts ${named}, which is no entry of the bundle`);
      };
      const place = placeOf(file).split(path.sep).join('/');
      const contents = readFileSync(file, 'utf8')
        .replaceAll(NAMED_MODULE, started)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, bundle.url).href`)
        .replaceAll('bundle.url', 'import.meta.url');
      return { contents };
    }),
};

/**
 * An import of Node's http as a module reads each of its members, one of which loads a browser's HTTP client with all its
 * modules: 10 to 20 ms of a start. As an object, the member is not read.
 */
const httpAsObject = {
  name: 'http as an object',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'http', namespace: 'object' } : undefined,
    );
    onLoad({ filter: /^http$/, namespace: 'object' }, () => ({
      contents: `const http = process.getBuiltinModule('node:http');
        export default http;
        export const { createServer, request } = http;`,
    }));
  },
};

rmSync(program, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: entries,
  entryNames: '[name]',
  outdir: program,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: LEFT_OUT,
  plugins: [filesBeside, httpAsObject],
  banner: { js: REQUIRE },
  logLevel: 'warning',
  metafile: true,
});
chmodSync(path.join(program, 'main.js'), 0o755);
for (const [folder, name] of READ) {
  const file = path.join(folder, name);
  if (existsSync(file)) cpSync(file, path.join(program, placeOf(file)), { recursive: true });
}

writeFileSync(path.join(program, 'LICENSES.txt'), licencesOf(packagesIn(metafile)));
