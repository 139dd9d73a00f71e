// Finds the compiled test files for a name: a test, a source, a folder of either, or the bare name of one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGES } from './packages.mjs';

const TEST = '.test.ts';
export const out = process.env.WALLET_COMPANION_OUT ?? 'dist';
/** Where `bundleTests.mjs` puts the tests; their paths in it are those of the sources. */
export const BUNDLED = `${out}/tests`;

/** Tests and what helps them. */
export const testSources = () =>
  ['test', ...PACKAGES.map((root) => `${root}/test`)]
    // A package whose tests need a whole companion has them in `test`.
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file.replaceAll(path.sep, '/')}`,
      ),
    )
    .filter((file) => file.endsWith('.ts'));

export const allTests = () => testSources().filter((file) => file.endsWith(TEST));

/** `npm run test:full` runs it, `npm test` only by its name. */
export const isFull = (test) => test.endsWith(`.full${TEST}`);
/** They start what users start and stay in `npm test`, as a sign that the wiring holds. */
export const SIGNS = [
  'test/contract/surfaces.test.ts',
  'test/ffi/library.test.ts',
  'test/ipc/socket.test.ts',
  'test/service/start.test.ts',
  'test/service/threads.test.ts',
];
/** Those of `npm test`. */
export const quickTests = () => allTests().filter((test) => !isFull(test));

export const bundled = (test) => `${BUNDLED}/${test.replace(/ts$/, 'js')}`;
export const compiled = (test) =>
  (test.startsWith('packages/') ? test.replace('/test/', '/dist/test/') : `${out}/${test}`).replace(
    /ts$/,
    'js',
  );

/** `src/storage/wallet/walletFile.ts`, `dist/test/storage/walletFile.test.js`, `walletFile`: only the common part. */
const bare = (name) =>
  path.posix
    .normalize(name.replaceAll('\\', '/'))
    .replace(/^(?:packages\/\w+\/)?(?:dist\/)?(?:src|test)\/(?:unit\/)?/, '')
    .replace(/(?:(?:\.full)?\.test)?\.[jt]s$/, '')
    .replace(/\/$/, '');

const bareBase = (name) => path.posix.basename(bare(name));

const topFolder = (name) => bare(name).split('/')[0];

/** The first match wins: the exact path, the same name elsewhere, tests that import it. */
function testsFor(name, tests) {
  const isPath = bare(name).includes('/');
  // Helpers of the packages are imported by a door.
  const imports = isPath ? [`/src/${bare(name)}.ts'`] : [`/${bare(name)}.ts'`, `/test/${bare(name)}'`];
  const ways = [
    // A folder by its exact path, which may be that of a whole package.
    (test) => test.startsWith(`${path.posix.normalize(name)}/`),
    (test) => bare(test) === bare(name),
    (test) => bare(test).startsWith(`${bare(name)}/`),
    // Another folder may have a file of that name.
    (test) => bareBase(test) === bareBase(name) && (!isPath || topFolder(test) === topFolder(name)),
    (test) => imports.some((imported) => readFileSync(test, 'utf8').includes(imported)),
  ];
  for (const way of ways) {
    const found = tests.filter(way);
    if (found.length > 0) return found;
  }
  return [];
}

/** The files to run for each name; ends the process with a message where a name has none. */
export function testFiles(names, toFile = bundled) {
  const tests = allTests();
  return [
    ...new Set(
      names.flatMap((name) => {
        const found = testsFor(name, tests);
        if (found.length === 0) {
          console.error(`${name}: no test is named so, lies there or imports it.`);
          process.exit(1);
        }
        return found.map(toFile);
      }),
    ),
  ];
}
