// What `npm run release` writes: the same bytes twice, checksums of all, and each package alone in an empty folder, where its doors
// open, its types compile and the example of its README prints what is shown.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { stageBytes } from '@wallet-companion/pczt/test/pcztVectors';
import { readDelimited } from '@wallet-companion/zcash/test/fixtures';
import test from 'ava';
import { startDevnetService } from '../helpers/devnetService.ts';
import { paysOnce, tellsItsStory } from '../helpers/installedCompanion.ts';
import { exampleOf } from '../helpers/readmeExample.ts';
import { installAlone, makeRelease, manifestOf, tarballName } from '../helpers/releaseFiles.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const execute = promisify(execFile);
const node = async (cwd: string, ...args: string[]): Promise<string> =>
  (await execute(process.execPath, args, { cwd, maxBuffer: 1 << 26 })).stdout;

const PACKAGES = readdirSync('packages').map((name) => `packages/${name}`);
/** A block with a note of the example's account. */
const BLOCK = 4;
/** They have no example that runs by itself: their doors are opened, and their types compiled. */
const WITHOUT_EXAMPLE = ['base', 'dashboard', 'fleet', 'halo2'];
/** What an example imports besides: the other side, where the package is a client. */
const BESIDE: Readonly<Record<string, readonly string[]>> = { 'packages/chain': ['packages/devnet'] };

const release = mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
test.after.always(() => rmSync(release, { recursive: true, force: true }));

const keys = mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
test.after.always(() => rmSync(keys, { recursive: true, force: true }));
const newKey = (name: string): string => {
  const file = path.join(keys, name);
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  return file;
};
const key = newKey('own');
const canSign = existsSync(key);
const signing = canSign ? test : test.skip;
if (!canSign) console.log('ssh-keygen is not there, so the signature is not tried.');
test.before(() => makeRelease(release, { args: canSign ? ['--sign-with', key] : [] }));

test('two releases of the same build have the same bytes, by any user, and the checksums are of all', async (t) => {
  const again = path.join(temporaryFolder(t), 'again');
  await makeRelease(again, { umask: '077' });
  const sums = readFileSync(path.join(release, 'SHA256SUMS'), 'utf8');
  t.is(readFileSync(path.join(again, 'SHA256SUMS'), 'utf8'), sums);
  const expected = readdirSync(release)
    .filter((name) => !name.startsWith('SHA256SUMS'))
    .map((name) => {
      const bytes = readFileSync(path.join(release, name));
      return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
    });
  t.is(sums, expected.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(''));
  t.true(sums.includes('  receipt.html\n'));
  for (const root of ['.', ...PACKAGES]) t.true(sums.includes(`  ${tarballName(root)}\n`), root);
});

signing('the checksums are signed: not other ones, not by another key, not for another purpose', (t) => {
  const sums = readFileSync(path.join(release, 'SHA256SUMS'), 'utf8');
  const verify = ({ text = sums, signer = key, purpose = 'wallet-companion-release' }) => {
    const known = path.join(keys, 'known');
    writeFileSync(known, `release ${readFileSync(`${signer}.pub`, 'utf8')}`);
    const of = ['-n', purpose, '-s', path.join(release, 'SHA256SUMS.sig')];
    return spawnSync('ssh-keygen', ['-Y', 'verify', '-f', known, '-I', 'release', ...of], { input: text })
      .status;
  };
  t.is(verify({}), 0);
  t.not(verify({ text: sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }), 0);
  t.not(verify({ signer: newKey('other') }), 0);
  t.not(verify({ purpose: 'file' }), 0);
});

test('a folder with other files is left as it is', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'letter.txt'), 'not ours');
  await t.throwsAsync(makeRelease(folder), { message: /is not empty/ });
  t.deepEqual(readdirSync(folder), ['letter.txt']);
});

test("Sapling's parameters are an asset of their own", async (t) => {
  const folder = temporaryFolder(t);
  const [given, made] = [path.join(folder, 'given'), path.join(folder, 'made')];
  await execute('mkdir', [given]);
  for (const kind of ['spend', 'output']) writeFileSync(path.join(given, `sapling-${kind}.params`), kind);
  await makeRelease(made, { args: ['--sapling-params', given] });
  const listed = await execute('tar', ['-tf', path.join(made, 'sapling-params.tar')]);
  t.is(listed.stdout, 'sapling-params/sapling-output.params\nsapling-params/sapling-spend.params\n');
  t.true(readFileSync(path.join(made, 'SHA256SUMS'), 'utf8').includes('  sapling-params.tar\n'));
});

/** Doors by name; patterns are for tests and benches, which are not shipped. */
const doorsOf = async (root: string): Promise<readonly string[]> => {
  const { name, exports } = await manifestOf(root);
  return Object.keys(exports)
    .filter((door) => !door.includes('*') && door !== './package.json')
    .map((door) => path.posix.join(name, door));
};

for (const root of PACKAGES)
  test(`${root} alone: its doors open and their types are whole`, async (t) => {
    const folder = temporaryFolder(t);
    await installAlone(release, root, folder);
    const doors = await doorsOf(root);
    const imports = doors.map((door, at) => `import * as door${at} from '${door}';\n`).join('');
    const shown = `console.log(${doors.map((_, at) => `Object.keys(door${at}).length`).join(', ')});\n`;
    writeFileSync(path.join(folder, 'doors.mts'), imports + shown);
    const options = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'es2024.sharedmemory', 'dom'],
      strict: true,
      types: ['node'],
      typeRoots: [path.resolve('node_modules/@types')],
    };
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['doors.mts'] }),
    );
    await t.notThrowsAsync(node(folder, path.resolve('node_modules/typescript/bin/tsc'), '-p', '.'));
    t.regex(await node(folder, 'doors.mjs'), /^\d+( \d+)*\n$/);
  });

async function exampleAlone(t: Parameters<typeof temporaryFolder>[0], root: string, code: string) {
  const folder = temporaryFolder(t);
  await installAlone(release, root, folder);
  for (const other of BESIDE[root] ?? []) await installAlone(release, other, folder);
  const block = readDelimited('known-seed', 'main', 'compact-main.bin')[BLOCK]!;
  writeFileSync(path.join(folder, 'block.bin'), block);
  writeFileSync(path.join(folder, 'payment.pczt'), stageBytes('v6-ironwood-ironwood', 'ready'));
  writeFileSync(path.join(folder, 'example.mjs'), code);
  return { folder, printed: await node(folder, 'example.mjs') };
}

const special = [...WITHOUT_EXAMPLE, 'client', 'prover'];
for (const root of PACKAGES.filter((folder) => !special.includes(path.basename(folder))))
  test(`${root} alone: the example of its README`, async (t) => {
    const { code, shown } = exampleOf(root);
    t.not(shown, '');
    t.is((await exampleAlone(t, root, code)).printed, shown);
  });

test('packages/prover alone: the example of its README proves a payment', async (t) => {
  const [, code = ''] = /```js\n(.*?)```/s.exec(readFileSync('packages/prover/README.md', 'utf8')) ?? [];
  const { folder } = await exampleAlone(t, 'packages/prover', code);
  const size = (name: string) => statSync(path.join(folder, name)).size;
  // Two actions: 4,992 + 2,272 for each more.
  t.true(size('proved.pczt') > size('payment.pczt') + 7_000);
});

test('packages/client alone: the example of its README, against a companion', async (t) => {
  const { code, shown } = exampleOf('packages/client');
  const { devnet, service } = await startDevnetService(t, { seed: 'client alone' });
  await service.post('/api/wallet/create', { password: 'correct horse battery', birthday_height: 1 });
  const { body } = await service.get<{ unified_address: string }>('/api/address');
  devnet.payTo(body.unified_address, { pool: 'sapling', zatoshi: 777_000 });
  await service.post('/api/wallet/lock', {});
  const example = code.replace('http://127.0.0.1:3000', service.url);
  t.is((await exampleAlone(t, 'packages/client', example)).printed, shown);
});

test('the companion alone: the program runs the story of its demo, and proves and sends a payment', async (t) => {
  const folder = temporaryFolder(t);
  await installAlone(release, '.', folder);
  const program = path.join(folder, 'node_modules/wallet-companion/dist/program/main.js');
  // 0755, whatever the maker's umask.
  t.is(statSync(program).mode & 0o777, 0o755);
  t.is(await node(folder, program, '--version'), `${(await manifest()).version}\n`);
  const companion = {
    run: (words: string) => node(folder, program, ...words.split(' ')),
    write: async (name: string, text: string) =>
      writeFileSync(path.join(folder, name), text, { mode: 0o600 }),
  };
  await tellsItsStory(t, companion);
  await paysOnce(t, companion);
});

const manifest = async () => JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
