// What `npm pack` would put into the package, against what the program and the exported modules load.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import test from 'ava';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

/** The workspace's own packages, which no registry has: they come along. */
const OWN = [
  'shielded',
  'client',
  'dashboard',
  'books',
  'chain',
  'disk',
  'fleet',
  'hooks',
  'http',
  'programs',
  'bridge',
  'terminal',
  'prover',
  'devnet',
  'ur',
].map((name) => `@wallet-companion/${name}`);
const BUNDLED = 'node_modules/@wallet-companion/';
const SHIELDED = `${BUNDLED}shielded`;
/** A clone has it where cargo is, and the program says so where it is missing. */
const PROVER = `${BUNDLED}prover/dist/prover.wasm`;

interface OwnManifest extends Pick<Manifest, 'exports'>, Partial<Pick<Manifest, 'dependencies'>> {
  readonly imports?: Readonly<Record<string, { readonly node: string; readonly default: string }>>;
}
const own = new Map(
  OWN.map((name) => [
    name,
    JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as OwnManifest,
  ]),
);
const compiled = path.relative('.', path.resolve(import.meta.dirname, '../src'));

/** npm can only pack the folder that package.json names. */
const packing = compiled === path.join('dist', 'src') ? test : test.skip;

let files: ReadonlySet<string> = new Set();
test.before(() => {
  files = packed();
});

function packed(): ReadonlySet<string> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { stdout, stderr } = spawnSync(
    npm,
    ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
    },
  );
  try {
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    return new Set(files.map((file) => file.path));
  } catch (cause) {
    throw new Error(`npm pack failed: ${stderr}`, { cause });
  }
}

/** The same in code and in declarations: `from './x.js'`, `import('./x.ts')`, `new URL('./x.js', import.meta.url)`. */
const REFERENCE =
  /(?:\bfrom\s+|^import\s+|\bimport\(|\brequire\(|\bimport\.meta\.url\)\()(['"])([^'"\s]+)\1|new URL\((['"])(\.[^'"]+)\3,\s*import\.meta/gm;

/** Comments in bundled packages name types that are in no package. */
const codeOf = (file: string): string => readFileSync(file, 'utf8').replaceAll(/\/\*\* @type .*?\*\//g, '');

interface Loaded {
  readonly files: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
}

function loadedWith(entries: readonly string[]): Loaded {
  const files = new Set<string>();
  const packages = new Set<string>();
  const load = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const declaration = file.endsWith('.d.ts');
    for (const [, , module, , url] of codeOf(file).matchAll(REFERENCE)) {
      const target = module ?? url ?? '';
      const choice = own.get(OWN[0]!)!.imports![target];
      if (choice !== undefined) {
        const places = [choice.node, choice.default].map((place) => path.posix.join(SHIELDED, place));
        for (const place of places) load(declaration ? place.replace(/js$/, 'd.ts') : place);
      } else if (!/^\.\.?\//.test(target)) {
        const name = packageOf(target);
        packages.add(name);
        const door = own.get(name)?.exports[target.replace(name, '.')];
        if (typeof door === 'object')
          load(path.posix.join('node_modules', name, declaration ? door.types : door.default));
      } else {
        const at = path.posix.join(path.posix.dirname(file), target);
        if (at !== PROVER || existsSync(at)) load(declaration ? at.replace(/\.[jt]s$/, '.d.ts') : at);
      }
    }
  };
  entries.forEach(load);
  return { files, packages };
}

const packageOf = (module: string): string => /^(node:|(?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? module;

const entries = [
  ...Object.values(manifest.bin),
  ...Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : [entry.types, entry.default],
  ),
].map((entry) => path.posix.normalize(entry));

packing(
  'the package has everything that its program and its exports load, and nothing of the workshop',
  (t) => {
    const loaded = loadedWith(entries);
    // Threads are reached by URL; without them most of the program would not be looked at.
    for (const thread of ['walletThread', 'chainThread', 'scanHubThread', 'scanTask']) {
      t.true(loaded.files.has(`dist/program/${thread}.js`), thread);
    }
    t.deepEqual(
      [...loaded.files].filter((file) => !files.has(file)),
      [],
    );

    const workshop =
      /^(?:test|bench|scripts|packages|dist\/(?!(?:program|src)\/))|\.map$|\.tsbuildinfo$|(?<!\.d)\.ts$|\/@wallet-companion\/\w+\/(?:test|dist\/test)\//;
    const ours = [...files].filter((file) => !file.startsWith('node_modules/') || file.startsWith(BUNDLED));
    t.deepEqual(
      ours.filter((file) => workshop.test(file)),
      [],
    );
  },
);

packing('what the program reads beside its code is in the package', (t) => {
  const builds = ['portable', 'fma-reload', 'fma-registers', 'fma-wide'];
  const binaries = ['pallas', 'jubjub'].flatMap((curve) => [
    `${curve}-scalar`,
    ...builds.map((build) => `${curve}-${build}`),
  ]);
  const expected = [
    ...[...binaries, 'symmetric'].map((name) => `${SHIELDED}/dist/src/kernel/wasm/${name}.wasm`),
    `${SHIELDED}/dist/src/kernel/wasm/sinsemilla.points`,
    ...['index.html', 'main.js', 'style.css', 'icon.svg', 'LICENSES.txt'].map(
      (name) => `${BUNDLED}dashboard/dist/page/${name}`,
    ),
    ...['device.html', 'device.js', 'scanner.js', 'zxing.wasm'].map(
      (name) => `${BUNDLED}dashboard/dist/page/${name}`,
    ),
    'src/ffi/Makefile',
    'src/ffi/companion.h',
    'src/ffi/lwd.c',
    'src/ffi/generated/companion_tables.h',
    'src/ffi/generated/companion_tables.c',
    'docs/api.md',
    'docs/api/lwd.md',
    'docs/openapi.json',
    'README.md',
    'CHANGELOG.md',
    'LICENSE-MIT',
    'LICENSE-APACHE',
  ];
  t.deepEqual(
    expected.filter((file) => !files.has(file)),
    [],
  );
});

const installed = new Set([
  'node:',
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.optionalDependencies),
  ...Object.keys(manifest.peerDependencies),
  ...[...own.values()].flatMap(({ dependencies = {} }) => Object.keys(dependencies)),
]);

packing('no shipped module needs a package that an installation does not have', (t) => {
  const modules = [...files].filter((file) =>
    /^(?:dist|.*\/@wallet-companion\/\w+\/dist)\/src\/.*\.js$/.test(file),
  );
  t.true(modules.length > 100);
  t.deepEqual(
    [...loadedWith(modules).packages].filter((name) => !installed.has(name)),
    [],
  );
});

/** As the bundler writes them; text that looks like one stands within a line. */
const IMPORT = /^(?:import .*|\} )from "([^"]+)";$|^import "([^"]+)";$|\bawait import\("([^"]+)"\)/gm;

packing('the program has what it is made of in itself, and imports little besides', (t) => {
  const imported = new Set<string>();
  for (const file of [...files].filter((name) => /^dist\/program\/.*\.js$/.test(name)))
    for (const [, from, effect, later] of readFileSync(file, 'utf8').matchAll(IMPORT))
      imported.add(packageOf(from ?? effect ?? later ?? ''));
  imported.delete('.');
  const packages = [...imported].filter((name) => !name.startsWith('node:') && !isBuiltin(name));
  t.deepEqual(
    packages.filter((name) => !installed.has(name)),
    [],
  );
  t.deepEqual(
    ['zod', 'koa', 'commander', '@grpc/grpc-js'].filter((name) => packages.includes(name)),
    [],
  );
});

packing('the licences of the packages in the program come with it', (t) => {
  const text = readFileSync('dist/program/LICENSES.txt', 'utf8');
  t.true(files.has('dist/program/LICENSES.txt'));
  for (const name of ['zod', 'koa', 'commander', '@grpc/grpc-js', '@noble/curves'])
    t.regex(text, new RegExp(`^${name} \\d`, 'm'));
  t.true(text.includes('Permission is hereby granted, free of charge'));
});

interface LockedPackage {
  /** To the folder of a package of the workspace. */
  readonly link?: boolean;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly hasInstallScript?: boolean;
}

const locked = Object.entries(
  (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> })
    .packages,
).filter(([folder, { link }]) => link !== true && folder.includes('node_modules/'));

test('every locked package has a checksum, builds for other platforms of a development tool apart', (t) => {
  t.true(locked.length > 100);
  const without = locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''));
  t.deepEqual(
    without.filter(([, { optional, dev, os }]) => !(optional && dev && os)).map(([folder]) => folder),
    [],
  );
});

test('the security page names every package with an install script', (t) => {
  const page = readFileSync('docs/security.md', 'utf8');
  const listed = /have install scripts(.*?)\n\n/s.exec(page)?.[1] ?? '';
  const named = [...listed.matchAll(/`([^` ]+)` \(/g)].map(([, name]) => name).sort();
  const scripted = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([folder]) => folder.replace(/^.*node_modules\//, ''));
  t.deepEqual(named, scripted.sort());
});
