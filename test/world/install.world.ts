// The package as npm makes and installs it: its size, what runs in it, what it says of packages that are not in it.
import { lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { output, run } from './support/command.ts';

const MAX_BYTES = 60e6;
const MAX_PACKAGES = 100;

const { status: asked } = await run('npm', ['view', 'koffi', 'version', '--fetch-retries=0']);
const registryAnswers = asked === 0;
const installing = registryAnswers ? test : test.skip;
if (!registryAnswers) console.log('The registry does not answer, so the package is not installed.');

interface Installation {
  readonly prefix: string;
  readonly modules: string;
  readonly program: string;
}

/** `npm install -g` of what `npm pack` makes of this build. */
async function install(t: ExecutionContext): Promise<Installation> {
  const folder = temporaryFolder(t);
  await output('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
  const [tarball = ''] = readdirSync(folder);
  const prefix = path.join(folder, 'prefix');
  await addPackages(prefix, path.join(folder, tarball));
  return {
    prefix,
    modules: path.join(prefix, 'lib', 'node_modules'),
    program: path.join(prefix, 'bin', 'wallet-companion'),
  };
}

const addPackages = (prefix: string, ...packages: string[]): Promise<string> =>
  output('npm', ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', ...packages]);

function bytesOnDisk(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(path.join(folder, name)).blocks * 512)
    .reduce((sum, bytes) => sum + bytes, 0);
}

installing('an installation is small, whole, and runs the demo', async (t) => {
  const { prefix, modules, program } = await install(t);
  const bytes = bytesOnDisk(prefix);
  t.true(bytes <= MAX_BYTES, `${bytes} bytes`);
  // It fails where a package is not what another one needs.
  const listed = await output('npm', ['ls', '--global', '--all', '--parseable', '--prefix', prefix]);
  const packages = listed.split('\n').filter((folder) => folder.startsWith(`${modules}${path.sep}`));
  t.true(packages.length > 1 && packages.length <= MAX_PACKAGES, `${packages.length} packages`);
  t.log(`${Math.round(bytes / 1e6)} MB, ${packages.length} packages`);

  t.regex(await output(program, ['--version']), /^\d+\.\d+\.\d+\n$/);
  const story = await output(program, ['demo', '--once']);
  t.is(story.split('as the chain has it').length - 1, 5);
});

installing('a feature whose package is missing says what to install, and that helps', async (t) => {
  const { prefix, program } = await install(t);
  const folder = temporaryFolder(t);
  const key = path.join(folder, 'fleet.key');
  writeFileSync(key, `${'00'.repeat(32)}\n`, { mode: 0o600 });
  const data = ['--data-dir', path.join(folder, 'data'), '--config-dir', path.join(folder, 'config')];
  const desktop = () => run(program, ['desktop', ...data]);
  // No Redis has this port. Where the packages are there a worker waits for one, until it is killed.
  const fleet = () =>
    run('timeout', [
      '--signal=KILL',
      '30',
      program,
      'scan-worker',
      '--fleet-redis-url',
      'redis://127.0.0.1:1',
      '--fleet-key-file',
      key,
      ...data,
    ]);

  const before = [await desktop(), await fleet()];
  t.deepEqual(
    before.map(({ status }) => status),
    [4, 2],
  );
  t.regex(before[0]!.stderr, /koffi is not installed \(npm install -g koffi\).*\(NOT_FOUND\)/);
  t.regex(before[1]!.stderr, /npm install -g bullmq ioredis.*\(INVALID_REQUEST\)/s);

  await addPackages(prefix, 'koffi', 'bullmq', 'ioredis');
  t.notRegex((await desktop()).stderr, /koffi/);
  t.notRegex((await fleet()).stderr, /not installed/);
});

installing('another program imports the exports, with their types', async (t) => {
  const { modules } = await install(t);
  const folder = temporaryFolder(t);
  symlinkSync(modules, path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(
    path.join(folder, 'use.ts'),
    `import { commandHandler, invokeThrough, registerHandlers } from 'wallet-companion/ipc/handlers';
import { createInvoke } from 'wallet-companion/ipc/invoke';
import { portLink, servePort } from 'wallet-companion/ipc/messagePort';
import { createSocketLink } from 'wallet-companion/ipc/socketLink';
import { socketPath } from 'wallet-companion/ipc/socketPath';

console.log([commandHandler, invokeThrough, registerHandlers, portLink, servePort, createSocketLink].map((made) => typeof made).join());
export const tip = async (): Promise<number> => {
  const invoke = createInvoke(createSocketLink(socketPath('.')), () => 'id');
  // @ts-expect-error: such a command takes a password
  await invoke('wallet_create', { passwort: '' });
  const { height } = await invoke('lwd_chain_tip');
  // @ts-expect-error: a height is a number
  const text: string = height;
  return Number(text);
};
`,
  );
  const types = path.resolve('node_modules/@types');
  const options = { module: 'nodenext', target: 'es2022', strict: true, types: ['node'], typeRoots: [types] };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['use.ts'] }),
  );
  await output(process.execPath, [path.resolve('node_modules/typescript/bin/tsc'), '-p', '.'], folder);
  t.is(await output(process.execPath, ['use.js'], folder), `${Array(6).fill('function').join()}\n`);
});

test('npm audit finds nothing', async (t) => {
  const { stdout } = await run('npm', ['audit', '--json']);
  const report = JSON.parse(stdout) as {
    readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> };
  };
  if (report.metadata === undefined) {
    t.log(`Skipped, because the registry makes no audit: ${stdout.slice(0, 200)}`);
    t.pass();
    return;
  }
  t.is(report.metadata.vulnerabilities['total'], 0);
});
