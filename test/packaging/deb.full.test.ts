// Debian's package, installed by dpkg on a copy of this system that ends with the test: its users, folders and units, the story of the
// demo and a payment as its user, an upgrade, and that nothing removes a wallet.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { paysOnce, tellsItsStory } from '../helpers/installedCompanion.ts';
import { makeRelease } from '../helpers/releaseFiles.ts';

const execute = promisify(execFile);

/** All that the test leaves lies here: what dpkg changes in the copy, and the release. */
const folder = mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
test.after.always(() => rmSync(folder, { recursive: true, force: true }));

/** The system below, what has changed above; both are one root for the commands, in a mount namespace of their own. */
const COPY = `set -e
mount -t overlay copy -o "lowerdir=/,upperdir=$0/changed,workdir=$0/work" "$0/root"
mount --rbind /proc "$0/root/proc"
mount --rbind /dev "$0/root/dev"
exec chroot "$0/root" sh -ec "$1"`;
const inCopy = (script: string): readonly [string, readonly string[]] => [
  'unshare',
  ['--mount', 'sh', '-c', COPY, folder, script],
];
for (const name of ['changed', 'work', 'root', 'release']) mkdirSync(path.join(folder, name));

const canCopy = spawnSync(...inCopy('dpkg-query -W nodejs && systemd-sysusers --version')).status === 0;
const onDebian = canCopy ? test.serial : test.serial.skip;
if (!canCopy) console.log('Not on Debian as root with nodejs, so its package is not installed.');

const run = async (script: string): Promise<string> => (await execute(...inCopy(script))).stdout;
const asItsUser = (command: string): Promise<string> =>
  run(`cd /var/lib/wallet-companion; runuser -u wallet-companion -- env TMPDIR=/tmp ${command}`);

let deb = '';
test.before(async () => {
  if (!canCopy) return;
  const release = path.join(folder, 'release');
  await makeRelease(release);
  deb = path.join(release, readdirSync(release).find((name) => name.endsWith('.deb'))!);
  mkdirSync(path.join(folder, 'changed/root'), { recursive: true });
  await execute('cp', [deb, path.join(folder, 'changed/root/companion.deb')]);
});

onDebian('everything in it is root’s, and no other file of the system', async (t) => {
  const { stdout } = await execute('dpkg-deb', ['-c', deb], { maxBuffer: 1 << 26 });
  const rows = stdout.trim().split('\n');
  t.true(rows.length > 500);
  t.deepEqual(
    rows.filter((row) => !/^(?:-rw-r--r--|-rwxr-xr-x|drwxr-xr-x|lrwxrwxrwx) 0\/0 /.test(row)),
    [],
  );
  const own =
    /\.\/(?:(?:usr\/(?:(?:bin|lib|share)\/)?)?|usr\/(?:lib\/(?:systemd|sysusers\.d|tmpfiles\.d)|share\/doc)\/(?:system\/)?)$|wallet-companion/;
  t.deepEqual(
    rows.filter((row) => !own.test(row)),
    [],
  );
});

onDebian('dpkg installs it, with a user and a folder for each of the two programs', async (t) => {
  await run('dpkg -i /root/companion.deb');
  t.is(await run('dpkg --verify wallet-companion'), '');
  const folders = ['', '/config', '/data', '-signer'].map((end) => `/var/lib/wallet-companion${end}`);
  const owner = (end: string) => `700 wallet-companion${end} wallet-companion${end}\n`;
  t.is(
    await run(`stat -c '%a %U %G' ${folders.join(' ')}`),
    ['', '', '', '-signer'].map((end) => owner(end)).join(''),
  );
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  t.is(await asItsUser('wallet-companion --version'), `${version}\n`);
  const units = ['wallet-companion', 'wallet-companion-signer'].map((unit) => `${unit}.service`).join(' ');
  if (spawnSync('systemd-analyze', ['--version']).status === 0)
    t.is(await run(`systemd-analyze verify ${units} 2>&1`), '');
});

const companion = {
  run: (words: string) => asItsUser(`wallet-companion ${words}`),
  write: async (name: string, text: string) => {
    await asItsUser(`sh -c 'umask 077; printf %s "${text}" > ${name}'`);
  },
};

onDebian('as its user it runs the story of the demo, and proves and sends a payment', async (t) => {
  await tellsItsStory(t, companion);
  await paysOnce(t, companion);
});

onDebian('an upgrade and a removal leave the wallet where it is', async (t) => {
  const digest = 'sha256sum /var/lib/wallet-companion/data/wallet.dat';
  const wallet = await run(digest);
  await run('dpkg -i /root/companion.deb');
  t.is(await run(digest), wallet);
  await run('dpkg --purge wallet-companion');
  t.is(await run(digest), wallet);
  t.is(await run('ls -d /usr/lib/wallet-companion /usr/bin/wallet-companion 2>/dev/null || true'), '');
});
