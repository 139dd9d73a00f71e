// Holds the rule who may import whom (docs/architecture.md) and what follows from it: no thread has both the keys and
// the network. Reads the sources themselves, because types are gone from the compiled files.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';

interface Rule {
  /** Folders whose code may be used. */
  readonly code: readonly string[];
  /** Folders of which only types may be used: interfaces that the other side implements. */
  readonly types?: readonly string[];
}

const FRONT: Rule = { code: ['protocol'] };

const RULES: Readonly<Record<string, Rule>> = {
  protocol: { code: [] },
  shielded: { code: [] },
  async: { code: [] },
  kernel: { code: ['shielded'] },
  chain: { code: ['protocol', 'shielded', 'async'], types: ['actors/chain'] },
  storage: { code: ['protocol', 'shielded', 'async'], types: ['actors/chain', 'actors/wallet'] },
  'actors/chain': { code: ['protocol', 'shielded', 'async'], types: ['chain'] },
  'actors/wallet': { code: ['protocol', 'shielded', 'async'], types: ['actors/chain'] },
  workers: {
    code: ['protocol', 'shielded', 'async', 'kernel', 'chain', 'storage', 'actors/chain', 'actors/wallet'],
  },
  http: FRONT,
  cli: FRONT,
  actors: { code: [] },
  ipc: FRONT,
  ffi: FRONT,
  client: FRONT,
  devnet: { code: ['protocol', 'shielded', 'chain'] },
};

/** Both actors cut a request to 1,000 blocks in the same way: pure arithmetic, no state, no keys. */
const SHARED_FILES: readonly string[] = ['src/actors/syncRange.ts'];

interface Import {
  readonly from: string;
  /** A source file, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[\w*{][^;'"]*?\sfrom\s+)?'([^']+)'/gm;
/** With a member after it, it is a type: `import('./x.ts').X`. */
const EXPRESSION = /\bimport\('([^']+)'\)(\.[A-Z])?/g;

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => path.posix.join('src', name.replaceAll(path.sep, '/')))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.includes('/assembly/'));
const known = new Set(sources);

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = [
    ...[...text.matchAll(STATEMENT)].map(([, type, target = '']) => ({ target, type })),
    ...[...text.matchAll(EXPRESSION)].map(([, target = '', type]) => ({ target, type })),
  ];
  return found.flatMap(({ target, type }) => {
    const to = target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target;
    // The compiler refuses what does not resolve, so the rest is text in a template that generates code.
    if (target.startsWith('.') && !known.has(to)) return [];
    return [{ from: file, to, typeOnly: type !== undefined }];
  });
}

const imports: ReadonlyMap<string, readonly Import[]> = new Map(
  sources.map((file) => [file, importsOf(file)]),
);

/** `actors/wallet`, `http`, ...; undefined for src/main.ts, which wires everything. */
function folderOf(file: string): string | undefined {
  const [, first = '', second = ''] = file.split('/');
  if (first === 'main.ts') return undefined;
  return first === 'actors' && !second.endsWith('.ts') ? `actors/${second}` : first;
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const importer = folderOf(from);
  const imported = folderOf(to);
  if (importer === undefined || importer === imported || SHARED_FILES.includes(to)) return true;
  const rule = RULES[importer];
  if (rule === undefined || imported === undefined) return false;
  return rule.code.includes(imported) || (typeOnly && rule.types?.includes(imported) === true);
}

test('every folder of src has a rule', (t) => {
  const folders = new Set(sources.map(folderOf));
  folders.delete(undefined);
  t.deepEqual([...folders].filter((folder) => RULES[folder ?? ''] === undefined).sort(), []);
});

test('folders import only what their rule allows', (t) => {
  const all = [...imports.values()].flat().filter(({ to }) => known.has(to));
  // Far fewer would mean that the statements are no longer recognised.
  t.true(all.length > 500);
  t.deepEqual(
    all.filter((found) => !isAllowed(found)).map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('no folder depends on itself through others, types of interfaces apart', (t) => {
  const visit = (folder: string, way: readonly string[]): void => {
    if (way.includes(folder)) t.fail(`cycle: ${[...way, folder].join(' -> ')}`);
    else for (const next of RULES[folder]?.code ?? []) visit(next, [...way, folder]);
  };
  for (const folder of Object.keys(RULES)) visit(folder, []);
  t.pass();
});

/** Every file and package whose code is loaded with `entries`. */
function loadedWith(...entries: readonly string[]): string[] {
  const loaded = new Set<string>();
  const load = (module: string): void => {
    if (loaded.has(module)) return;
    loaded.add(module);
    for (const { to, typeOnly } of imports.get(module) ?? []) if (!typeOnly) load(to);
  };
  entries.forEach(load);
  return [...loaded];
}

const NETWORK = /^(?:node:)?(?:net|tls|http|https|http2|dgram|dns|inspector)(?:\/|$)|^@grpc\/|^koa|^undici/;

test('the threads that hold keys load nothing that opens a connection', (t) => {
  const loaded = loadedWith('src/workers/walletThread.ts', 'src/workers/scanTask.ts');
  t.true(loaded.includes('src/actors/wallet/walletActor.ts'));
  t.deepEqual(
    loaded.filter((module) => NETWORK.test(module) || folderOf(module) === 'chain'),
    [],
  );
});

test('the chain thread loads no keys, no wallet and no decryption', (t) => {
  const loaded = loadedWith('src/workers/chainThread.ts');
  t.true(loaded.includes('src/actors/chain/chainActor.ts'));
  const secret = /^src\/(?:shielded\/(?:keys|notes|scan|mnemonic)|kernel\/|storage\/(?:wallet|ledger))/;
  t.deepEqual(
    loaded.filter((module) => secret.test(module)),
    [],
  );
});

test('what a browser loads as client needs no package', (t) => {
  const foreign = loadedWith('src/client/client.ts').filter((module) => !known.has(module));
  t.deepEqual(foreign, []);
});
