// What `npm pack` would put into the package, against what the program and the exported modules load.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import test from 'ava';
import { installedWith, thisMachine } from './helpers/releaseFiles.ts';
import { temporaryFolder } from './helpers/temporaryFolder.ts';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

/** With the prover, which a clone has where cargo is. An installation has 37 MB of other packages and may have 60. */
const MAX_UNPACKED_BYTES = 20e6;
const MAX_PACKAGES = 100;

const compiled = path.relative('.', path.resolve(import.meta.dirname, '../src'));

/** npm can only pack the folder that package.json names. */
const packing = compiled === path.join('dist', 'src') ? test : test.skip;

let files: ReadonlySet<string> = new Set();
let unpackedBytes = 0;
test.before(() => {
  const pack = packed();
  files = new Set(pack.files.map((file) => file.path));
  unpackedBytes = pack.unpackedSize;
});

interface Pack {
  readonly files: readonly { readonly path: string }[];
  readonly unpackedSize: number;
}

function packed(): Pack {
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
    return (JSON.parse(stdout) as [Pack])[0];
  } catch (cause) {
    throw new Error(`npm pack failed: ${stderr}`, { cause });
  }
}

/** In declarations, as the compiler writes them. */
const IN_TYPES = /(?:\bfrom |\bimport\()(['"])([^'"\s]+)\1/g;
/** In code, as the bundler writes it; text that looks like an import stands within a line. */
const IN_CODE =
  /^(?:import .*|\} )from "([^"]+)";$|^import "([^"]+)";$|\bimport\("([^"]+)"\)|\bnew URL\((?:'|")(\.[^'"]+)(?:'|"), import\.meta/gm;

const modulesIn = (file: string): string[] => {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.d.ts')
    ? [...text.matchAll(IN_TYPES)].map(([, , module = '']) => module)
    : [...text.matchAll(IN_CODE)].map(([, from, effect, later, url]) => from ?? effect ?? later ?? url ?? '');
};

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
    for (const module of modulesIn(file)) {
      if (!/^\.\.?\//.test(module)) {
        if (!isBuiltin(module)) packages.add(packageOf(module));
        continue;
      }
      const at = path.posix.join(path.posix.dirname(file), module);
      load(file.endsWith('.d.ts') ? at.replace(/\.js$/, '.d.ts') : at);
    }
  };
  entries.forEach(load);
  return { files, packages };
}

const packageOf = (module: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;

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
      /^(?:test|bench|scripts|packages|node_modules|dist\/(?!(?:program|ipc)\/))|\.map$|\.tsbuildinfo$|(?<!\.d)\.ts$/;
    t.deepEqual(
      [...files].filter((file) => workshop.test(file)),
      [],
    );
  },
);

const READ = 'dist/program/files/packages';
const WASM = `${READ}/kernel/dist/src/kernel/wasm`;
const PAGE = `${READ}/dashboard/dist/page`;

packing('what the program reads beside its code is in the package, once', (t) => {
  const builds = ['portable', 'fma-reload', 'fma-registers', 'fma-wide'];
  const binaries = ['pallas', 'jubjub'].flatMap((curve) => [
    `${curve}-scalar`,
    ...builds.map((build) => `${curve}-${build}`),
  ]);
  const expected = [
    ...[...binaries, 'symmetric'].map((name) => `${WASM}/${name}.wasm`),
    `${WASM}/sinsemilla.points`,
    ...['index.html', 'main.js', 'style.css', 'icon.svg', 'app.webmanifest', 'LICENSES.txt'].map(
      (name) => `${PAGE}/${name}`,
    ),
    ...['device.html', 'device.js', 'scanner.js', 'zxing.wasm'].map((name) => `${PAGE}/${name}`),
    'dist/program/files/src/http/openapi.json',
    'src/ffi/Makefile',
    'src/ffi/companion.h',
    'src/ffi/lwd.c',
    'src/ffi/generated/companion_tables.h',
    'src/ffi/generated/companion_tables.c',
    'docs/api.md',
    'docs/api/lwd.md',
    'README.md',
    'CHANGELOG.md',
    'LICENSE-MIT',
    'LICENSE-APACHE',
  ];
  t.deepEqual(
    expected.filter((file) => !files.has(file)),
    [],
  );
  const names = [...files]
    .filter((file) => /\.(?:wasm|points)$/.test(file))
    .map((file) => path.posix.basename(file));
  t.is(names.length, new Set(names).size);
});

packing('program and exports have what they are made of in themselves, and import little besides', (t) => {
  const { packages } = loadedWith(entries.slice(0, 1));
  const installed = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
  t.deepEqual(
    [...packages].filter((name) => !installed.includes(name)),
    [],
  );
  t.true(packages.has('piscina'));
  for (const bundled of ['zod', 'koa', 'commander', '@grpc/grpc-js']) t.false(packages.has(bundled), bundled);

  t.deepEqual([...loadedWith(entries.slice(1)).packages], []);
});

packing('the licences of the packages in the program come with it', (t) => {
  const text = readFileSync('dist/program/LICENSES.txt', 'utf8');
  t.true(files.has('dist/program/LICENSES.txt'));
  for (const name of ['zod', 'koa', 'commander', '@grpc/grpc-js', '@noble/curves'])
    t.regex(text, new RegExp(`^${name} \\d`, 'm'));
  t.true(files.has('dist/ipc/LICENSES.txt'));
  t.regex(readFileSync('dist/ipc/LICENSES.txt', 'utf8'), /^zod \d/m);
  t.true(text.includes('Permission is hereby granted, free of charge'));
});

packing('the bill of materials has what is bundled and what is installed, and no tool', (t) => {
  const folder = temporaryFolder(t);
  const { status, stderr } = spawnSync(process.execPath, ['scripts/sbom.mjs', folder], { encoding: 'utf8' });
  t.is(status, 0, stderr);
  const [file = ''] = readdirSync(folder);
  const { components } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as {
    readonly components: readonly {
      readonly purl: string;
      readonly properties: readonly { name: string }[];
    }[];
  };
  const names = components.map(({ purl }) => decodeURIComponent(/^pkg:npm\/(.+)@/.exec(purl)?.[1] ?? ''));
  for (const name of ['pino', 'koa-bodyparser', 'preact', '@node-rs/argon2', 'node-gyp-build'])
    t.true(names.includes(name), name);
  for (const tool of ['ava', 'esbuild', 'typescript', 'bullmq', 'koffi']) t.false(names.includes(tool), tool);
  const properties = components.flatMap((component) => component.properties.map(({ name }) => name));
  t.false(properties.includes('cdx:npm:package:development'));
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

const { packages: lockedPackages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};
const locked = Object.entries(lockedPackages).filter(
  ([folder, { link }]) => link !== true && folder.includes('node_modules/'),
);

packing('an installation stays small', (t) => {
  t.true(unpackedBytes < MAX_UNPACKED_BYTES, `${unpackedBytes} bytes`);
  const packages = installedWith(Object.keys(manifest.dependencies), thisMachine());
  for (const needed of ['piscina', '@photostructure/sqlite', 'koa-compose'])
    t.true(packages.has(`node_modules/${needed}`), needed);
  t.true(packages.size + 1 <= MAX_PACKAGES, `${packages.size} packages beside our own`);
  // npm would install a peer that is not marked.
  t.deepEqual(
    Object.keys(manifest.peerDependenciesMeta).sort(),
    Object.keys(manifest.peerDependencies).sort(),
  );
  t.true(Object.values(manifest.peerDependenciesMeta).every(({ optional }) => optional));
});

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
  const listed = /npm ci --ignore-scripts` installs everything that runs:(.*)/.exec(page)?.[1] ?? '';
  const named = [...listed.matchAll(/`([^` ]+)`/g)].map(([, name]) => name).sort();
  const scripted = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([folder]) => folder.replace(/^.*node_modules\//, ''));
  t.deepEqual(named, scripted.sort());
});
