// The real window under a virtual display: a person unlocks, syncs and asks the server, and nothing leads out of the
// page.

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import anyTest, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';

const PROGRAM = path.resolve(import.meta.dirname, 'programs/windowProcess.js');
const run = promisify(execFile);

function missing(): string | undefined {
  if (process.platform !== 'linux') return 'WebKitGTK is for Linux';
  if (spawnSync('Xvfb', ['-help'], { stdio: 'ignore' }).error !== undefined) return 'no Xvfb on this machine';
  // In a process of its own: WebKit does not take kindly to a thread that ends, nor to being unloaded.
  const load = "require('koffi').load('libwebkit2gtk-4.1.so.0'); process.exit()";
  const { status } = spawnSync(process.execPath, ['-e', load], { stdio: 'ignore' });
  return status === 0 ? undefined : 'no WebKitGTK 4.1, or no koffi, on this machine';
}

const reason = missing();
const test = (title: string, body: (t: ExecutionContext) => unknown): void =>
  reason === undefined
    ? void anyTest.serial(title, body)
    : void anyTest.skip(`${title} (skipped: ${reason})`, body);

/** Starts a virtual display on a free number. */
async function display(t: ExecutionContext): Promise<string> {
  const server: ChildProcess = spawn(
    'Xvfb',
    ['-displayfd', '1', '-screen', '0', '1000x900x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  t.teardown(() => server.kill());
  if (server.stdout === null) throw new Error('Xvfb has no output');
  const [number] = (await once(server.stdout, 'data')) as [Buffer];
  return `:${number.toString('utf8').trim()}`;
}

interface Report {
  readonly seen: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
  readonly resources: readonly string[];
  /** What was asked of which wallet. */
  readonly asks: readonly (readonly [name: string, wallet: string])[];
}

async function report(t: ExecutionContext, ...args: readonly string[]): Promise<Report> {
  const folder = temporaryFolder(t);
  const { stdout } = await run(process.execPath, [PROGRAM, ...args], {
    env: {
      ...process.env,
      DISPLAY: await display(t),
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      NO_AT_BRIDGE: '1',
      // As on a system without a language, where WebKit names one that no format takes.
      LANG: 'C',
    },
  });
  return JSON.parse(stdout) as Report;
}

test('a person unlocks, syncs and asks the server in the window', async (t) => {
  const screenshot = path.join(temporaryFolder(t), 'window.png');
  const { seen, faults, resources, asks } = await report(t, screenshot);
  t.like(seen, {
    left: '',
    unscanned: 'Unknown',
    total: '0.00000015\u00a0ZEC',
    theme: 'dark',
    // What happened elsewhere came by itself, and a lock took everything away.
    live: '7.00000000\u00a0ZEC',
    locked: 'nothing left',
    // No way leads out of the page.
    fetched: 'refused',
    opened: 'null',
    location: 'companion://app/',
  });
  t.regex(seen['progress'] ?? '', /^320 blocks and [\d.,]+ outputs a second/);
  t.regex(seen['address'] ?? '', /^u1/);
  t.regex(seen['server'] ?? '', /example v7\.0\.0\s+Network\s+main\s+Its newest block\s+1,?000,?049/);
  t.deepEqual(faults, []);
  // No port was opened: the page is answered inside the process.
  t.false(
    resources.some((resource) => /^TCP|^Pipe.*Server/.test(resource)),
    resources.join(' '),
  );
  for (const name of ['wallet.unlock', 'balance.get', 'follow.set', 'sync.status', 'lwd.info']) {
    t.true(
      asks.some(([asked, of]) => asked === name && of === 'default'),
      name,
    );
  }
  const picture = readFileSync(screenshot);
  t.is(picture.subarray(1, 4).toString('latin1'), 'PNG');
  // A blank page of this size compresses to a few kilobytes.
  t.true(picture.length > 15_000, `${picture.length} bytes`);
});

test('the window opens on the wallet that is named, and shows another one when it is chosen', async (t) => {
  const { seen, faults, asks } = await report(t, '', 'savings');
  t.like(seen, { wallet: 'default', location: 'companion://app/#/', live: '7.00000000\u00a0ZEC' });
  t.deepEqual(faults, []);
  const asked = asks.flatMap(([name, of]) => (of === 'savings' ? [name] : []));
  t.true(asked.includes('wallet.unlock') && asked.includes('balance.get'));
  // What is of the whole companion is asked of no wallet.
  t.false(asked.includes('wallets.list'));
  const chosen = asks.findIndex(([name, of]) => name === 'wallet.status' && of === 'default');
  t.true(chosen > asks.findIndex(([name]) => name === 'wallet.unlock'));
  t.false(asks.slice(chosen).some(([, of]) => of === 'savings'));
});

test('without a display the answer says so', async (t) => {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
  const failed = await t.throwsAsync<Error & { stdout?: string }>(
    run(process.execPath, [PROGRAM, ''], { env }),
  );
  t.regex(failed?.stdout ?? '', /"NOT_FOUND".*no graphical display/);
});

test('a process that has loaded WebKit ends in peace', async (t) => {
  const webkit = path.resolve(import.meta.dirname, '../../../src/ipc/desktop/webkit.js');
  const script = `import(${JSON.stringify(webkit)}).then((all) => all.loadLibraries())`;
  // Most crash, but not all, when the library is unloaded under its threads.
  for (let times = 0; times < 5; times++) await t.notThrowsAsync(run(process.execPath, ['-e', script]));
});
