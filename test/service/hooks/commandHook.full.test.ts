// Programs as hooks: what they are given, how they end, and who may decide which program it is.

import fs from 'node:fs';
import path from 'node:path';
import { Waits } from '@wallet-companion/base/test/waits';
import test, { type ExecutionContext } from 'ava';
import { COMMAND_LIMIT_MS, commandHook } from '../../../src/hooks/commandHook.ts';
import { type Delivery, encodeJson } from '../../../src/hooks/delivery.ts';
import { trustedFile } from '../../../src/programs/trustedFile.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { until } from '../../helpers/until.ts';
import { changeOf } from './support.ts';

const unixOnly = process.platform === 'win32' ? test.skip : test;
const rootOnly = process.getuid?.() === 0 ? test : test.skip;

const DATA = { ...changeOf(1), memo: { text: '$(touch /tmp/x)\n`id`; "\'' } };
const DELIVERY: Delivery = {
  id: 'e-1',
  sequence: 7,
  event: 'change.received',
  wallet: 'savings',
  time: '2026-01-02T03:04:05.000Z',
  data: encodeJson(DATA),
};

function script(t: ExecutionContext, text: string, name = 'hook'): { file: string; folder: string } {
  const folder = temporaryFolder(t);
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return { file, folder };
}

function way(command: readonly string[], env: Record<string, string> = { PATH: '/usr/bin:/bin' }) {
  const waits = new Waits();
  const deliver = commandHook('shop', command, { env, after: waits.after });
  return { waits, deliver: (stop = new AbortController().signal) => deliver(DELIVERY, stop) };
}

unixOnly(
  'the event comes as a line of JSON; arguments are never interpreted; little is passed on',
  async (t) => {
    const { file, folder } = script(
      t,
      'd=$(dirname "$0"); cat > "$d/in"; pwd > "$d/cwd"; env > "$d/env"; printf "%s\\n" "$@" > "$d/args"',
      'a hook; with $(words)',
    );
    const args = ['$(touch /tmp/y)', '; exit 3', '', 'two words', '*'];
    const env = { PATH: '/usr/bin:/bin', HOME: '/h', LANG: 'C', WALLET_SECRET: 'no', NODE_OPTIONS: '-r x' };
    t.is(await way([file, ...args], env).deliver(), undefined);
    const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');
    t.regex(read('in'), /^\{.*\}\n$/);
    t.deepEqual(JSON.parse(read('in')), { ...DELIVERY, data: DATA, hook: 'shop' });
    t.is(read('args'), `${args.join('\n')}\n`);
    t.is(read('cwd'), '/\n');
    const names = read('env')
      .split('\n')
      .map((line) => line.split('=')[0]);
    t.true(['PATH', 'HOME', 'LANG'].every((name) => names.includes(name)));
    t.false(names.some((name) => ['WALLET_SECRET', 'NODE_OPTIONS'].includes(name ?? '')));
  },
);

unixOnly('its end decides: exit 0 alone is an arrival, whatever it prints or leaves unread', async (t) => {
  const cases = [
    ['exit 0', undefined],
    ['exec cat > /dev/null', undefined],
    ['yes | head -c 30000000; yes | head -c 30000000 >&2', undefined],
    ['exit 3', 'EXIT_3'],
    ['kill -TERM $$', 'KILLED_SIGTERM'],
  ] as const;
  for (const [text, failure] of cases) {
    const { deliver, waits } = way([script(t, text).file]);
    t.is(await deliver(), failure, text);
    t.is(waits.open, 0);
  }
  const { file } = script(t, '');
  fs.writeFileSync(file, '#!/no/such/program\n');
  t.is(await way([file]).deliver(), 'NOT_STARTED');
});

unixOnly('one that does not end is killed after its time, with everything that it started', async (t) => {
  for (const how of ['time', 'stop'] as const) {
    const { file, folder } = script(
      t,
      'trap "" TERM HUP INT; sleep 100000 & echo $! > "$(dirname "$0")/pid"; wait; sleep 100000',
    );
    const { deliver, waits } = way([file]);
    const stop = new AbortController();
    const delivery = deliver(stop.signal);
    const pidFile = path.join(folder, 'pid');
    await until(() => fs.existsSync(pidFile) && fs.readFileSync(pidFile, 'utf8').endsWith('\n'));
    const pid = Number(fs.readFileSync(pidFile, 'utf8'));
    t.notThrows(() => process.kill(pid, 0));
    if (how === 'time') waits.end();
    else stop.abort();
    t.is(await delivery, how === 'time' ? 'TIMEOUT' : 'STOPPED');
    await until(() => !isAlive(pid));
    t.pass();
  }
  t.is(COMMAND_LIMIT_MS, 30_000);
});

/** One that nobody waits for stays as a zombie where no init takes it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

unixOnly('a program that others could exchange is not run', async (t) => {
  const refused = async (file: string, why: string) =>
    t.is(await way([file]).deliver(), 'UNSAFE_COMMAND', why);
  const mark = path.join(temporaryFolder(t), 'ran');
  const made = () => script(t, `touch ${mark}`);
  const groups = made();
  fs.chmodSync(groups.file, 0o775);
  await refused(groups.file, 'the group writes');
  const others = made();
  fs.chmodSync(others.file, 0o757);
  await refused(others.file, 'others write');
  const openFolder = made();
  fs.chmodSync(openFolder.folder, 0o777);
  await refused(openFolder.file, 'others exchange names in its folder');
  const target = made();
  const link = path.join(openFolder.folder, 'link');
  fs.symlinkSync(target.file, link);
  await refused(link, 'a link that others exchange');
  const toOpen = path.join(target.folder, 'link');
  fs.symlinkSync(openFolder.file, toOpen);
  await refused(toOpen, 'a link to where others write');
  const linkedFolder = path.join(target.folder, 'folder');
  fs.symlinkSync(openFolder.folder, linkedFolder);
  await refused(path.join(linkedFolder, 'hook'), 'a folder behind a link');
  await refused(`${target.folder}/../${path.basename(openFolder.folder)}/hook`, 'by way of ..');
  const loop = path.join(target.folder, 'loop');
  fs.symlinkSync(loop, loop);
  await refused(loop, 'links in a circle');
  await refused(target.folder, 'a folder');
  await refused(path.join(target.folder, 'none'), 'nothing there');
  await refused(path.join(target.file, 'x'), 'below a file');
  const plain = made();
  fs.chmodSync(plain.file, 0o644);
  await refused(plain.file, 'not executable');
  t.false(fs.existsSync(mark));
  const good = path.join(target.folder, 'good');
  fs.symlinkSync('hook', good);
  t.is(await way([good]).deliver(), undefined);
  t.true(fs.existsSync(mark));
  t.deepEqual(trustedFile(good), { file: fs.realpathSync(target.file) });
  fs.chmodSync(target.file, 0o777);
  await refused(good, 'looked at each time');
});

rootOnly('what belongs to another user is not run, be it program, folder or link', async (t) => {
  const NOBODY = 65_534;
  const refused = async (file: string, why: string) =>
    t.is(await way([file]).deliver(), 'UNSAFE_COMMAND', why);
  const theirs = script(t, 'exit 0');
  fs.chownSync(theirs.file, NOBODY, NOBODY);
  await refused(theirs.file, 'program');
  const inTheirs = script(t, 'exit 0');
  fs.chownSync(inTheirs.folder, NOBODY, NOBODY);
  await refused(inTheirs.file, 'folder');
  const ours = script(t, 'exit 0');
  const sticky = temporaryFolder(t);
  fs.chmodSync(sticky, 0o1777);
  const link = path.join(sticky, 'link');
  fs.symlinkSync(ours.file, link);
  t.is(await way([link]).deliver(), undefined);
  fs.lchownSync(link, NOBODY, NOBODY);
  await refused(link, 'link');
});
