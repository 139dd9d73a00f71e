// The companion as people run it, in a process of its own, for benches: started, asked over HTTP, and what it takes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));

export interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

export async function call<T = unknown>({ url }: Running, route: string, body?: object): Promise<T> {
  const response = await fetch(
    url + route,
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

export interface StartOptions {
  /** Of Node itself. */
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export function start(configDir: string, dataDir: string, options: StartOptions = {}): Promise<Running> {
  const args = ['serve', '--port', '0', '--config-dir', configDir, '--data-dir', dataDir];
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, WALLET_COMPANION_LOG: 'silent', ...options.environment },
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /^listening on (\S+)$/m.exec(output)?.[1];
      if (url !== undefined) resolve({ child, url });
    });
    child.once('exit', (code) => reject(new Error(`the companion ended with ${code}`)));
  });
}

/** Resolves when it has ended, and with it whatever it still writes. */
export async function stop({ child }: Running): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** User and system time of the process, from the kernel's accounting (Linux; NaN elsewhere). */
export function cpuSeconds({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

export function rssMebibytes({ pid }: ChildProcess, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}
