// What adding a pool or a transaction version takes (docs/inside/adding-a-pool.md): copies of the sources get a made-up fourth pool
// and a made-up version 7, and the compiler names every place that has to decide. Once they have, both work everywhere.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { AT_LENGTH } from '@wallet-companion/base/test/atLength';
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

const upgradeRow = (version: string): Edit => ({
  file: 'packages/zcash/src/zcash/network.ts',
  find: / {2}\{\n {4}key: 'nu7',\n[\s\S]*?\n {2}\},\n/,
  make: (row) =>
    row +
    row
      .replace("'nu7'", "'nu8'")
      .replace("'NU7'", "'NU8'")
      .replace('0x77190ad9', '0x77190ada')
      .replace(/main: .*,/, 'main: undefined,')
      .replace(/test: .*,/, 'test: undefined,')
      .replace('oldestVersion: 5,', version),
});

const poolRow = (version: string): Edit => ({
  file: 'packages/zcash/src/zcash/pools.ts',
  find: / {2}ironwood: \{\n[\s\S]*?\n {2}\},\n/,
  make: (row) =>
    row +
    row
      .replace('ironwood:', 'fourth:')
      .replace("'Ironwood'", "'Fourth'")
      .replace("'nu6_3'", "'nu8'")
      .replace('storedNumber: 2', 'storedNumber: 3')
      .replace('transactionVersion: 6', version)
      .replace('chainMetadataField: 3', 'chainMetadataField: 4')
      .replace('compactOutputsField: 9', 'compactOutputsField: 10'),
});

/** The name in the API, and what `npm run generate` writes. */
const GENERATED = 'packages/client/src/contract/generated/types.ts';
const NAME: readonly Edit[] = [
  { file: 'src/protocol/fields.ts', find: /'orchard', 'ironwood'/, make: after(", 'fourth'") },
  { file: GENERATED, find: /'orchard' \| 'ironwood'/g, make: after(" | 'fourth'") },
  {
    file: GENERATED,
    find: /^( *)readonly ironwood: \{\n[\s\S]*?\n\1\};\n/gm,
    make: (member) => member + member.replace('ironwood', 'fourth'),
  },
];

/** What buf generates of one more field of `TreeState`. */
function withFourthTree(descriptor: string): string {
  const file = fromBinary(FileDescriptorProtoSchema, Buffer.from(descriptor, 'base64'));
  const { field } = file.messageType.find(({ name }) => name === 'TreeState')!;
  field.push({ ...field.at(-1)!, name: 'fourth_tree', jsonName: 'fourthTree', number: 8 });
  return Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString('base64');
}

const MESSAGES = 'packages/zcash/src/compactProto/generated/compact_pb.ts';
const TXID = 'packages/zcash/src/zcash/encoding/txid.ts';
const PCZT = 'packages/pczt/src/pczt/pczt.ts';
const BLOCKS = 'src/storage/notes/scannedBlocks.ts';
const SCHEMES = 'packages/zcash/src/zcash/notes/noteSchemes.ts';

/** One decision for each place. */
const DECISIONS: readonly Edit[] = [
  { file: SCHEMES, find: /import \{ IRONWOOD/, make: () => 'import { FOURTH, IRONWOOD' },
  { file: SCHEMES, find: /ironwood: IRONWOOD,/, make: after(' fourth: FOURTH,') },
  {
    file: 'packages/zcash/src/zcash/notes/orchardScheme.ts',
    find: /export const IRONWOOD = .*\n/,
    make: after("export const FOURTH = createScheme('fourth');\n"),
  },
  { file: MESSAGES, find: /ironwoodTree: string;/, make: after(' fourthTree: string;') },
  { file: MESSAGES, find: /(?<=fileDesc\(")[^"]+/, make: withFourthTree },
  {
    file: 'packages/devnet/src/devnet/compactServer.ts',
    find: /ironwoodTree: state\('ironwood'\),/,
    make: after(" fourthTree: state('fourth'),"),
  },
  {
    file: 'packages/devnet/src/devnet/blockLimit.ts',
    find: /ironwood: 3_156/,
    make: after(', fourth: 3_156'),
  },
  {
    file: 'packages/chain/src/chain/compact/subtreeRootStream.ts',
    find: /ironwood: 2/,
    make: after(', fourth: 3'),
  },
  { file: 'packages/fleet/src/fleet/sealed/format.ts', find: /ironwood: 1/, make: after(', fourth: 2') },
  {
    file: 'packages/kernel/src/kernel/noteSelfTest.ts',
    find: / {2}ironwood: \{\n[\s\S]*?\n {2}\},\n/,
    make: (note) => note + note.replace('ironwood', 'fourth'),
  },
  {
    file: 'src/actors/wallet/payments/deviceLimits.ts',
    find: /ironwood: true/g,
    make: after(', fourth: true'),
  },
  {
    file: 'packages/zcash/src/zcash/payments/receiptCheck.ts',
    find: /ironwood: 0, orchard: 1/,
    make: after(', fourth: 3'),
  },
  { file: BLOCKS, find: / {4}ironwood_tree_size .*\n/, make: (column) => column + swapped(column) },
  { file: BLOCKS, find: / {2}ironwood: 'ironwood_tree_size',\n/, make: (row) => row + swapped(row) },
  {
    file: 'packages/pczt/src/spending/changePool.ts',
    find: /ironwood: 1/,
    make: after(', fourth: 3'),
  },
  {
    file: 'packages/pczt/src/spending/splitChange.ts',
    find: /ironwood: true/,
    make: after(', fourth: true'),
  },
  { file: PCZT, find: / {2}ironwood: \{.*\},\n/, make: (place) => place + swapped(place) },
  { file: PCZT, find: /6: 2/, make: after(', 7: 2') },
  {
    file: TXID,
    find: / {2}6: \{\n[\s\S]*?\n {2}\},\n/,
    make: (form) => {
      const wider = (fourth: string) => form.replace(/ironwood: \w+/, `$&, fourth: ${fourth}`);
      return wider('undefined') + wider('IRONWOOD_V6').replace('6:', '7:');
    },
  },
  { file: TXID, find: /ironwood: undefined/, make: after(', fourth: undefined') },
  {
    file: 'packages/zcash/src/zcash/encoding/transaction.ts',
    find: /6: 0xd884_b698/,
    make: after(', 7: 0xd884_b699'),
  },
  {
    file: 'packages/zcash/src/zcash/encoding/transaction.ts',
    find: /6: readV5/,
    make: after(', 7: readV5'),
  },
  {
    file: 'packages/zcash/src/zcash/encoding/transactionEncoding.ts',
    find: /6: asV5\(6\)/,
    make: after(', 7: asV5(7)'),
  },
];

function swapped(text: string): string {
  return text.replaceAll('ironwood', 'fourth');
}

const COPIES: Readonly<Record<string, readonly Edit[]>> = {
  pool: [upgradeRow(''), poolRow('transactionVersion: 6'), ...NAME],
  version: [upgradeRow('transactionVersion: 7,')],
  decided: [upgradeRow('transactionVersion: 7,'), poolRow('transactionVersion: 7'), ...NAME, ...DECISIONS],
};

function edit(folder: string, { file, find, make }: Edit): void {
  const target = path.join(folder, file);
  const text = readFileSync(target, 'utf8');
  if (text.search(find) < 0) throw new Error(`${file} no longer has ${find}`);
  writeFileSync(target, text.replace(find, make));
}

const run = (folder: string, script: string, ...args: readonly string[]): string => {
  const { stdout, error } = spawnSync(process.execPath, [path.resolve('node_modules', script), ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (error) throw error;
  return stdout;
};

const PACKAGES = readdirSync('packages').map((name) => `packages/${name}`);

/** The packages' doors in a copy, those to their tests' helpers too, on sources or on what is compiled of them. */
function openPackages(copy: string, ending: 'ts' | 'js'): void {
  mkdirSync(path.join(copy, 'node_modules', '@wallet-companion'), { recursive: true });
  for (const root of PACKAGES) {
    // The compiler takes packages of the same name and version for one.
    const manifest = readFileSync(`${root}/package.json`, 'utf8').replace(/"version".*,/, '');
    const opened = manifest.replaceAll(
      /"\.\/dist\/((?:src|test)\/[^"]+?)\.(?:d\.ts|js)"/g,
      `"./$1.${ending}"`,
    );
    mkdirSync(path.join(copy, root), { recursive: true });
    writeFileSync(path.join(copy, root, 'package.json'), opened);
    const name = path.posix.basename(root);
    symlinkSync(
      path.join(copy, root),
      path.join(copy, 'node_modules', '@wallet-companion', name),
      'junction',
    );
  }
  const imports = { '#chain/*': `./packages/chain/src/chain/*.${ending}` };
  writeFileSync(path.join(copy, 'package.json'), JSON.stringify({ type: 'module', imports }));
}

const OUTPUT = { rootDir: '.', outDir: 'dist', sourceMap: false, declaration: false };

/** Per copy, the errors by file. One run of the compiler for all: most of its time goes into the packages. */
function compile(folder: string): ReadonlyMap<string, readonly string[]> {
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
  const { tsBuildInfoFile, incremental, ...options } = compilerOptions;
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'junction');
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      // The checkout is for pages, and is part of the client.
      compilerOptions: { ...options, lib: [...options.lib, 'dom', 'dom.iterable'], ...OUTPUT },
      include: [
        '*/src',
        ...PACKAGES.map((root) => `*/${root}/src`),
        'decided/test/everyPool.full.test.ts',
        'decided/packages/*/test/helpers',
      ],
      // The pages have a compiler run of their own.
      exclude: [
        '*/packages/kernel/src/kernel/assembly',
        '*/packages/dashboard/src/page',
        '*/packages/dashboard/test',
      ],
    }),
  );
  for (const [name, edits] of Object.entries(COPIES)) {
    cpSync('src', path.join(folder, name, 'src'), { recursive: true });
    for (const root of PACKAGES)
      cpSync(`${root}/src`, path.join(folder, name, root, 'src'), { recursive: true });
    openPackages(path.join(folder, name), 'ts');
    for (const made of edits) edit(path.join(folder, name), made);
  }
  for (const part of ['helpers', 'everyPool.full.test.ts'])
    cpSync(path.join('test', part), path.join(folder, 'decided', 'test', part), { recursive: true });
  for (const helpers of PACKAGES.map((root) => `${root}/test/helpers`).filter(existsSync))
    cpSync(helpers, path.join(folder, 'decided', helpers), { recursive: true });
  openPackages(path.join(folder, 'dist', 'decided'), 'js');
  const kernel = 'packages/kernel/dist/src/kernel/wasm';
  cpSync(kernel, path.join(folder, 'dist', 'decided', kernel.replace('dist/', '')), { recursive: true });
  const found = new Map<string, string[]>(Object.keys(COPIES).map((name) => [name, []]));
  const errors = run(folder, 'typescript/bin/tsc', '--pretty', 'false');
  for (const [error, name = '', file = ''] of errors.matchAll(/^([\w-]+)\/(\S+?)\(\d+,\d+\): error.*/gm)) {
    const files = found.get(name);
    if (files === undefined) throw new Error(error);
    if (!files.includes(file)) files.push(name === 'decided' ? error : file);
  }
  return found;
}

/** The files in the first column of the table below a heading. */
function documented(heading: string): string[] {
  const [, section = ''] = readFileSync('docs/inside/adding-a-pool.md', 'utf8').split(`## ${heading}\n`);
  return [...section.split('\n## ')[0]!.matchAll(/^\| `((?:packages\/\w+\/)?src\/[^`]+)`/gm)]
    .map(([, file]) => file!)
    .sort();
}

// Three copies of the sources go through the compiler.
const atLength = AT_LENGTH ? test : () => undefined;

atLength(
  'the compiler names what the page lists, and with that decided nothing leaves the new ones out',
  (t) => {
    const folder = temporaryFolder(t);
    const errors = compile(folder);
    t.deepEqual([...errors.get('pool')!].sort(), documented('A pool of Orchard’s protocol'));
    t.deepEqual([...errors.get('version')!].sort(), documented('A transaction version'));
    t.deepEqual(errors.get('decided'), []);
    writeFileSync(
      path.join(folder, 'ava.config.mjs'),
      "export default { files: ['dist/decided/test/everyPool.full.test.js'] };",
    );
    const report = run(folder, 'ava/entrypoints/cli.mjs', '--tap', '--timeout=10m');
    t.regex(report, /^ok .*version 7: its id takes in fourth/m);
    t.regex(report, /^ok .*compact: notes of every pool are found/m);
    t.notRegex(report, /^not ok/m);
  },
);

test('the page on adding a pool names every file that is edited', (t) => {
  const page = readFileSync('docs/inside/adding-a-pool.md', 'utf8');
  const files = Object.values(COPIES).flatMap((edits) => edits.map(({ file }) => file));
  t.deepEqual(
    files.filter((file) => file !== GENERATED && !page.includes(`\`${file}\``)),
    [],
  );
});
