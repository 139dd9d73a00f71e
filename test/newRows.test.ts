// What adding a pool or a network upgrade takes (docs/adding-a-pool.md): copies of the sources get a made-up fourth
// pool and a made-up NU8, and the compiler says what was forgotten.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { temporaryFolder } from './helpers/temporaryFolder.ts';

interface Edit {
  readonly file: string;
  readonly find: RegExp;
  readonly make: (found: string) => string;
}

const after =
  (added: string) =>
  (found: string): string =>
    found + added;

const POOL_ROW: Edit = {
  file: 'packages/shielded/src/shielded/pools.ts',
  find: / {2}ironwood: \{\n[\s\S]*?\n {2}\},\n/,
  make: (row) =>
    row +
    row
      .replace('ironwood:', 'fourth:')
      .replace('storedNumber: 2', 'storedNumber: 3')
      .replace('chainMetadataField: 3', 'chainMetadataField: 4')
      .replace('compactOutputsField: 9', 'compactOutputsField: 10'),
};

const UPGRADE_ROW: Edit = {
  file: 'packages/shielded/src/shielded/network.ts',
  find: / {2}\{\n {4}key: 'nu7',\n[\s\S]*?\n {2}\},\n/,
  make: (row) =>
    row +
    row
      .replace("'nu7'", "'nu8'")
      .replace("'NU7'", "'NU8'")
      .replace(/main: .*,/, 'main: undefined,')
      .replace(/test: .*,/, 'test: undefined,'),
};

/** What `npm run generate` writes. */
const GENERATED_TYPES = 'src/protocol/generated/types.ts';
const GENERATED: readonly Edit[] = [
  { file: GENERATED_TYPES, find: /'orchard' \| 'ironwood'/g, make: after(" | 'fourth'") },
  {
    file: GENERATED_TYPES,
    find: /^( *)readonly ironwood: \{\n[\s\S]*?\n\1\};\n/gm,
    make: (member) => member + member.replace('ironwood', 'fourth'),
  },
];

/** What the compiler asks for beside the row. */
const POOL_EDITS: readonly Edit[] = [
  { file: 'src/protocol/fields.ts', find: /'orchard', 'ironwood'/, make: after(", 'fourth'") },
  {
    file: 'packages/shielded/src/shielded/notes/orchardScheme.ts',
    find: /export const IRONWOOD = .*\n/,
    make: after("export const FOURTH = createScheme('fourth');\n"),
  },
  {
    file: 'packages/shielded/src/shielded/notes/noteSchemes.ts',
    find: /import \{ IRONWOOD/,
    make: () => 'import { FOURTH, IRONWOOD',
  },
  {
    file: 'packages/shielded/src/shielded/notes/noteSchemes.ts',
    find: /ironwood: IRONWOOD,/,
    make: after(' fourth: FOURTH,'),
  },
  {
    file: 'packages/shielded/src/shielded/encoding/txid.ts',
    find: /ironwood: \{ 6: IRONWOOD_V6 \},/,
    make: after(' fourth: { 6: IRONWOOD_V6 },'),
  },
  {
    file: 'src/actors/chain/compact/proto/generated/compact_pb.ts',
    find: /ironwoodTree: string;/,
    make: after(' fourthTree: string;'),
  },
  {
    file: 'src/actors/chain/compact/subtreeRootStream.ts',
    find: /ironwood: 2/,
    make: after(', fourth: 3'),
  },
  { file: 'src/devnet/blockLimit.ts', find: /ironwood: 3_156/, make: after(', fourth: 3_156') },
  {
    file: 'src/devnet/compactServer.ts',
    find: /ironwoodTree: state\('ironwood'\),/,
    make: after(" fourthTree: state('fourth'),"),
  },
];

const COPIES: Readonly<Record<string, readonly Edit[]>> = {
  unchanged: [],
  'pool-row-only': [POOL_ROW],
  'pool-complete': [POOL_ROW, ...POOL_EDITS, ...GENERATED],
  'upgrade-row-only': [UPGRADE_ROW],
};

function edit(folder: string, { file, find, make }: Edit): void {
  const target = path.join(folder, file);
  const text = readFileSync(target, 'utf8');
  if (text.search(find) < 0) throw new Error(`${file} no longer has ${find}`);
  writeFileSync(target, text.replace(find, make));
}

/** The package beside the sources, its doors opened on sources where an installation has what is compiled. */
function copyPackage(copy: string): void {
  const shielded = path.join(copy, 'packages/shielded');
  cpSync('packages/shielded/src', path.join(shielded, 'src'), { recursive: true });
  // The compiler takes packages of the same name and version for one.
  const manifest = readFileSync('packages/shielded/package.json', 'utf8').replace(/"version".*,/, '');
  const onSources = manifest.replaceAll(/"\.\/dist\/(src\/[^"]+?)\.(?:d\.ts|js)"/g, '"./$1.ts"');
  writeFileSync(path.join(shielded, 'package.json'), onSources);
  mkdirSync(path.join(copy, 'node_modules/@wallet-companion'), { recursive: true });
  symlinkSync(shielded, path.join(copy, 'node_modules/@wallet-companion/shielded'), 'junction');
}

/** Per copy, the files that have errors. One run of the compiler for all: most of its time goes into the packages. */
function filesWithErrors(folder: string): ReadonlyMap<string, readonly string[]> {
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
  const { outDir, tsBuildInfoFile, incremental, ...options } = compilerOptions;
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'junction');
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { ...options, rootDir: '.', noEmit: true },
      include: ['*/src', '*/packages/shielded/src'],
      // The pages have a compiler run of their own.
      exclude: ['*/packages/shielded/src/kernel/assembly', '*/src/dashboard/page'],
    }),
  );
  for (const [name, edits] of Object.entries(COPIES)) {
    cpSync('src', path.join(folder, name, 'src'), { recursive: true });
    copyPackage(path.join(folder, name));
    for (const made of edits) edit(path.join(folder, name), made);
  }
  const compiler = path.resolve('node_modules/typescript/bin/tsc');
  const { stdout, error } = spawnSync(process.execPath, [compiler, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (error) throw error;
  const found = new Map<string, string[]>(Object.keys(COPIES).map((name) => [name, []]));
  for (const [, name = '', file = ''] of stdout.matchAll(/^([\w-]+)\/(\S+?)\(\d+,\d+\): error/gm)) {
    const files = found.get(name);
    if (files === undefined) throw new Error(`the compiler names ${name}/${file}`);
    if (!files.includes(file)) files.push(file);
  }
  if (found.get('unchanged')!.length > 0) throw new Error(stdout);
  return found;
}

test('a pool or an upgrade that was added in one place only is missed wherever it must not be', (t) => {
  const errors = filesWithErrors(temporaryFolder(t));
  t.deepEqual([...errors.get('pool-row-only')!].sort(), [
    'packages/shielded/src/shielded/encoding/txid.ts',
    'packages/shielded/src/shielded/notes/noteSchemes.ts',
    'src/actors/chain/compact/compactClient.ts',
    'src/actors/chain/compact/subtreeRootStream.ts',
    'src/actors/wallet/balance/balanceView.ts',
    'src/actors/wallet/books/exportPage.ts',
    'src/actors/wallet/changes/changesView.ts',
    'src/actors/wallet/mempool/mempoolView.ts',
    'src/actors/wallet/mempool/mempoolWatch.ts',
    'src/actors/wallet/notes/receivedView.ts',
    'src/actors/wallet/notes/views.ts',
    'src/actors/wallet/payments/inspectionView.ts',
    'src/actors/wallet/payments/paymentView.ts',
    'src/actors/wallet/sync/afterCommit.ts',
    'src/actors/wallet/witnesses/handlers.ts',
    'src/devnet/blockLimit.ts',
    'src/devnet/calls.ts',
    'src/devnet/compactServer.ts',
    'src/devnet/demoStory.ts',
    'src/devnet/typedCommands.ts',
  ]);
  t.deepEqual(errors.get('pool-complete'), []);
  t.deepEqual(errors.get('upgrade-row-only'), []);
});

test('the page on adding a pool names every file', (t) => {
  const page = readFileSync('docs/adding-a-pool.md', 'utf8');
  const files = [POOL_ROW, UPGRADE_ROW, ...POOL_EDITS].map(({ file }) => file);
  t.deepEqual(
    files.filter((file) => !page.includes(`\`${file}\``)),
    [],
  );
});
