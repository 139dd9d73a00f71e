// Bundles the program that users run into few files: Node spends most of a start on finding and reading modules, and each of
// the program's threads loads hundreds of them. The compiled modules stay beside the bundles, for tests and for programs
// that import them.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { LEFT_OUT, NAMED_MODULE, REQUIRE, THREAD_FILE } from './bundling.mjs';

const out = path.resolve(process.env.WALLET_COMPANION_OUT ?? 'dist');
const compiled = path.join(out, 'src');
const program = path.join(out, 'program');
/** Packages of the workspace are part of the program: not where they are compiled, but where an installation has them. */
const packagesFolder = path.resolve('packages');
const installedPackages = path.resolve('node_modules', '@wallet-companion');

/** Files that Node receives by name: the program, and the entries of its threads. */
const threads = readdirSync(path.join(compiled, 'workers')).filter((file) => THREAD_FILE.test(file));
const entries = [
  path.join(compiled, 'main.js'),
  ...threads.map((file) => path.join(compiled, 'workers', file)),
];

/** A module finds the files beside it at their old place, and thread files beside the program. */
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
      const contents = readFileSync(file, 'utf8')
        .replaceAll(NAMED_MODULE, started)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(file))}, bundle.url).href`)
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

const relative = (file) => {
  const isPackage = file.startsWith(packagesFolder + path.sep);
  const installed = path.join(installedPackages, path.relative(packagesFolder, file));
  return path
    .relative(program, isPackage ? installed : file)
    .split(path.sep)
    .join('/');
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

/** The licences of bundled packages require their text. */
const packages = new Set(
  Object.keys(metafile.inputs).flatMap(
    (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  ),
);
const licences = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
});
writeFileSync(path.join(program, 'LICENSES.txt'), `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
