// Holds the rule who may import whom (docs/inside/folders.md) and what follows from it: no thread has both the keys and
// the network. Reads the sources themselves, because types are gone from the compiled files.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { operationNames } from '../../src/protocol/operations.ts';

interface Rule {
  /** Folders whose code may be used. */
  readonly code: readonly string[];
  /** Folders of which only types may be used: interfaces that the other side implements. */
  readonly types?: readonly string[];
}

const PROTOCOL = ['protocol', 'contract', 'memory'];
const FRONT: Rule = { code: PROTOCOL };
/** Fronts that also hand out the dashboard's files. */
const SERVES_PAGES: Rule = { code: [...PROTOCOL, 'served'] };
/** The protocol, and payments by it. */
const SHIELDED = ['zcash', 'pczt', 'spending', 'values', 'bytes'];
const BELOW_ACTORS = [...PROTOCOL, ...SHIELDED, 'async'];
/** Has keys that can spend: only the thread that signs uses it, and types of it the wallet actor. */
const SIGNING = 'signer';
const CHAIN_PORTS = 'chain/ports';
const WALLET_PORTS = 'actors/wallet/ports';

/** The packages' rooms are open at their doors alone. */
const OF_PROTOCOL = ['base', 'zcash', 'pczt', 'kernel'].map((name) => `packages/${name}`);
const CLIENT = 'packages/client';
const DASHBOARD = 'packages/dashboard';
const PACKAGES = readdirSync('packages')
  .map((name) => `packages/${name}`)
  // What the build left of a package that has moved.
  .filter((root) => existsSync(`${root}/package.json`));

/** A folder stands for those inside it too; the first that fits counts. */
const RULES: Readonly<Record<string, Rule>> = {
  values: { code: [] },
  bytes: { code: [] },
  memory: { code: [] },
  contract: { code: [] },
  checkout: { code: [] },
  protocol: { code: ['contract', 'values', 'memory'], types: ['async'] },
  zcash: { code: ['values', 'bytes'] },
  pczt: { code: ['zcash', 'values', 'bytes'] },
  signer: { code: ['pczt', 'zcash', 'values', 'bytes'] },
  spending: { code: ['pczt', 'zcash', 'values', 'bytes'] },
  async: { code: [] },
  proxy: { code: ['async'] },
  qr: { code: [] },
  ur: { code: [] },
  ledger: { code: [] },
  compactProto: { code: [] },
  kernel: { code: ['zcash', 'values', 'bytes'] },
  halo2: { code: ['kernel', 'pczt', 'zcash', 'async', 'bytes'] },
  doors: {
    code: [
      'memory',
      ...SHIELDED,
      'signer',
      'kernel',
      'halo2',
      'async',
      'proxy',
      'devnet',
      'client',
      'contract',
      'checkout',
      'chain',
      'disk',
      'fleet',
      'served',
      'ur',
      'prover',
      'ledger',
    ],
  },
  books: { code: ['zcash', 'values'] },
  disk: { code: ['contract', 'zcash', 'values', 'bytes'] },
  'storage/blocks': { code: [...BELOW_ACTORS, 'chain/store', 'disk', 'storage/files'], types: [CHAIN_PORTS] },
  storage: {
    code: [...BELOW_ACTORS, 'disk'],
    types: ['proxy', CHAIN_PORTS, WALLET_PORTS, 'programs', 'grants'],
  },
  chain: {
    code: [
      'contract',
      'zcash',
      'values',
      'bytes',
      'async',
      'proxy',
      'compactProto',
      'disk/files',
      'disk/sqlite',
    ],
  },
  'actors/chain': { code: [...BELOW_ACTORS, 'chain', 'compactProto'] },
  'actors/wallet': {
    code: [...BELOW_ACTORS, 'books', 'qr'],
    types: [CHAIN_PORTS, 'programs', SIGNING],
  },
  fleet: { code: ['contract', 'zcash', 'values', 'bytes', 'async'] },
  workers: {
    code: [
      ...BELOW_ACTORS,
      'kernel',
      'halo2',
      'disk',
      'storage',
      'chain',
      'actors/chain',
      'actors/wallet',
      'fleet',
      SIGNING,
      'terminal',
      'proxy',
    ],
  },
  // A process of its own, with keys that can spend: it has no actor, and opens no connection.
  allowance: { code: [...BELOW_ACTORS, 'disk', 'ipc', SIGNING, 'terminal'] },
  'http/server': { code: ['contract', 'memory'] },
  'http/calls': { code: ['async', 'proxy'] },
  programs: { code: ['memory'] },
  prices: { code: ['protocol', 'async', 'programs', 'proxy', 'http/calls'] },
  hooks: { code: [...PROTOCOL, 'async', 'http/calls', 'programs'], types: ['proxy'] },
  service: { code: [...PROTOCOL, 'async', 'http/calls', 'disk/files', 'prover', 'programs', 'values'] },
  'bridge/btcpay': { code: ['contract'] },
  'bridge/server': {
    code: ['contract', 'client', 'bridge/btcpay', 'http/server', 'http/calls', 'disk/files', 'async'],
  },
  terminal: { code: ['contract'] },
  prover: { code: ['halo2', 'kernel', 'pczt', 'zcash', 'bytes'] },
  http: { code: [...SERVES_PAGES.code, 'http/server'] },
  grants: { code: [...PROTOCOL, 'async', 'values'] },
  cli: { code: [...FRONT.code, 'client', 'values', 'async', 'terminal', 'qr', 'ur', 'disk/files'] },
  ipc: { ...SERVES_PAGES, code: [...SERVES_PAGES.code, 'async'] },
  client: { code: ['contract'] },
  served: { code: [] },
  /** What the dashboard shows, in each language. */
  texts: { code: ['client', 'contract', 'checkout'] },
  // It uses the table of block times, the codec of PCZTs and the check of receipts, and nothing else of the shielded protocol.
  model: { code: ['client', 'texts', 'contract', 'checkout', 'zcash', 'pczt', 'bytes', 'ur', 'ledger'] },
  page: { code: ['model', 'texts', 'client', 'contract', 'checkout', 'ur', 'ledger'] },
  devnet: { code: ['zcash', 'values', 'bytes', 'compactProto'] },
  demo: {
    code: [
      'devnet',
      'halo2',
      'kernel',
      'pczt',
      'async',
      'http',
      ...PROTOCOL,
      'zcash',
      'values',
      'bytes',
      'compactProto',
    ],
  },
};
/** Wires the rooms and may use them all; nobody but the program itself uses it. */
const COMPOSITION = 'composition';

interface Import {
  readonly from: string;
  /** A source file, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** Loaded when it is called for, not with the file. */
  readonly lazy: boolean;
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[\w*{][^;'"]*?\sfrom\s+)?'([^']+)'/gm;
/** With a member after it, it is a type: `import('../x.ts').X`. */
const EXPRESSION = /\bimport\('([^']+)'\)(\.[A-Z])?/g;

const sources = ['src', ...PACKAGES.map((root) => `${root}/src`)]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      path.posix.join(folder, name.replaceAll(path.sep, '/')),
    ),
  )
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !file.includes('/assembly/'));
const known = new Set(sources);

interface Manifest {
  name: string;
  exports: Record<string, string | { default: string }>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  imports?: Record<string, { node: string }>;
}
const manifests = PACKAGES.map((root) => ({
  root,
  manifest: JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as Manifest,
  sourceOf: (compiled: string): string =>
    path.posix.join(root, compiled.replace('/dist/', '/').replace(/js$/, 'ts')),
}));
/** The sources behind the doors, by what is imported. */
const doors: ReadonlyMap<string, string> = new Map(
  manifests.flatMap(({ manifest, sourceOf }) =>
    Object.entries(manifest.exports).flatMap(([door, entry]) =>
      typeof entry === 'string' ? [] : [[path.posix.join(manifest.name, door), sourceOf(entry.default)]],
    ),
  ),
);
/** The packages' own choices by platform. */
const chosen: ReadonlyMap<string, string> = new Map(
  manifests.flatMap(({ manifest, sourceOf }) =>
    Object.entries(manifest.imports ?? {}).map(([name, { node }]) => [name, sourceOf(node)]),
  ),
);

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = [
    ...[...text.matchAll(STATEMENT)].map(([, type, target = '']) => ({ target, type, lazy: false })),
    ...[...text.matchAll(EXPRESSION)].map(([, target = '', type]) => ({ target, type, lazy: true })),
  ];
  return found.flatMap(({ target, type, lazy }) => {
    const to = target.startsWith('.')
      ? path.posix.join(path.posix.dirname(file), target)
      : (doors.get(target) ?? chosen.get(target) ?? target);
    // The compiler refuses what does not resolve, so the rest is text in a template that generates code.
    if (target.startsWith('.') && !known.has(to)) return [];
    return [{ from: file, to, typeOnly: type !== undefined, lazy }];
  });
}

const imports: ReadonlyMap<string, readonly Import[]> = new Map(
  sources.map((file) => [file, importsOf(file)]),
);

const isIn = (folder: string, file: string): boolean =>
  ['', ...PACKAGES.map((root) => `${root}/`)].some((root) => file.startsWith(`${root}src/${folder}/`));

/** `actors/wallet`, `http`, ...; undefined for src/main.ts and what it is composed in. */
const roomOf = (file: string): string | undefined => Object.keys(RULES).find((room) => isIn(room, file));

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const room = roomOf(from);
  if (room === undefined || room === roomOf(to)) return true;
  // A file that uses a door uses what is behind it.
  if (isIn('doors', to)) return imports.get(to)!.every((inner) => isAllowed({ ...inner, from, typeOnly }));
  const { code, types = [] } = RULES[room]!;
  return [...code, ...(typeOnly ? types : [])].some((folder) => isIn(folder, to));
}

const betweenSources = [...imports.values()].flat().filter(({ to }) => known.has(to));

test('every file but the composition root is in a folder that has a rule', (t) => {
  t.deepEqual(
    sources.filter((file) => roomOf(file) === undefined && !isIn(COMPOSITION, file)),
    ['src/main.ts'],
  );
});

test('only the program uses the composition root', (t) => {
  const used = betweenSources.filter(({ from, to }) => isIn(COMPOSITION, to) && !isIn(COMPOSITION, from));
  t.deepEqual(
    used.map(({ from, to }) => `${from} -> ${to}`),
    ['src/main.ts -> src/composition/environment.ts'],
  );
});

test('every file says in a header comment what it is', (t) => {
  const written = sources.filter((file) => !file.includes('/generated/'));
  t.deepEqual(
    written.filter((file) => !/^(?:#!.*\n)?\/\/ \S/.test(readFileSync(file, 'utf8'))),
    [],
  );
});

/** What the front does itself on a call, beside passing it on: a lock ends the wait for a password. */
const DECIDES_BY_NAME: readonly string[] = ['src/workers/reopening.ts'];

test('what sets an operation apart on a surface stands in its row, not in a list of names', (t) => {
  const names = operationNames.map((name) => `'${name.replace('.', '\\.')}'`).join('|');
  const decides = new RegExp(`[!=]== (?:${names})|case (?:${names}):|^\\s*(?:${names}),$`, 'm');
  const fronts = sources.filter(
    (file) => /^src\/(?:cli|http|ipc|workers)\//.test(file) && !DECIDES_BY_NAME.includes(file),
  );
  t.true(fronts.length > 50);
  t.deepEqual(
    fronts.filter((file) => decides.test(readFileSync(file, 'utf8'))),
    [],
  );
});

test('no setting, flag or surface can make the key of a password cheaper: only who starts the threads, and that is tests', (t) => {
  t.deepEqual(
    sources
      .filter((file) => /\bkdf\b/.test(readFileSync(file, 'utf8')))
      .map((file) => file.replace('src/', ''))
      .sort(),
    [
      'storage/backup/backupFile.ts',
      'storage/wallet/openContainer.ts',
      'storage/wallet/walletFile.ts',
      'storage/wallet/walletFormat.ts',
      'workers/companionOptions.ts',
      'workers/threadMethods.ts',
      'workers/walletSide.ts',
      'workers/walletThread.ts',
    ],
  );
});

test('folders import only what their rule allows', (t) => {
  // Far fewer would mean that the statements are no longer recognised.
  t.true(betweenSources.length > 500);
  t.deepEqual(
    betweenSources.filter((found) => !isAllowed(found)).map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

const packageOf = (file: string): string | undefined => PACKAGES.find((root) => file.startsWith(`${root}/`));

test('a package is entered only by a door', (t) => {
  const behindDoors = new Set(doors.values());
  t.deepEqual(
    [...behindDoors].filter((file) => !known.has(file)),
    [],
  );
  t.deepEqual(
    betweenSources
      .filter(
        ({ from, to }) =>
          packageOf(to) !== undefined && packageOf(from) !== packageOf(to) && !behindDoors.has(to),
      )
      .map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
  // What the packages' tests share is for tests.
  const ofTests = [...imports.values()]
    .flat()
    .filter(({ to }) => /^#|^@wallet-companion\/\w+\/(?:test|bench)\//.test(to));
  t.deepEqual(ofTests, []);
});

/** Makes the kernel's binaries, and is not shipped. */
const BUILDS = `packages/kernel/src/kernel/generator/build.ts`;

test('a package uses what its package.json names, and nothing else outside', (t) => {
  for (const { root, manifest } of manifests) {
    // Its page is bundled, and needs nothing once that is done.
    const bundled = root === DASHBOARD ? manifest.devDependencies : {};
    const named = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...bundled });
    const folders = manifests
      .filter((other) => named.includes(other.manifest.name))
      .map((other) => other.root);
    const isNamed = (to: string): boolean =>
      known.has(to)
        ? [root, ...folders].some((folder) => packageOf(to) === folder)
        : /^node:/.test(to) || named.some((name) => to === name || to.startsWith(`${name}/`));
    const used = [...imports.values()]
      .flat()
      .filter(({ from }) => packageOf(from) === root && from !== BUILDS);
    t.true(used.length > 10, root);
    t.deepEqual(
      used.filter(({ to }) => !isNamed(to)).map(({ from, to }) => `${from} -> ${to}`),
      [],
    );
  }
});

test('of the protocol only the way out, what loads and builds the kernel, and the choice by platform need Node', (t) => {
  const code = (file: string): string => readFileSync(file, 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const inside = sources.filter((file) => OF_PROTOCOL.some((root) => file.startsWith(`${root}/`)));
  t.true(inside.length > 200);
  t.deepEqual(
    inside.filter((file) => /'node:|\bBuffer\.|\bprocess\./.test(code(file))).sort(),
    [
      'base/src/proxy/outgoing.ts',
      'base/src/proxy/socks5.ts',
      'kernel/src/kernel/generator/build.ts',
      'kernel/src/kernel/loadKernel.ts',
      'kernel/src/kernel/wideFlags.ts',
      'zcash/src/zcash/platform/node.ts',
    ].map((file) => `packages/${file}`),
  );
});

test('Node itself knows no other way into a package', async (t) => {
  await t.notThrowsAsync(import('@wallet-companion/zcash/keys'));
  const inside: string = '@wallet-companion/zcash/dist/src/zcash/keys/account.js';
  await t.throwsAsync(import(inside), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
  await t.notThrowsAsync(import('@wallet-companion/devnet/chain'));
  await t.notThrowsAsync(import('@wallet-companion/client'));
  const client: string = '@wallet-companion/client/dist/src/client/client.js';
  await t.throwsAsync(import(client), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
});

/** A way from a node back to itself, or undefined. */
function circleIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of arrows.get(node) ?? []) {
      const circle = visit(next, [...way, node]);
      if (circle !== undefined) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of arrows.keys()) {
    const circle = visit(node, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** The operation table is one thing in several files. */
const FOLDERS_AS_ONE: Readonly<Record<string, string>> = { 'src/protocol/operations': 'src/protocol' };

const folderOf = (file: string): string => {
  const folder = path.posix.dirname(file);
  return FOLDERS_AS_ONE[folder] ?? folder;
};

test('no folder depends on itself through others, not even for a type', (t) => {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of betweenSources) {
    const [importer, imported] = [folderOf(from), folderOf(to)];
    if (importer === imported) continue;
    arrows.set(importer, (arrows.get(importer) ?? new Set()).add(imported));
  }
  t.true(arrows.size > 30);
  t.is(circleIn(arrows), undefined);
});

test('no file needs itself through others, not even for a type', (t) => {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of betweenSources) {
    arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
  }
  t.is(circleIn(arrows), undefined);
});

/** Every file and package whose code is loaded with `entries`. */
function loadedWith(entries: readonly string[], counts: (found: Import) => boolean = () => true): string[] {
  const loaded = new Set<string>();
  const load = (module: string): void => {
    if (loaded.has(module)) return;
    loaded.add(module);
    for (const found of imports.get(module) ?? []) if (!found.typeOnly && counts(found)) load(found.to);
  };
  entries.forEach(load);
  return [...loaded];
}

test('what every command loads has no actor, no thread, no server, no database and no schema', (t) => {
  const entries = ['src/main.ts', ...(imports.get('src/main.ts') ?? []).map(({ to }) => to)];
  const loaded = loadedWith(
    entries.filter((module) => !module.startsWith('packages/kernel/')),
    ({ lazy }) => !lazy,
  );
  t.true(loaded.includes('src/cli/runCli.ts'));
  const slow = ['actors', 'devnet', 'http', 'ipc', 'kernel', 'zcash', 'pczt', 'disk/sqlite', 'workers'];
  t.deepEqual(
    loaded.filter((module) => module === 'zod' || slow.some((folder) => isIn(folder, module))),
    [],
  );
});

test('what starts the threads has no operation table, no server and no actor: those load beside them', (t) => {
  const entries = ['src/composition/serve.ts', 'src/composition/openLocal.ts', 'src/workers/companion.ts'];
  const loaded = loadedWith(entries, ({ lazy }) => !lazy);
  t.true(loaded.includes('src/workers/walletSide.ts'));
  const slow = ['actors', 'devnet', 'http', 'kernel', 'protocol/operations'];
  t.deepEqual(
    loaded.filter((module) => module.startsWith('koa') || slow.some((folder) => isIn(folder, module))),
    [],
  );
});

test('a fleet is loaded where one is configured, and by nothing else', (t) => {
  const entries = ['main', 'composition/serve', 'composition/openLocal', 'composition/desktop'];
  const threads = ['walletThread', 'chainThread', 'scanHubThread', 'scanTask'].map(
    (name) => `workers/${name}`,
  );
  const loaded = loadedWith(
    [...entries, ...threads].map((name) => `src/${name}.ts`),
    ({ lazy }) => !lazy,
  );
  t.true(loaded.includes('src/actors/wallet/walletActor.ts'));
  t.deepEqual(
    loaded.filter((module) => isIn('fleet', module)),
    [],
  );
});

const NETWORK =
  /^(?:node:)?(?:net|tls|http|https|http2|dgram|dns|inspector)(?:\/|$)|^@grpc\/|^koa|^undici|^bullmq|^ioredis|\/fleet\/queue\/(?!redisAddress|missingPackage)/;

test('the threads that hold keys load nothing that opens a connection', (t) => {
  const loaded = loadedWith([
    'src/workers/walletThread.ts',
    'src/workers/scanTask.ts',
    'src/workers/fleetScanThread.ts',
  ]);
  t.true(loaded.includes('packages/fleet/src/fleet/companion/fleetPool.ts'));
  t.true(loaded.includes('src/actors/wallet/walletActor.ts'));
  t.deepEqual(
    loaded.filter((module) => NETWORK.test(module) || isIn('actors/chain', module) || isIn('chain', module)),
    [],
  );
});

test('the thread that signs loads no connection, no actor, no file and no kernel, and no other thread the keys that spend', (t) => {
  const loaded = loadedWith(['src/workers/signingThread.ts']);
  t.true(loaded.includes('packages/pczt/src/signer/signPczt.ts'));
  t.deepEqual(
    loaded.filter(
      (module) =>
        NETWORK.test(module) ||
        /^node:(?:fs|child_process)/.test(module) ||
        ['actors', 'chain', 'disk/files', 'disk/sqlite', 'fleet', 'kernel', 'programs'].some((folder) =>
          isIn(folder, module),
        ),
    ),
    [],
  );
  const others = ['walletThread', 'chainThread', 'scanHubThread', 'companion'].map(
    (name) => `src/workers/${name}.ts`,
  );
  t.deepEqual(
    loadedWith(others).filter((module) => isIn('signer', module)),
    [],
  );
});

test('main and wallet thread start without the kernel, which is tested elsewhere', (t) => {
  const entries = ['src/workers/companion.ts', 'src/workers/walletThread.ts'];
  const loaded = loadedWith(entries, ({ lazy }) => !lazy);
  t.true(loaded.includes('src/workers/kernelChoice.ts'));
  t.deepEqual(
    loaded.filter((module) => isIn('kernel', module)),
    [],
  );
});

test('the thread of shared scan workers loads no wallet, no file and no connection', (t) => {
  const loaded = loadedWith(['src/workers/scanHubThread.ts']);
  t.true(loaded.includes('src/workers/scanHub.ts'));
  t.deepEqual(
    loaded.filter(
      (module) =>
        NETWORK.test(module) ||
        module === 'node:fs' ||
        isIn('actors', module) ||
        isIn('disk', module) ||
        isIn('storage', module),
    ),
    [],
  );
});

test('the chain thread loads no keys, no wallet and no decryption', (t) => {
  const loaded = loadedWith(['src/workers/chainThread.ts', 'src/workers/fleetQueueThread.ts']);
  t.true(loaded.includes('src/actors/chain/chainActor.ts'));
  // Proof of work of headers, and what compiles it.
  const work = loadedWith(['equihash', 'kernelLoad'].map((door) => `packages/kernel/src/doors/${door}.ts`));
  const secret = [
    'actors/wallet',
    'disk/rows',
    'disk/sealing',
    'fleet/companion',
    'fleet/sealed',
    'fleet/worker',
    'kernel',
    'zcash/keys',
    'zcash/notes',
    'zcash/scan',
    'storage/notes',
    'storage/wallet',
  ];
  t.deepEqual(
    loaded.filter((module) => !work.includes(module) && secret.some((folder) => isIn(folder, module))),
    [],
  );
});

test('what a browser loads as client needs no package', (t) => {
  const entries = ['index', 'contract', 'checkout'].map((door) => `${CLIENT}/src/doors/${door}.ts`);
  const strange = loadedWith(entries).filter((module) => !known.has(module));
  t.deepEqual(strange, []);
});

test('what a browser loads as dashboard needs few packages, and nothing of Node', (t) => {
  const packagesOf = (entry: string): string[] => {
    const loaded = loadedWith([`${DASHBOARD}/src/page/${entry}`]);
    t.true(entry.endsWith('.ts') || loaded.length > 40);
    return loaded.filter((module) => !known.has(module)).sort();
  };
  const drawn = ['@levischuck/tiny-cbor', '@noble/hashes/sha2.js', 'preact', 'preact/hooks', 'qr'];
  t.deepEqual(packagesOf('main.tsx'), [...drawn, 'uplot']);
  // The door to the codec of PCZTs leads to these as well; the bundle has of them what is used, and in a browser nothing of Node.
  const behindCodec = [
    '@noble/ciphers/chacha.js',
    '@noble/curves/secp256k1.js',
    '@noble/hashes/blake2.js',
    '@noble/hashes/hmac.js',
    '@noble/hashes/legacy.js',
    '@noble/hashes/pbkdf2.js',
    '@scure/base',
    '@scure/bip39',
    '@scure/bip39/wordlists/english.js',
    'node:crypto',
  ];
  t.deepEqual(packagesOf('device/main.tsx'), [...drawn, ...behindCodec].sort());
  const behindReceipts = [...behindCodec, '@noble/curves/ed25519.js', '@noble/hashes/sha2.js'];
  t.deepEqual(
    packagesOf('receipt/main.tsx'),
    [...behindReceipts.filter((name) => !/pbkdf2|bip39/.test(name)), 'preact', 'preact/hooks'].sort(),
  );
  t.deepEqual(packagesOf('device/scanner.ts'), ['qr/decode.js', 'zxing-wasm/reader']);
});
