// What a start costs, of the program as it is shipped: a command that loads nothing, a command with the whole companion in
// its own process beside the key derivation alone, and a service until it listens and until it has answered. Medians; seconds
// mean something on a quiet machine alone, processor time always. Nothing answers at the node's address.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_KDF, derivePasswordKey } from '@wallet-companion/disk/sealing';
import { cpuSeconds } from './companionProcess.ts';
import { numberOption } from './options.ts';

const PROGRAM = fileURLToPath(new URL('../program/main.js', import.meta.url));
const TURNS = numberOption('turns', 7);

interface Figure {
  readonly ms: number;
  readonly cpuMs: number;
}

export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-bench-'));
  try {
    console.log(`Node ${process.version}, ${TURNS} turns, medians`);
    console.table(await figures(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function figures(folder: string): Promise<object> {
  const configDir = path.join(folder, 'config');
  const passwordFile = path.join(folder, 'password');
  mkdirSync(configDir, { mode: 0o700 });
  writeFileSync(
    path.join(configDir, 'config.json'),
    JSON.stringify({ network: 'regtest', node_url: 'http://127.0.0.1:9' }),
  );
  writeFileSync(passwordFile, 'bench', { mode: 0o600 });
  const folders = ['--config-dir', configDir, '--data-dir', path.join(folder, 'data')];
  const opened = ['--password-file', passwordFile, ...folders];
  command('wallet', 'create', '--birthday-height', '1', ...opened);
  const listening: Figure[] = [];
  const answered: Figure[] = [];
  for (let i = 0; i < TURNS; i++) {
    const [first, second] = await service(folders);
    listening.push(first);
    answered.push(second);
  }
  return {
    'Node alone': median(repeated(() => spawned('-e', '0'))),
    '--help': median(repeated(() => command('--help'))),
    'key derivation alone': median(await derivations()),
    'wallet exists, by itself': median(repeated(() => command('wallet', 'exists', ...folders))),
    'balance, by itself': median(repeated(() => command('balance', ...opened))),
    'serve: listening': median(listening),
    'serve: has answered': median(answered),
  };
}

const command = (...words: string[]): Figure => spawned(PROGRAM, ...words);

function spawned(...words: string[]): Figure {
  const began = performance.now();
  const script = '"$@" > /dev/null || exit; times';
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', script, 'sh', process.execPath, ...words], {
    encoding: 'utf8',
  });
  const ms = performance.now() - began;
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  // The second line is of the children: user and system, as in "0m1.250s 0m0.110s".
  const [user = 0, system = 0] = (stdout.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map((text) => Number(/^(\d+)m/.exec(text)?.[1]) * 60 + Number(/m([\d.]+)s/.exec(text)?.[1]));
  return { ms, cpuMs: (user + system) * 1000 };
}

const repeated = (once: () => Figure): Figure[] => Array.from({ length: TURNS }, once);

async function derivations(): Promise<Figure[]> {
  const found: Figure[] = [];
  for (let i = 0; i < TURNS; i++) {
    const before = process.cpuUsage();
    const began = performance.now();
    await derivePasswordKey(new Uint8Array(8), new Uint8Array(16), DEFAULT_KDF);
    const { user, system } = process.cpuUsage(before);
    found.push({ ms: performance.now() - began, cpuMs: (user + system) / 1000 });
  }
  return found;
}

/** Until it says that it listens, and until the wallet thread has answered. */
async function service(folders: readonly string[]): Promise<[Figure, Figure]> {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', ...folders], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, WALLET_COMPANION_LOG: 'silent' },
  });
  const now = (): Figure => ({ ms: performance.now() - began, cpuMs: cpuSeconds(child) * 1000 });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const listening = now();
  const url = /^listening on (\S+)$/m.exec(line.toString())?.[1];
  const response = await fetch(`${url}/api/wallet/status`);
  if (!response.ok) throw new Error(`status: ${response.status}`);
  await response.text();
  const answered = now();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return [listening, answered];
}

function median(figures: readonly Figure[]): { ms: number; 'CPU ms': number } {
  const middle = (values: number[]): number =>
    Math.round(values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN);
  return { ms: middle(figures.map(({ ms }) => ms)), 'CPU ms': middle(figures.map(({ cpuMs }) => cpuMs)) };
}
